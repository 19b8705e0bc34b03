import PartyStore
import Testing

@Suite("Shares of the shards")
struct ShardSharesTests {
    private static func owners(_ parts: (Int64, Int)...) -> [Int64] {
        parts.flatMap { Array(repeating: $0.0, count: $0.1) }
    }

    @Test("the first node takes all shards")
    func first() {
        let shares = ShardShares(nodes: [1], owners: Self.owners((0, 4096)))
        #expect(shares.toTake(by: 1).count == 4096)
        #expect(shares.toGive(by: 1).isEmpty)
    }

    @Test("a node gives new ones their share, and keeps shard 0")
    func surplus() {
        let shares = ShardShares(nodes: [1, 2, 3], owners: Self.owners((1, 4096)))
        let gifts = shares.toGive(by: 1)
        #expect(gifts[2]?.count == 1365)
        #expect(gifts[3]?.count == 1365)
        #expect(Set(gifts.values.joined()).count == 2730)
        #expect(!gifts.values.joined().contains(0))
        #expect(shares.toTake(by: 2).isEmpty)
    }

    @Test("the shards of a node that is gone are divided, and nobody takes more than a share")
    func gone() {
        let shares = ShardShares(
            nodes: [2, 3], owners: Self.owners((2, 1365), (9, 1366), (3, 1365)))
        #expect(shares.toTake(by: 2).count == 683)
        #expect(shares.toTake(by: 3).count == 683)
        #expect(shares.toTake(by: 2).allSatisfy { (1365..<2731).contains($0) })
    }

    @Test("a node that leaves gives all but shard 0 to those that stay, and gets nothing")
    func leaving() {
        let owners = Self.owners((1, 1366), (2, 1365), (3, 1365))
        let shares = ShardShares(nodes: [2, 3], leaving: [1], owners: owners)
        let gifts = shares.toGive(by: 1)
        #expect(gifts[2]?.count == 683)
        #expect(gifts[3]?.count == 682)
        #expect(Set(gifts.values.joined()) == Set(1..<1366))
        for node in [1, 2, 3] as [Int64] { #expect(shares.toTake(by: node).isEmpty) }
        for node in [2, 3] as [Int64] { #expect(shares.toGive(by: node).isEmpty) }
        // What a node that is gone had is for those that stay.
        let less = ShardShares(nodes: [3], leaving: [1], owners: owners)
        #expect(less.toTake(by: 1).isEmpty)
        #expect(less.toTake(by: 3).count == 1365)
        #expect(ShardShares(nodes: [], leaving: [1, 2, 3], owners: owners).toGive(by: 1).isEmpty)
    }

    @Test("equal shares move nothing", arguments: 1...9)
    func still(nodes: Int) {
        let epochs = (1...nodes).map(Int64.init)
        let owners = (0..<4096).map { epochs[$0 % nodes] }
        let shares = ShardShares(nodes: epochs, owners: owners)
        for epoch in epochs {
            #expect(shares.toGive(by: epoch).isEmpty)
            #expect(shares.toTake(by: epoch).isEmpty)
        }
    }

    @Test("however nodes come and go, all shards are soon divided evenly", arguments: 1...4)
    func settles(seed: UInt64) {
        var random = SeededDice(seed)
        var nodes: [Int64] = [1]
        var owners = [Int64](repeating: 0, count: 4096)
        for step in 2...12 {
            if nodes.count > 1, random.next() % 3 == 0 {
                nodes.remove(at: Int(random.next() % UInt64(nodes.count)))
            } else if nodes.count < 7 {
                nodes.append(Int64(step))
            }
            for _ in 0..<3 { Self.round(nodes, &owners) }
            let counts = nodes.map { node in owners.count { $0 == node } }
            #expect(counts.reduce(0, +) == 4096)
            #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= nodes.count)
        }
    }

    @Test("shards move while a node leaves, lacks its share, or is gone with some")
    func moving() {
        func areMoving(_ nodes: [Int64], _ leaving: [Int64], _ owners: [Int64]) -> Bool {
            ShardShares(nodes: nodes, leaving: leaving, owners: owners).areMoving
        }
        #expect(!areMoving([1], [], [1, 1, 1]))
        #expect(!areMoving([1, 2], [], [1, 2, 1]))
        #expect(areMoving([1, 2], [], [1, 1, 1]))
        #expect(areMoving([1, 2], [3], [1, 2, 1]))
        #expect(areMoving([1, 2], [], [1, 2, 3]))
        #expect(areMoving([1], [], [1, 0, 1]))
    }

    /// Lets each node do once what it should.
    private static func round(_ nodes: [Int64], _ owners: inout [Int64]) {
        for node in nodes {
            for shard in ShardShares(nodes: nodes, owners: owners).toTake(by: node) {
                owners[shard] = node
            }
            for (other, gift) in ShardShares(nodes: nodes, owners: owners).toGive(by: node) {
                for shard in gift { owners[shard] = other }
            }
        }
    }
}

private struct SeededDice {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
