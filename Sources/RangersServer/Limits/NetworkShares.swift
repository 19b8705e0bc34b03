internal import HTTPServer

/// How many times as much a wider network has as one client.
package struct NetworkFactors: Hashable, Sendable {
    package static let allowed: ClosedRange<Int64> = 1...65_536

    package var ipv6Of56 = 4
    package var ipv6Of48 = 16
    package var ipv4Of24 = 16

    package init() {}
}

/// The token buckets of clients and of their networks.
///
/// A client takes a token from the bucket of its own and from that of each of its wider networks, or
/// from none if one of them is empty. So whoever has many addresses has a share, however many.
///
/// A value; time is a parameter, as for `TokenBuckets`.
struct NetworkShares: Sendable {
    /// The buckets from which a client takes.
    struct Client: Hashable, Sendable {
        /// A hash with the process's random seed, so that nobody can choose equal ones.
        let own: UInt64
        /// Of an address only.
        private(set) var ipv6Of56: UInt64?
        private(set) var ipv6Of48: UInt64?
        private(set) var ipv4Of24: UInt64?

        /// All clients together.
        static let everybody = Client(own: 1)

        private init(own: UInt64) { self.own = own }

        init(_ value: some Hashable) { self.init(own: Self.hash(value)) }

        init(networksOf address: ClientAddress) {
            self.init(own: Self.hash(address.network))
            ipv6Of56 = address.network(.ipv6Of56).map(Self.hash)
            ipv6Of48 = address.network(.ipv6Of48).map(Self.hash)
            ipv4Of24 = address.network(.ipv4Of24).map(Self.hash)
        }

        private static func hash(_ value: some Hashable) -> UInt64 {
            UInt64(truncatingIfNeeded: value.hashValue)
        }
    }

    private var own: TokenBuckets
    private var ipv6Of56: TokenBuckets
    private var ipv6Of48: TokenBuckets
    private var ipv4Of24: TokenBuckets

    /// Creates full buckets, each kind for at most so many at a time that are not at rest. `least` is
    /// what a client has of a node, however many nodes share the rate; `nil`: they do not share it.
    init(
        _ rate: Rate, least: Rate? = nil, factors: NetworkFactors = NetworkFactors(),
        clientsMax: Int
    ) {
        func buckets(_ factor: Int) -> TokenBuckets {
            TokenBuckets(
                rate.times(factor), least: least?.times(factor), clientsMax: clientsMax)
        }
        own = buckets(1)
        ipv6Of56 = buckets(factors.ipv6Of56)
        ipv6Of48 = buckets(factors.ipv6Of48)
        ipv4Of24 = buckets(factors.ipv4Of24)
    }

    /// Leaves this node its part of the rate from now on.
    mutating func share(among nodes: Int, at now: Int64) {
        own.share(among: nodes, at: now)
        ipv6Of56.share(among: nodes, at: now)
        ipv6Of48.share(among: nodes, at: now)
        ipv4Of24.share(among: nodes, at: now)
    }

    /// Takes one token of the client. Returns nil if it had one; otherwise how long it must wait for
    /// the next, in microseconds.
    mutating func take(_ client: Client, at now: Int64) -> Int64? {
        var wait = own.wait(of: client.own, at: now)
        if let key = client.ipv6Of56 { wait = max(wait, ipv6Of56.wait(of: key, at: now)) }
        if let key = client.ipv6Of48 { wait = max(wait, ipv6Of48.wait(of: key, at: now)) }
        if let key = client.ipv4Of24 { wait = max(wait, ipv4Of24.wait(of: key, at: now)) }
        guard wait == 0 else { return wait }
        _ = own.take(client.own, at: now)
        if let key = client.ipv6Of56 { _ = ipv6Of56.take(key, at: now) }
        if let key = client.ipv6Of48 { _ = ipv6Of48.take(key, at: now) }
        if let key = client.ipv4Of24 { _ = ipv4Of24.take(key, at: now) }
        return nil
    }

    /// Returns a token that was taken for something that did not count.
    mutating func giveBack(to client: Client) {
        own.giveBack(to: client.own)
        if let key = client.ipv6Of56 { ipv6Of56.giveBack(to: key) }
        if let key = client.ipv6Of48 { ipv6Of48.giveBack(to: key) }
        if let key = client.ipv4Of24 { ipv4Of24.giveBack(to: key) }
    }
}
