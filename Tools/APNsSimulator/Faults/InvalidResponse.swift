internal import HTTP2
internal import HTTP2Server

/// Responses that no client should trust.
package enum InvalidResponse: String, CaseIterable, Hashable, Sendable {
    /// 400 with a truncated body.
    case brokenJSON = "broken-json"
    /// 400 with unrelated JSON.
    case foreignJSON = "foreign-json"
    /// A status that HTTP does not define.
    case oddStatus = "odd-status"
    /// A status of four digits, which is malformed HTTP/2 (RFC 9113 section 8.3.2).
    case longStatus = "long-status"
    /// An HTTP/1.1 response instead of frames.
    case http1
    /// Bytes of no protocol.
    case noise

    func action(_ headers: [HTTP2Header]) -> HTTP2Server.Action {
        switch self {
        case .brokenJSON: .respond(Self.response(400, headers, #"{"reason":"BadDevi"#))
        case .foreignJSON: .respond(Self.response(400, headers, #"[{"reason":7},null]"#))
        case .oddStatus: .respond(Self.response(999, headers, ""))
        case .longStatus: .respond(Self.response(2_000, headers, ""))
        case .http1: .fault(.sendInvalidBytes(Self.http1Response))
        case .noise:
            .fault(.sendInvalidBytes((0..<200).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }))
        }
    }

    static let http1Response = Array(
        "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n".utf8)

    private static func response(
        _ status: Int, _ headers: [HTTP2Header], _ body: String
    ) -> HTTP2Response {
        HTTP2Response(status: status, headers: headers, body: Array(body.utf8))
    }

    /// Returns the response with about this many bytes of extra headers.
    static func withExtraHeaders(_ response: HTTP2Response, bytes: Int) -> HTTP2Response {
        let size = 1_024
        let extra = (0..<max(1, bytes / size)).map { number in
            HTTP2Header(
                "x-extra-\(number)", String(repeating: "s", count: size), indexing: .never)
        }
        return HTTP2Response(
            status: response.status, headers: response.headers + extra, body: response.body)
    }
}
