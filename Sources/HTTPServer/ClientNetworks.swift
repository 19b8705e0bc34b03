/// The networks of a client.
///
/// One client is an IPv4 address, or the /64 of an IPv6 address, for everybody with one has 2^64
/// addresses. Whoever rents a server often has a /56 or a /48, which is 256 or 65,536 such clients,
/// so what counts clients counts their wider networks too.
extension ClientAddress {
    /// A network that holds many clients.
    package enum WiderNetwork: Hashable, CaseIterable, Sendable {
        case ipv6Of56, ipv6Of48, ipv4Of24
    }

    /// What counts as one client.
    package var network: ClientAddress {
        isIPv4 ? self : ClientAddress(high: high, low: 0)
    }

    /// Returns the client's network of this kind; `nil` for an address of the other family.
    package func network(_ wider: WiderNetwork) -> ClientAddress? {
        switch wider {
        case .ipv6Of56: isIPv4 ? nil : ClientAddress(high: high & ~0xff, low: 0)
        case .ipv6Of48: isIPv4 ? nil : ClientAddress(high: high & ~0xffff, low: 0)
        case .ipv4Of24: isIPv4 ? ClientAddress(high: 0, low: low & ~0xff) : nil
        }
    }

    /// The widest network of the client.
    package var widestNetwork: ClientAddress { networks[0] }

    /// All networks of the client, the widest first.
    var networks: [ClientAddress] {
        [network(.ipv6Of48), network(.ipv6Of56), network(.ipv4Of24), network].compactMap(\.self)
    }
}
