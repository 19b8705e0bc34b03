internal import HTTPServer

/// Where a node's listener is: a host, by name or address, and a port.
package struct NodeAddress: Hashable, Sendable {
    /// An address of IPv6 is without brackets.
    package let host: String
    package let port: UInt16

    private static let hostBytesMax = 253

    package init?(host: String, port: UInt16) {
        guard port > 0, (1...Self.hostBytesMax).contains(host.utf8.count),
            host.utf8.allSatisfy(Self.isHostByte),
            !host.contains(":") || ClientAddress(host) != nil
        else { return nil }
        self.host = host
        self.port = port
    }

    /// Parses "127.0.0.1:9001", "[::1]:9001" and "node-1.internal:9001".
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        var host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.count > 2
        guard isBracketed == host.contains(":") else { return nil }
        if isBracketed { host = host.dropFirst().dropLast() }
        self.init(host: String(host), port: port)
    }

    /// Whether nothing that is sent there leaves the machine.
    package var isLoopback: Bool { Self.isLoopback(host) }

    static func isLoopback(_ host: String) -> Bool {
        ClientAddress(host)?.isLoopback ?? (host.lowercased() == "localhost")
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
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
