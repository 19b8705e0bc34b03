/// The talk with an HTTP proxy that opens a tunnel to a server. Pure: bytes in, a verdict out.
///
/// After the proxy's 2xx the connection belongs to TLS. TLS is verified end to end, so a proxy can
/// cut a connection, but neither read nor change what goes through.
struct ProxyTunnel: Sendable {
    /// What to do after bytes of the proxy.
    enum Step: Hashable, Sendable {
        case wait
        /// The way to the server is open: TLS may begin.
        case open
        /// Why there is no way through this proxy.
        case refused(String)
    }

    private enum Limit {
        /// A proxy's answer is a few lines; what is longer is no proxy.
        static let answerBytesMax = 16 * 1_024
        /// Of what a proxy says, so much goes into a message.
        static let quotedBytesMax = 80
    }

    private enum State: Hashable {
        case waiting, settled
    }

    /// What to send first: the request for a tunnel.
    let request: [UInt8]
    private var state = State.waiting
    private var answer: [UInt8] = []

    /// A tunnel to a server, as the proxy should look it up itself.
    init(through proxy: HTTPProxy, to host: String, port: UInt16) {
        let name = host.contains(":") ? "[\(host)]" : host
        var lines = ["CONNECT \(name):\(port) HTTP/1.1", "Host: \(name):\(port)"]
        if let authorization = proxy.authorization {
            lines.append("Proxy-Authorization: \(authorization)")
        }
        request = Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
    }

    /// Takes what the proxy has sent.
    mutating func received(_ bytes: UnsafeRawBufferPointer) -> Step {
        guard state == .waiting else { return .refused("the proxy answered twice") }
        answer.append(contentsOf: bytes)
        guard let end = Self.endOfHead(answer) else {
            guard answer.count <= Limit.answerBytesMax else {
                return settle(.refused("the proxy's answer has no end"))
            }
            return .wait
        }
        guard let status = Self.status(answer) else {
            return settle(.refused("the proxy does not speak HTTP: \(quotation)"))
        }
        guard (200..<300).contains(status) else {
            return settle(.refused("the proxy refused the tunnel: \(quotation)"))
        }
        // A server says nothing before the client's hello, so more bytes are somebody else's.
        guard end == answer.count else {
            return settle(.refused("the proxy sent bytes into the tunnel"))
        }
        return settle(.open)
    }

    private mutating func settle(_ step: Step) -> Step {
        state = .settled
        return step
    }

    /// The first line, printable only: it ends in a log.
    private var quotation: String {
        let line = answer.prefix { $0 != 0x0D && $0 != 0x0A }.prefix(Limit.quotedBytesMax)
        return String(decoding: line.filter { $0 >= 32 && $0 < 127 }, as: UTF8.self)
    }

    /// Where the head ends, the empty line included; `nil`: not yet.
    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard bytes.count >= mark.count else { return nil }
        return (mark.count...bytes.count).first {
            bytes[($0 - mark.count)..<$0].elementsEqual(mark)
        }
    }

    /// The status of "HTTP/1.1 200 Connection established".
    private static func status(_ bytes: [UInt8]) -> Int? {
        let line = bytes.prefix { $0 != 0x0D }
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count >= 2, words[0].starts(with: "HTTP/1.".utf8), words[1].count == 3 else {
            return nil
        }
        return Int(String(decoding: words[1], as: UTF8.self))
    }
}
