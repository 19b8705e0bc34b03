internal import HTTP2

/// A request to APNs as HTTP text, for display.
package struct RequestText: Sendable {
    private let curl: CurlCommand

    /// Creates texts for the curl command's host.
    package init(_ curl: CurlCommand) { self.curl = curl }

    /// Returns method, path, headers, an empty line and the body. Secrets appear as in `CurlCommand`.
    package func text(
        of parts: RequestParts, _ providerToken: ProviderToken?, _ secrets: CurlCommand.Secrets
    ) -> String {
        var path = parts.openPath + (parts.secret.map { "$\($0.variable)" } ?? "")
        var authorization = "bearer $AUTHENTICATION_TOKEN"
        switch secrets {
        case .asVariables: break
        case .shown:
            path = parts.path
            authorization = providerToken?.authorization ?? authorization
        }
        var lines = ["\(parts.method) \(path) HTTP/2", "host: \(curl.host):\(curl.port)"]
        lines += parts.headers.map { "\($0.name): \($0.value)" }
        lines.append("authorization: \(authorization)")
        if !parts.body.isEmpty { lines += ["", String(decoding: parts.body, as: UTF8.self)] }
        return lines.joined(separator: "\n")
    }
}
