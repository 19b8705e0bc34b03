/// The handshake with an HTTP proxy that opens a tunnel to a server. Pure: takes bytes, returns the
/// next step.
///
/// After the proxy's 2xx the connection belongs to TLS. TLS is verified end to end, so a proxy can
/// cut a connection, but neither read nor change its contents.
struct ProxyTunnel: Sendable {
    /// The next step after bytes from the proxy.
    enum Step: Hashable, Sendable {
        case wait
        /// The tunnel is open: TLS may begin.
        case open
        /// Why the proxy opens no tunnel.
        case refused(String)
    }

    private enum Limit {
        /// The limit of a proxy's response, which normally has a few lines.
        static let responseBytesMax = 16 * 1_024
        /// The limit of the quotation in a message.
        static let quotedBytesMax = 80
    }

    private enum State: Hashable {
        case waiting, settled
    }

    /// The request for a tunnel, to send first.
    let request: [UInt8]
    private var state = State.waiting
    private var response: [UInt8] = []

    /// Creates a tunnel to a server, whose name the proxy resolves.
    init(through proxy: HTTPProxy, to host: String, port: UInt16) {
        let name = host.contains(":") ? "[\(host)]" : host
        var lines = ["CONNECT \(name):\(port) HTTP/1.1", "Host: \(name):\(port)"]
        if let authorization = proxy.authorization {
            lines.append("Proxy-Authorization: \(authorization)")
        }
        request = Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
    }

    /// Processes bytes from the proxy.
    mutating func received(_ bytes: UnsafeRawBufferPointer) -> Step {
        guard state == .waiting else { return .refused("the proxy responded twice") }
        response.append(contentsOf: bytes)
        guard let end = Self.endOfHead(response) else {
            guard response.count <= Limit.responseBytesMax else {
                return settle(.refused("the proxy's response does not end"))
            }
            return .wait
        }
        guard let status = Self.status(response) else {
            return settle(.refused("the proxy does not speak HTTP: \(quotation)"))
        }
        guard (200..<300).contains(status) else {
            return settle(.refused("the proxy refused the tunnel: \(quotation)"))
        }
        // A server sends nothing before the client's hello, so extra bytes have another source.
        guard end == response.count else {
            return settle(.refused("the proxy sent bytes into the tunnel"))
        }
        return settle(.open)
    }

    private mutating func settle(_ step: Step) -> Step {
        state = .settled
        return step
    }

    /// The first line, printable only, for logs.
    private var quotation: String {
        let line = response.prefix { $0 != 0x0D && $0 != 0x0A }.prefix(Limit.quotedBytesMax)
        return String(decoding: line.filter { $0 >= 32 && $0 < 127 }, as: UTF8.self)
    }

    /// Returns the end of the head with its empty line; `nil`: incomplete.
    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard bytes.count >= mark.count else { return nil }
        return (mark.count...bytes.count).first {
            bytes[($0 - mark.count)..<$0].elementsEqual(mark)
        }
    }

    /// Parses the status of "HTTP/1.1 200 Connection established".
    private static func status(_ bytes: [UInt8]) -> Int? {
        let line = bytes.prefix { $0 != 0x0D }
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count >= 2, words[0].starts(with: "HTTP/1.".utf8), words[1].count == 3 else {
            return nil
        }
        return Int(String(decoding: words[1], as: UTF8.self))
    }
}
