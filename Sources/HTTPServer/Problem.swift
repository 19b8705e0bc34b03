internal import JSONWriter

/// A refusal in the form of RFC 9457 (`application/problem+json`).
package struct Problem: Error, Hashable, Sendable {
    package let status: Int
    /// A fixed short title for this kind of problem: "Not found".
    package let title: String
    /// What is wrong with this request, with the value, and what to do.
    package let detail: String
    package var retryAfterSeconds: Int?
    /// For 405: the methods that the path allows, sent as `Allow`.
    private var allowed: [Method] = []

    package init(status: Int, title: String, detail: String, retryAfterSeconds: Int? = nil) {
        self.status = status
        self.title = title
        self.detail = detail
        self.retryAfterSeconds = retryAfterSeconds
    }

    package var response: Response {
        var json = JSONWriter()
        json.beginObject()
        json.field("type", "about:blank")
        json.field("title", title)
        json.field("status", status)
        json.field("detail", detail)
        json.endObject()
        var response = Response(
            status: status,
            headers: [Response.Header("content-type", "application/problem+json")],
            body: json.bytes)
        if let retryAfterSeconds {
            response.headers.append(Response.Header("retry-after", String(retryAfterSeconds)))
        }
        if !allowed.isEmpty {
            response.headers.append(Response.Header("allow", Self.words(for: allowed)))
        }
        return response
    }

    private static func words(for methods: [Method]) -> String {
        let words = methods.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.rawValue] }
        return words.joined(separator: ", ")
    }
}

extension Problem {
    /// 404 for a path without a route.
    package static let notFound = Problem(
        status: 404, title: "Not found", detail: "This path does not exist.")

    package static func badRequest(_ detail: String) -> Problem {
        Problem(status: 400, title: "Bad request", detail: detail)
    }

    package static func notFound(_ detail: String) -> Problem {
        Problem(status: 404, title: "Not found", detail: detail)
    }

    package static func forbidden(_ detail: String) -> Problem {
        Problem(status: 403, title: "Forbidden", detail: detail)
    }

    package static func conflict(_ detail: String) -> Problem {
        Problem(status: 409, title: "Conflict", detail: detail)
    }

    package static func unprocessable(_ detail: String) -> Problem {
        Problem(status: 422, title: "Unprocessable content", detail: detail)
    }

    package static func tooManyRequests(_ detail: String, retryAfterSeconds: Int) -> Problem {
        Problem(
            status: 429, title: "Too many requests", detail: detail,
            retryAfterSeconds: retryAfterSeconds)
    }

    package static func unavailable(_ detail: String) -> Problem {
        Problem(
            status: 503, title: "Service unavailable", detail: detail, retryAfterSeconds: 1)
    }

    /// Returns a 405 with `Allow`.
    package static func methodNotAllowed(_ allowed: [Method]) -> Problem {
        var problem = Problem(
            status: 405, title: "Method not allowed",
            detail: "This path supports \(words(for: allowed)).")
        problem.allowed = allowed
        return problem
    }

    /// 501 for a method that no route has.
    static let unknownMethod = Problem(
        status: 501, title: "Not implemented",
        detail: "This server supports \(words(for: Method.allCases)).")

    /// Returns a 400, or another 4xx, for malformed HTTP.
    static func malformed(_ detail: String, status: Int = 400) -> Problem {
        Problem(status: status, title: "Malformed request", detail: detail)
    }

    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(
            status: 413, title: "Body too large", detail: "The body is larger than \(limit) bytes.")
    }

    /// 503 for a request without a response in time.
    static let late = Problem(
        status: 503, title: "Timed out",
        detail: "The server did not finish this request in time. It may have succeeded: "
            + "read the current state before you retry.", retryAfterSeconds: 1)

    static let crowded = Problem(
        status: 503, title: "Too many connections",
        detail: "The server has reached its limit of connections. Try again.", retryAfterSeconds: 1)

    static let crowdedClient = Problem(
        status: 429, title: "Too many connections",
        detail: "Your network has too many connections to this server. Close some, and try again.",
        retryAfterSeconds: 1)

    static let busy = Problem(
        status: 503, title: "Too many requests at once",
        detail: "The server has reached its limit of requests. Try again.",
        retryAfterSeconds: 1)

    /// 500 for a response that cannot be sent.
    static let unsendable = Problem(
        status: 500, title: "Internal server error",
        detail: "The response cannot be sent. The request may have succeeded: "
            + "read the current state before you retry.")
}
