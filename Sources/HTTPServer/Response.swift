/// An HTTP response: status, headers, body.
///
/// Prepare one that is sent often (`PreparedResponse`); it reads like any other.
package struct Response: Sendable {
    private enum Content: Sendable {
        case own(status: Int, headers: [Header], body: [UInt8])
        case prepared(PreparedResponse)
        /// 304 for a response that the client has already.
        case notModified(PreparedResponse)
        case stream(headers: [Header], StreamBody)
    }

    package struct Header: Hashable, Sendable {
        package let name: String
        /// Empty: the header is left out, also if every other response has it.
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    private var content: Content

    package init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
        content = .own(status: status, headers: headers, body: body)
    }

    package init(_ prepared: PreparedResponse) {
        content = .prepared(prepared)
    }

    /// Creates a 200 whose body is made while it is sent.
    package init(headers: [Header], stream: ResponseStream) {
        content = .stream(headers: headers, StreamBody(stream))
    }

    /// Returns a 304 with the headers of `response`, including the length of its body (RFC 9110
    /// section 15.4.5).
    package static func notModified(_ response: Response) -> Response {
        var notModified = response
        notModified.content = .notModified(response.prepared ?? PreparedResponse(response))
        return notModified
    }

    package static func json(_ body: [UInt8], status: Int = 200) -> Response {
        Response(status: status, headers: jsonHeaders, body: body)
    }

    package static func text(_ text: String, status: Int = 200) -> Response {
        Response(status: status, headers: textHeaders, body: Array(text.utf8))
    }

    package static let noContent = Response(status: 204)

    static let jsonHeaders = [Header("content-type", "application/json")]
    private static let textHeaders = [Header("content-type", "text/plain; charset=utf-8")]
}

extension Response {
    package var status: Int {
        get {
            switch content {
            case .own(let status, _, _): status
            case .prepared(let prepared): prepared.status
            case .notModified: 304
            case .stream: 200
            }
        }
        set { content = .own(status: newValue, headers: headers, body: body) }
    }

    package var headers: [Header] {
        get {
            switch content {
            case .own(_, let headers, _): headers
            case .prepared(let prepared), .notModified(let prepared): prepared.headers
            case .stream(let headers, _): headers
            }
        }
        set {
            content =
                switch content {
                case .stream(_, let stream): .stream(headers: newValue, stream)
                case .own, .prepared, .notModified:
                    .own(status: status, headers: newValue, body: body)
                }
        }
    }

    /// The body, as far as it exists already. Reading it copies the body of a prepared response.
    package var body: [UInt8] {
        get {
            switch content {
            case .own(_, _, let body): body
            case .prepared(let prepared): prepared.body
            case .notModified, .stream: []
            }
        }
        set { content = .own(status: status, headers: headers, body: newValue) }
    }

    var prepared: PreparedResponse? {
        switch content {
        case .own, .stream: nil
        case .prepared(let prepared), .notModified(let prepared): prepared
        }
    }

    var stream: StreamBody? {
        guard case .stream(_, let body) = content else { return nil }
        return body
    }
}
