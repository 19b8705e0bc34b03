internal import FoundationEssentials
internal import HTTP2

/// An HTTP proxy between the server and APNs, for networks where nothing else leads out.
///
/// The connection through it is TLS from end to end, verified as without a proxy: it sees the
/// host's name, and neither tokens nor pushes. It looks up the host's name itself.
public struct APNsProxy: Hashable, Sendable {
    let proxy: HTTPProxy

    /// A proxy by its address.
    ///
    /// - Parameter address: "http://proxy.example:3128", or with credentials for Basic
    ///   authorization: "http://name:password@proxy.example:3128" (percent-encoded).
    /// - Throws: When the address is not of that form; the message shows no credentials.
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
    /// What a log may show: no credentials.
    public var description: String { "\(proxy.host):\(proxy.port)" }
    /// What a log may show: no credentials.
    public var debugDescription: String { description }
    /// What a log may show: `dump` shows no more.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
