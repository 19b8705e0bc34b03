internal import CMicroHTTPD
internal import Glibc

/// An IPv4 or IPv6 address, without a port. An IPv4 address is the IPv6 address that stands for it
/// (RFC 4291 section 2.5.5.2), so that both forms are equal.
package struct ClientAddress: Hashable, Sendable {
    /// The first 8 bytes and the last 8 bytes.
    let high: UInt64
    let low: UInt64

    package static let loopback = ClientAddress(high: 0, low: mappedPrefix | 0x7f00_0001)

    /// The unspecified address, which no client has.
    package static let unknown = ClientAddress(high: 0, low: 0)

    /// ::ffff:0:0/96, whose last 32 bits are an IPv4 address.
    private static let mappedPrefix: UInt64 = 0xffff_0000_0000
    private static let textBytesMax = 45

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads an address of a socket; `nil` for another family.
    init?(_ socket: UnsafePointer<sockaddr>) {
        let bytes = UnsafeRawPointer(socket)
        switch Int32(socket.pointee.sa_family) {
        case AF_INET:
            // After the family and the port.
            let number = UInt32(
                bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            self.init(high: 0, low: Self.mappedPrefix | UInt64(number))
        case AF_INET6:
            // After the family, the port and the flow.
            self.init(
                high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)))
        default: return nil
        }
    }

    /// Parses "192.0.2.1" or "2001:db8::1", without brackets and zone.
    package init?(_ text: String) {
        var text = text
        let address = text.withUTF8 { ClientAddress(UnsafeRawBufferPointer($0)) }
        guard let address else { return nil }
        self = address
    }

    /// Parses the same in UTF-8, without allocating.
    init?(_ text: UnsafeRawBufferPointer) {
        guard (2...Self.textBytesMax).contains(text.count) else { return nil }
        let family = text.contains(UInt8(ascii: ":")) ? AF_INET6 : AF_INET
        let found = withUnsafeTemporaryAllocation(
            byteCount: Self.textBytesMax + 1, alignment: 1
        ) { copy -> ClientAddress? in
            copy.copyMemory(from: text)
            copy[text.count] = 0
            guard let start = copy.baseAddress?.assumingMemoryBound(to: CChar.self) else {
                return nil
            }
            return Self.parsed(start, family)
        }
        guard let found else { return nil }
        self = found
    }

    private static func parsed(_ text: UnsafePointer<CChar>, _ family: Int32) -> ClientAddress? {
        if family == AF_INET {
            var number: UInt32 = 0
            guard inet_pton(family, text, &number) == 1 else { return nil }
            return ClientAddress(high: 0, low: mappedPrefix | UInt64(UInt32(bigEndian: number)))
        }
        var halves: (UInt64, UInt64) = (0, 0)
        guard inet_pton(family, text, &halves) == 1 else { return nil }
        return ClientAddress(high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1))
    }

    /// The address as it is written: "192.0.2.1" or "2001:db8::1"; `nil`: none is known.
    package var text: String? {
        guard self != .unknown else { return nil }
        var bytes: (UInt64, UInt64) = (high.bigEndian, low.bigEndian)
        var number = UInt32(truncatingIfNeeded: low).bigEndian
        var text = [CChar](repeating: 0, count: Self.textBytesMax + 1)
        let size = socklen_t(text.count)
        let written =
            isIPv4
            ? inet_ntop(AF_INET, &number, &text, size)
            : inet_ntop(AF_INET6, &bytes, &text, size)
        guard written != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    package var isLoopback: Bool {
        isIPv4 ? low & 0xff00_0000 == 0x7f00_0000 : high == 0 && low == 1
    }

    var isIPv4: Bool { high == 0 && low >> 32 == Self.mappedPrefix >> 32 }
}

/// The addresses of a network, "10.0.0.0/8", or a single one.
package struct AddressRange: Hashable, Sendable {
    private let first: ClientAddress
    private let highMask: UInt64
    private let lowMask: UInt64

    package static let loopback = [AddressRange("127.0.0.0/8"), AddressRange("::1")]
        .compactMap(\.self)

    /// Parses an address, or an address with the length of its prefix in bits.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = ClientAddress(String(parts[0])) else { return nil }
        let offset = address.isIPv4 ? 96 : 0
        var bits = 128
        if parts.count == 2 {
            guard let length = Int(parts[1]), (0...(128 - offset)).contains(length) else {
                return nil
            }
            bits = offset + length
        }
        highMask = Self.mask(bits)
        lowMask = Self.mask(bits - 64)
        first = ClientAddress(high: address.high & highMask, low: address.low & lowMask)
    }

    /// Returns a mask of this many leading bits, at most 64.
    private static func mask(_ bits: Int) -> UInt64 {
        bits <= 0 ? 0 : .max << UInt64(64 - min(bits, 64))
    }

    package func contains(_ address: ClientAddress) -> Bool {
        address.high & highMask == first.high && address.low & lowMask == first.low
    }

    /// Whether it is wider than what one operator has: /8, or /32 of IPv6. A network of IPv6 with
    /// IPv4 addresses in it is wide too.
    package var isWide: Bool {
        let bits = (~highMask).leadingZeroBitCount + (~lowMask).leadingZeroBitCount
        return first.isIPv4 ? bits < 96 + 8 : bits < 32 || contains(.loopback)
    }

    /// Whether some address is in both.
    package func overlaps(_ other: AddressRange) -> Bool {
        contains(other.first) || other.contains(first)
    }
}
