internal import HTTP2

/// A request to APNs as HTTP text, for display.
package struct RequestText: Sendable {
    private let twin: CurlTwin

    /// Creates texts for the curl command's host.
    package init(_ twin: CurlTwin) { self.twin = twin }

    /// Returns method, path, headers, an empty line and the body. Secrets appear as in `CurlTwin`.
    package func text(
        of parts: RequestParts, _ providerToken: ProviderToken?, _ secrets: CurlTwin.Secrets
    ) -> String {
        var path = parts.openPath + (parts.secret.map { "$\($0.variable)" } ?? "")
        var authorization = "bearer $AUTHENTICATION_TOKEN"
        switch secrets {
        case .asVariables: break
        case .shown:
            path = parts.path
            authorization = providerToken?.authorization ?? authorization
        }
        var lines = ["\(parts.method) \(path) HTTP/2", "host: \(twin.host):\(twin.port)"]
        lines += parts.headers.map { "\($0.name): \($0.value)" }
        lines.append("authorization: \(authorization)")
        if !parts.body.isEmpty { lines += ["", String(decoding: parts.body, as: UTF8.self)] }
        return lines.joined(separator: "\n")
    }
}
