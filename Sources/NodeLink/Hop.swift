/// How a request came to a node.
package struct Hop: Hashable, Sendable {
    /// The listener that a client's request came in by, at the first node.
    package enum Entrance: String, Hashable, Sendable {
        case players
        case gameMasters = "game-masters"
        /// None: a node itself sent it.
        case nodes
    }

    /// How many nodes may forward a request, one to the next: an owner may change twice on the way.
    package static let countMax = 3

    /// How many nodes have forwarded it.
    package let count: Int
    package let entrance: Entrance

    /// The hop of a request that a client sent to this node, or that this node sends of its own.
    package init(at entrance: Entrance) { self.init(count: 0, entrance) }

    private init(count: Int, _ entrance: Entrance) {
        self.count = count
        self.entrance = entrance
    }

    /// Whether another node has sent it, which has counted what its client may do how often.
    package var isForwarded: Bool { count > 0 }

    /// The hop at the next node; `nil`: the request was forwarded often enough.
    var next: Hop? { count < Self.countMax ? Hop(count: count + 1, entrance) : nil }

    /// "1 players"
    var text: String { "\(count) \(entrance.rawValue)" }

    /// Parses the hop of a forwarded request.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), (1...Self.countMax).contains(count),
            let entrance = Entrance(rawValue: String(parts[1]))
        else { return nil }
        self.init(count: count, entrance)
    }
}
