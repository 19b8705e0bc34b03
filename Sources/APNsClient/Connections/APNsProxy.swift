internal import FoundationEssentials
internal import HTTP2

/// An HTTP proxy between the server and APNs, for networks without a direct route.
///
/// TLS is end to end and verified as without a proxy: the proxy sees the host's name, but no tokens
/// or pushes. It resolves the host's name itself.
public struct APNsProxy: Hashable, Sendable {
    let proxy: HTTPProxy

    /// Parses a proxy's address.
    ///
    /// - Parameter address: "http://proxy.example:3128", or with credentials for Basic
    ///   authorization: "http://name:password@proxy.example:3128" (percent-encoded).
    /// - Throws: When the address has another form; the message shows no credentials.
    public init(_ address: String) throws(APNsConfigurationError) {
        guard let parts = URLComponents(string: address), parts.scheme == "http",
            let host = parts.host, !host.isEmpty, let port = parts.port,
            let number = UInt16(exactly: port), number > 0,
            ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil
        else {
            throw .unusable(
                "the proxy's address is not of the form http://HOST:PORT or "
                    + "http://NAME:PASSWORD@HOST:PORT")
        }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        proxy = HTTPProxy(
            host: bare, port: number,
            authorization: parts.user.map { Self.basic(name: $0, password: parts.password ?? "") })
    }

    /// RFC 7617: the pair in Base64.
    private static func basic(name: String, password: String) -> String {
        "Basic " + Data("\(name):\(password)".utf8).base64EncodedString()
    }
}

extension APNsProxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The address without credentials, safe to log.
    public var description: String { "\(proxy.host):\(proxy.port)" }
    /// The address without credentials, safe to log.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows no fields.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
