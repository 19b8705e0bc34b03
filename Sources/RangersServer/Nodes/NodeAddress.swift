internal import HTTPServer

/// Where the proxy reaches a node: a host, by name or address, and a port. It can stand in nginx's
/// configuration as it is.
struct NodeAddress: Hashable, Sendable {
    /// An address of IPv6 is without brackets.
    private let host: String
    private let port: UInt16

    private static let hostBytesMax = 253
    private static let unspecified = ["0.0.0.0", "::"]

    init?(host: String, port: UInt16) {
        guard port > 0, (1...Self.hostBytesMax).contains(host.utf8.count),
            host.utf8.allSatisfy(Self.isHostByte),
            !host.contains(":") || ClientAddress(host) != nil
        else { return nil }
        self.host = host
        self.port = port
    }

    /// Parses "10.0.0.1:8080", "[fd00::1]:8080" and "server-1.internal:8080".
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        var host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.count > 2
        guard isBracketed == host.contains(":") else { return nil }
        if isBracketed { host = host.dropFirst().dropLast() }
        self.init(host: String(host), port: port)
    }

    /// Whether every machine has it, or it is no address of a machine.
    var isOfEveryMachine: Bool {
        Self.unspecified.contains(host) || PublicURL.isLoopback(description)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-.:_".utf8.contains(byte)
        }
    }
}

extension NodeAddress: CustomStringConvertible {
    /// As nginx writes it: in brackets if it is of IPv6.
    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
