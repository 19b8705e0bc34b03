"""What schemathesis must accept from this server, and a check of its own.

Scripts/contract runs it. A failure of which an exception below knows does not count; every other
one fails the run. Each exception is as narrow as its reason.
"""

import json
from pathlib import Path

import schemathesis

# Valid requests that the server refuses with 400: at which operations (none: at all), with which
# words, and why. ContractTests compares the words with those of the server.
EXCEPTIONS = json.loads(Path(__file__).with_name("exceptions.json").read_text(encoding="utf-8"))


def detail(response):
    try:
        return json.loads(response.text).get("detail", "")
    except ValueError:
        return ""


def has_unknown_method(response):
    """A method that no path supports is 501 (RFC 9110 section 15.6.2), not 405."""
    known = ("GET", "HEAD", "POST", "PUT", "DELETE")
    return response.status_code == 501 and response.request.method not in known


def is_excepted(case, response):
    return response.status_code == 400 and any(
        case.operation.label in exception.get("operations", [case.operation.label])
        and exception.get("url", "") in response.request.url
        and any(words in detail(response) for words in exception["words"])
        for exception in EXCEPTIONS
    )


@schemathesis.hook
def filter_failure(context, failure, case, response):
    match type(failure).__name__:
        case "ServerError" | "UnsupportedMethodResponse":
            return not has_unknown_method(response)
        case "RejectedPositiveData":
            return not is_excepted(case, response)
        case _:
            return True


@schemathesis.check
def unavailable_says_when(ctx, response, case):
    """A 503 or 429 says when to try again."""
    if response.status_code in (429, 503):
        names = {name.lower() for name in response.headers}
        assert "retry-after" in names, "no Retry-After"
