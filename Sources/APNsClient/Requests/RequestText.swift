internal import HTTP2

/// A push as the text of its HTTP request, for a person to read.
package struct RequestText: Sendable {
    private let twin: CurlTwin

    /// Requests to the same host as the twin's.
    package init(_ twin: CurlTwin) { self.twin = twin }

    /// Method, path, headers, an empty line, and the body. Secrets show as `CurlTwin` shows them.
    package func text(
        of request: PushRequest, providerToken: ProviderToken? = nil,
        secrets: CurlTwin.Secrets = .asVariables
    ) -> String {
        var path = "/3/device/$ACTIVITY_PUSH_TOKEN"
        var authorization = "bearer $AUTHENTICATION_TOKEN"
        switch secrets {
        case .asVariables: break
        case .shown:
            path = request.path
            authorization = providerToken?.authorization ?? authorization
        }
        var lines = ["POST \(path) HTTP/2", "host: \(twin.host):\(twin.port)"]
        lines += request.plainHeaders.map { "\($0.name): \($0.value)" }
        lines += ["authorization: \(authorization)", ""]
        lines.append(String(decoding: request.payload, as: UTF8.self))
        return lines.joined(separator: "\n")
    }
}
