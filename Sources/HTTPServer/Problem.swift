internal import JSONWriter

/// A refusal in the form of RFC 9457 (`application/problem+json`).
package struct Problem: Error, Hashable, Sendable {
    package let status: Int
    /// A few fixed words for this kind of problem: "Not found".
    package let title: String
    /// What is wrong with this request, with the value, and what to do.
    package let detail: String
    package var retryAfterSeconds: Int?

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
        return response
    }
}
