/// Who has which shards, and who should: each node about as many as any other.
package struct ShardShares: Hashable, Sendable {
    /// The epochs of the living nodes that stay.
    private let nodes: [Int64]
    /// The epochs of those that give all they have, and take nothing.
    private let leaving: [Int64]
    /// The epoch of each shard's owner; that of no living node: nobody has it.
    private let owners: [Int64]

    package init(nodes: [Int64], leaving: [Int64] = [], owners: [Int64]) {
        self.nodes = nodes
        self.leaving = leaving
        self.owners = owners
    }

    package init(_ table: NodeTable) {
        func epochs(leaving: Bool) -> [Int64] {
            table.nodes.filter { $0.isLeaving == leaving }.map(\.epoch.number)
        }
        self.init(
            nodes: epochs(leaving: false), leaving: epochs(leaving: true), owners: table.owners)
    }

    /// The most shards that a node takes.
    private var mostEach: Int { (owners.count + nodes.count - 1) / max(1, nodes.count) }
    /// The number below which a node gets shards of others.
    private var leastEach: Int { owners.count / max(1, nodes.count) }

    /// Returns the shards of a node, in order.
    package func shards(of node: Int64) -> [Int] {
        owners.indices.filter { owners[$0] == node }
    }

    /// Whether shards are about to move: a node leaves, has too few, or has gone with some.
    package var areMoving: Bool {
        guard leaving.isEmpty else { return true }
        var counts: [Int64: Int] = [:]
        for owner in owners { counts[owner, default: 0] += 1 }
        let isShared = nodes.reduce(0) { $0 + counts[$1, default: 0] } == owners.count
        return !isShared || nodes.contains { counts[$0, default: 0] < leastEach }
    }

    /// Returns the shards that nobody has and that this node should take.
    package func toTake(by node: Int64) -> [Int] {
        guard nodes.contains(node) else { return [] }
        let living = Set(nodes + leaving)
        let room = mostEach - shards(of: node).count
        guard room > 0 else { return [] }
        return Array(owners.indices.lazy.filter { !living.contains(owners[$0]) }.prefix(room))
    }

    /// Returns the shards that this node has too many, by the nodes that have too few. Shard 0
    /// stays where it is while its owner lives: that node does what belongs to no party.
    package func toGive(by node: Int64) -> [Int64: [Int]] {
        let isLeaving = leaving.contains(node)
        var surplus = shards(of: node)[...]
        if isLeaving {
            surplus.removeAll { $0 == 0 }
        } else {
            surplus = surplus.dropFirst(mostEach)
        }
        var gifts: [Int64: [Int]] = [:]
        for other in nodes where other != node {
            let lacking = (isLeaving ? mostEach : leastEach) - shards(of: other).count
            guard lacking > 0, !surplus.isEmpty else { continue }
            gifts[other] = Array(surplus.suffix(lacking))
            surplus = surplus.dropLast(lacking)
        }
        return gifts
    }
}
