"""What schemathesis must accept from this server, with the reasons, and a check of its own.

Scripts/contract runs it. A failure that an exception below describes does not count; every other
one fails the run. Each exception is as narrow as its reason.
"""

import json
from dataclasses import dataclass
from typing import Callable

import schemathesis


@dataclass
class Exception_:
    checks: list[str]
    # `None`: all.
    operations: list[str] | None
    applies: Callable
    reason: str


def details(response):
    try:
        return json.loads(response.text).get("detail", "")
    except ValueError:
        return ""


EXCEPTIONS = [
    Exception_(
        checks=["ServerError", "UnsupportedMethodResponse"],
        operations=None,
        applies=lambda case, response: response.status_code == 501
        and response.request.method not in ("GET", "HEAD", "POST", "PUT", "DELETE"),
        reason="A method that no path supports is 501 (RFC 9110 section 15.6.2), not 405.",
    ),
    Exception_(
        checks=["RejectedPositiveData"],
        operations=[
            "POST /v1/heroes",
            "POST /v1/admin/content/preview",
            "PUT /v1/admin/heroes/{hero}/name",
            "PUT /v1/admin/banned-names/{name}",
            "DELETE /v1/admin/banned-names/{name}",
        ],
        applies=lambda case, response: response.status_code == 400
        and any(
            words in details(response)
            for words in (
                "characters",
                "Unicode scalars",
                "bytes in UTF-8",
                "must be one emoji",
                "no letters to compare",
            )
        ),
        reason="JSON Schema counts code points; names count what a reader sees as a character, "
        "must be visible, and an avatar is one emoji.",
    ),
    Exception_(
        checks=["RejectedPositiveData"],
        operations=["POST /v1/me/reconcile"],
        applies=lambda case, response: response.status_code == 400
        and "contains an id twice" in details(response),
        reason="JSON Schema cannot say that one field of an array's objects is unique.",
    ),
    Exception_(
        checks=["RejectedPositiveData"],
        operations=None,
        applies=lambda case, response: response.status_code == 400
        and "%00" in response.request.url
        and "not valid percent-encoded UTF-8" in details(response),
        reason="No text of a path or a query has a NUL.",
    ),
    Exception_(
        checks=["RejectedPositiveData"],
        operations=["GET /v1/admin/devices", "GET /v1/admin/parties"],
        applies=lambda case, response: response.status_code == 400
        and 'must be the "next" of a page' in details(response),
        reason="The position of a page is the server's own: a client only returns it.",
    ),
    Exception_(
        checks=["RejectedPositiveData"],
        operations=["POST /v1/admin/commands", "PUT /v1/admin/heroes/{hero}/name"],
        applies=lambda case, response: response.status_code == 400
        and any(
            words in details(response)
            for words in (
                "does not belong to the command",
                "A command is for a",
                'A "plan" belongs to a command',
                "A command gives an",
                'The field "amount" is missing',
                "belongs to a command for one party",
                "belongs to the decision",
            )
        ),
        reason="Which fields a body has depends on another one: the command, or the decision.",
    ),
    Exception_(
        checks=["RejectedPositiveData"],
        operations=["POST /v1/admin/session"],
        applies=lambda case, response: response.status_code == 400
        and any(
            words in details(response)
            for words in ('must have either "key" or "code"', 'Send the header "Content-Type')
        ),
        reason="Exactly one of two fields signs in, and only JSON, which other sites cannot send.",
    ),
    Exception_(
        checks=["RejectedPositiveData"],
        operations=["GET /v1/admin/stream"],
        applies=lambda case, response: response.status_code == 400
        and any(
            words in details(response)
            for words in ('The query needs "watch"', "A stream can watch at most")
        ),
        reason="The parameter is there at least once, and names a few parties beside the others.",
    ),
    Exception_(
        checks=["RejectedPositiveData"],
        operations=["POST /v1/admin/keys"],
        applies=lambda case, response: response.status_code == 400
        and 'The name "owner" belongs' in details(response),
        reason="One name belongs to the key file.",
    ),
    Exception_(
        checks=["RejectedPositiveData"],
        operations=["POST /v1/admin/commands", "POST /v1/admin/world"],
        applies=lambda case, response: response.status_code == 400
        and any(
            f'The field "{field}" must be a time' in details(response)
            for field in ("at", "latestBy", "startsAt")
        ),
        reason="A schema cannot compare a time with now.",
    ),
]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    for exception in EXCEPTIONS:
        if (
            type(failure).__name__ in exception.checks
            and (exception.operations is None or case.operation.label in exception.operations)
            and exception.applies(case, response)
        ):
            return False
    return True


@schemathesis.check
def unavailable_says_when(ctx, response, case):
    """A 503 or 429 says when to try again."""
    if response.status_code in (429, 503):
        names = {name.lower() for name in response.headers}
        assert "retry-after" in names, "no Retry-After"
