/// Who has the places of a server that has a limited number of them, such as those of streams.
///
/// While there are free ones, whoever comes gets one. When all are taken, networks take turns: a
/// client gets a place of the network that has most. A network that would then have as many itself
/// takes none of others, so its clients take turns among themselves. So it is with the widest
/// networks, with those within one of them, and so on, and of the narrowest one the newest place goes.
/// However many places some networks have taken, a client of another one gets a place, and whom nobody
/// crowds out keeps theirs.
///
/// A value: its caller ends what had the place.
package struct NetworkPlaces<Holder: Hashable & Sendable>: Sendable {
    /// The result of asking for a place.
    package enum Answer: Hashable, Sendable {
        case free
        /// The place of this holder, who has none from now on.
        case insteadOf(Holder)
        /// All places are taken, and no network has too many.
        case none
    }

    /// A network, or all of them.
    private struct Network: Sendable {
        var count = 0
        /// Those within this one; empty in the narrowest.
        var inner: [ClientAddress: Network] = [:]
        /// Those of the narrowest network, with the order in which they came.
        var holders: [Holder: Int] = [:]
    }

    package let limit: Int
    /// The address of each holder; `nil`: a trusted client, which takes no turns.
    private var addresses: [Holder: ClientAddress?] = [:]
    private var root = Network()
    private var order = 0

    /// Creates this many free places.
    package init(limit: Int) { self.limit = limit }

    /// How many places are taken.
    package var count: Int { addresses.count }

    /// Takes a place for a holder who has none. Without an address, the holder gets a free place
    /// only, and keeps it whoever comes.
    package mutating func take(_ holder: Holder, from address: ClientAddress?) -> Answer {
        precondition(addresses[holder] == nil, "\(holder) has a place")
        guard limit > 0 else { return .none }
        var answer = Answer.free
        if addresses.count >= limit {
            guard let address, let victim = Self.victim(for: address.networks[...], in: root)
            else { return .none }
            release(victim)
            answer = .insteadOf(victim)
        }
        addresses[holder] = .some(address)
        guard let address else { return answer }
        order += 1
        Self.add(holder, order, on: address.networks[...], to: &root)
        return answer
    }

    /// Frees the holder's place. Again changes nothing.
    package mutating func release(_ holder: Holder) {
        guard let known = addresses.removeValue(forKey: holder), let address = known else { return }
        Self.remove(holder, on: address.networks[...], from: &root)
    }

    private static func add(
        _ holder: Holder, _ order: Int, on path: ArraySlice<ClientAddress>,
        to network: inout Network
    ) {
        network.count += 1
        guard let next = path.first else {
            network.holders[holder] = order
            return
        }
        add(holder, order, on: path.dropFirst(), to: &network.inner[next, default: Network()])
    }

    private static func remove(
        _ holder: Holder, on path: ArraySlice<ClientAddress>, from network: inout Network
    ) {
        network.count -= 1
        guard let next = path.first else {
            network.holders[holder] = nil
            return
        }
        remove(holder, on: path.dropFirst(), from: &network.inner[next, default: Network()])
        if network.inner[next]?.count == 0 { network.inner[next] = nil }
    }

    // MARK: Turns

    /// Returns who loses a place to a client with these networks, if anybody does.
    private static func victim(
        for path: ArraySlice<ClientAddress>, in network: Network
    ) -> Holder? {
        guard let own = path.first, let fullest = fullest(in: network) else { return nil }
        let known = network.inner[own]
        guard (known?.count ?? 0) + 1 < fullest.count else {
            return known.flatMap { victim(for: path.dropFirst(), in: $0) }
        }
        return newest(in: fullest)
    }

    private static func newest(in network: Network) -> Holder? {
        if let fullest = fullest(in: network) { return newest(in: fullest) }
        return network.holders.max { $0.value < $1.value }?.key
    }

    private static func fullest(in network: Network) -> Network? {
        network.inner.values.max { $0.count < $1.count }
    }
}
