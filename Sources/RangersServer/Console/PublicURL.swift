internal import HTTPServer

/// Where browsers find this server: scheme, host and path, as the proxy in front of it serves them.
package struct PublicURL: Hashable, Sendable {
    /// Scheme, host and port, as a browser sends them in `Origin`.
    let origin: String
    /// Host and port, as a browser sends them in `Host`.
    let host: String
    /// Ends with a slash.
    let path: String

    var isSecure: Bool { origin.hasPrefix("https:") }

    /// Parses "https://game.example/rangers". Plain HTTP is for loopback addresses only.
    package init?(_ text: String) {
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            !text.contains(where: { "?#@\\;,\"<>%".contains($0) })
        else { return nil }
        let (scheme, rest) = (parts[0].lowercased(), parts[1])
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        let usualPort = scheme == "https" ? ":443" : ":80"
        var host = rest[..<end].lowercased()
        if host.hasSuffix(usualPort) { host.removeLast(usualPort.count) }
        guard !host.isEmpty, scheme == "https" || (scheme == "http" && Self.isLoopback(host))
        else { return nil }
        var path = String(rest[end...])
        if !path.hasSuffix("/") { path += "/" }
        (origin, self.host, self.path) = ("\(scheme)://\(host)", host, path)
    }

    /// Whether a `Host` header names it.
    func isNamed(by host: String) -> Bool {
        host == self.host || host == self.host + (isSecure ? ":443" : ":80")
    }

    /// Whether the host of a URL, with or without a port, is this machine: a name that no foreign
    /// name server can point elsewhere.
    static func isLoopback(_ host: String) -> Bool {
        var name = host[...]
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return false }
            guard isPort(name[name.index(after: end)...]) else { return false }
            name = name[name.index(after: name.startIndex)..<end]
        } else if let colon = name.firstIndex(of: ":") {
            guard isPort(name[colon...]) else { return false }
            name = name[..<colon]
        }
        return name == "localhost" || ClientAddress(String(name))?.isLoopback == true
    }

    /// Whether it is empty, or a colon and a number.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || (text.first == ":" && UInt16(text.dropFirst()) != nil)
    }
}
