internal import HTTP2

/// Answers that no client should trust.
package enum Garbage: String, CaseIterable, Hashable, Sendable {
    /// 400 with a body that begins like Apple's and stops.
    case brokenJSON = "broken-json"
    /// 400 with a body that is JSON and says nothing that was asked.
    case foreignJSON = "foreign-json"
    /// A status that HTTP does not have.
    case oddStatus = "odd-status"
    /// A status of four digits, which is no well-formed HTTP/2 (RFC 9113 section 8.3.2).
    case longStatus = "long-status"
    /// An answer of HTTP/1.1 where frames should be.
    case http1
    /// Bytes of no protocol at all.
    case noise

    func action(_ headers: [HTTP2Header]) -> HTTP2Server.Action {
        switch self {
        case .brokenJSON: .respond(Self.answer(400, headers, #"{"reason":"BadDevi"#))
        case .foreignJSON: .respond(Self.answer(400, headers, #"[{"reason":7},null]"#))
        case .oddStatus: .respond(Self.answer(999, headers, ""))
        case .longStatus: .respond(Self.answer(2_000, headers, ""))
        case .http1: .trouble(.babble(Self.http1Answer))
        case .noise: .trouble(.babble((0..<200).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }))
        }
    }

    static let http1Answer = Array(
        "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n".utf8)

    private static func answer(
        _ status: Int, _ headers: [HTTP2Header], _ body: String
    ) -> HTTP2Response {
        HTTP2Response(status: status, headers: headers, body: Array(body.utf8))
    }

    /// The answer with headers that nobody asked for, about so many bytes of them.
    static func swollen(_ response: HTTP2Response, by bytes: Int) -> HTTP2Response {
        let size = 1_024
        let extra = (0..<max(1, bytes / size)).map { number in
            HTTP2Header(
                "x-swollen-\(number)", String(repeating: "s", count: size), indexing: .never)
        }
        return HTTP2Response(
            status: response.status, headers: response.headers + extra, body: response.body)
    }
}
