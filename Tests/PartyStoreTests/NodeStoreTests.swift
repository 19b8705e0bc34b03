import GameLogic
import Isolation
import PushPolicy
import Testing

@testable import PartyStore

@Suite("Nodes that share a database")
struct NodeStoreTests {
    /// Runs `body` with two nodes over one database; the first has half of the shards.
    static func withNodes(
        _ body: (_ one: Member, _ two: Member) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let one = try await Member(folder, "one")
        let two = try await Member(folder, "two")
        try await one.store.give(Array(2048..<4096), of: one.epoch, to: two.epoch)
        try await body(one, two)
        await one.store.close()
        await two.store.close()
    }

    struct Member {
        let store: PostgreSQLStore
        let epoch: Epoch

        init(_ folder: TemporaryFolder, _ name: String) async throws {
            store = try await PostgreSQLStore.open(folder.schema())
            epoch = try await store.join(NodePlace(name: name, address: "127.0.0.1:\(name)"))
        }

        /// A party whose shard is in the lower half, which the first node has, or in the upper one.
        static func party(_ half: Range<Int>) -> PartyCommit {
            let id = (0...).lazy.map { "p\($0)" }
                .first { half.contains(PartyShard.number(of: PartyID($0))) }
            return Fixture.newParty(id ?? "")
        }

        /// Ends the lease of a node, as time would.
        func expire(_ other: Epoch) async throws {
            _ = try await store.writer.submit { session in
                Int64(
                    try session.run(
                        "UPDATE node SET until = 0 WHERE epoch = ?1", [.integer(other.number)]))
            }
        }
    }

    static let lower = 0..<2048
    static let upper = 2048..<4096

    @Test("the first node has all shards; the next one none until it is given some")
    func join() async throws {
        let folder = try TemporaryFolder()
        let one = try await Member(folder, "one")
        let two = try await Member(folder, "two")
        let table = try await two.store.nodeTable()
        #expect(table.nodes.map(\.place.name) == ["one", "two"])
        #expect(table.owners == Array(repeating: one.epoch.number, count: PartyShard.count))
        #expect(two.epoch > one.epoch)
        await one.store.close()
        await two.store.close()
    }

    @Test("PR2: a node changes parties of its own shards only")
    func fence() async throws {
        try await Self.withNodes { one, two in
            let (mine, other) = (Member.party(Self.lower), Member.party(Self.upper))
            try await one.store.commit(mine, epoch: one.epoch)
            await #expect(throws: StoreError.elsewhere(other.stored.id)) {
                try await one.store.commit(other, epoch: one.epoch)
            }
            try await two.store.commit(other, epoch: two.epoch)
            await #expect(throws: StoreError.elsewhere(mine.stored.id)) {
                try await two.store.commit(Fixture.touched(mine), epoch: two.epoch)
            }
            #expect(try await one.store.party(mine.stored.id)?.version == 1)
        }
    }

    @Test("in one batch, parties of other nodes are refused and its own written")
    func batch() async throws {
        try await Self.withNodes { one, two in
            let (mine, other) = (Member.party(Self.lower), Member.party(Self.upper))
            var batch = Batch()
            batch.add(mine)
            batch.add(other)
            let result = await one.store.write(batch, epoch: one.epoch)
            #expect(result.parties[0].error == nil)
            #expect(result.parties[1].error == .elsewhere(other.stored.id))
            #expect(result.failure == nil)
        }
    }

    @Test("PR2: a node that was removed writes nothing, and renews nothing")
    func removed() async throws {
        try await Self.withNodes { one, two in
            let party = Member.party(Self.lower)
            try await one.store.commit(party, epoch: one.epoch)
            try await two.expire(one.epoch)
            #expect(try await two.store.takeShards(two.epoch, late: .areRemoved(asOf: 1)) == 2048)
            await #expect(throws: StoreError.notTheOwner) {
                try await one.store.commit(Fixture.touched(party), epoch: one.epoch)
            }
            await #expect(throws: StoreError.notTheOwner) {
                try await one.store.insert(Fixture.hero(9), epoch: one.epoch)
            }
            await #expect(throws: StoreError.notTheOwner) {
                _ = try await one.store.renew(one.epoch)
            }
            try await two.store.commit(Fixture.touched(party), epoch: two.epoch)
        }
    }

    @Test("a node whose lease has ended keeps it until another removes it")
    func late() async throws {
        try await Self.withNodes { one, two in
            try await two.expire(one.epoch)
            #expect(try await two.store.takeShards(two.epoch, late: .stay) == 0)
            let clock = try await one.store.renew(one.epoch)
            let until = try await two.store.nodeTable().nodes.first?.until
            #expect(until.map { $0 > clock } == true)
            #expect(try await two.store.takeShards(two.epoch, late: .areRemoved(asOf: 1)) == 0)
        }
    }

    @Test("a lease must have ended both when it was judged and now")
    func judged() async throws {
        try await Self.withNodes { one, two in
            try await one.expire(two.epoch)
            // It had not: the clock was set forward meanwhile.
            #expect(try await one.store.takeShards(one.epoch, late: .areRemoved(asOf: 0)) == 0)
            let clock = try await two.store.renew(two.epoch)
            // It had: the clock was set back meanwhile.
            let later = LateNodes.areRemoved(asOf: clock + 86_400_000)
            #expect(try await one.store.takeShards(one.epoch, late: later) == 0)
            try await one.expire(two.epoch)
            #expect(try await one.store.takeShards(one.epoch, late: later) == 2048)
        }
    }

    @Test("a node that removes others is not removed with them, and has renewed its lease by that")
    func slow() async throws {
        try await Self.withNodes { one, two in
            try await one.expire(one.epoch)
            try await one.expire(two.epoch)
            #expect(try await one.store.takeShards(one.epoch, late: .areRemoved(asOf: 1)) == 2048)
            let clock = try await one.store.renew(one.epoch)
            try await one.expire(one.epoch)
            try await one.store.give([0], of: one.epoch, to: two.epoch)
            let table = try await one.store.nodeTable()
            #expect(table.nodes.map(\.epoch) == [one.epoch])
            #expect(table.nodes.first.map { $0.until > clock } == true)
            await #expect(throws: StoreError.notTheOwner) {
                try await two.store.takeShards(two.epoch, late: .stay)
            }
        }
    }

    @Test("a node that leaves hands its shards back, and one at the same address takes them")
    func leave() async throws {
        let folder = try TemporaryFolder()
        let one = try await Member(folder, "one")
        let two = try await Member(folder, "two")
        try await one.store.leave(one.epoch)
        let nobodys = [Int64](repeating: 0, count: PartyShard.count)
        #expect(try await two.store.nodeTable().owners == nobodys)
        #expect(try await two.store.takeShards(two.epoch, late: .stay) == 4096)
        // Killed and started again: the new one is at the address of the old one.
        let again = try await two.store.join(NodePlace(name: "two", address: "127.0.0.1:two"))
        let table = try await two.store.nodeTable()
        #expect(table.nodes.map(\.epoch) == [again])
        #expect(table.owners == Array(repeating: again.number, count: PartyShard.count))
        await one.store.close()
        await two.store.close()
    }

    @Test("shards are given by their owner only, and to nobody who is gone")
    func give() async throws {
        try await Self.withNodes { one, two in
            try await one.store.give([5, 3000], of: one.epoch, to: two.epoch)
            let owners = try await one.store.nodeTable().owners
            #expect(owners[5] == two.epoch.number)
            #expect(owners[3000] == two.epoch.number)
            // One that is slow does not know what it has given.
            try await one.store.give([5, 6], of: one.epoch, to: Epoch(number: 999))
            let later = try await one.store.nodeTable().owners
            #expect(later[5] == two.epoch.number)
            #expect(later[6] == 0)
        }
    }

    @Test("a server that others cannot reach does not join them")
    func unreachable() async throws {
        let folder = try TemporaryFolder()
        let one = try await Member(folder, "one")
        let store = try await PostgreSQLStore.open(folder.schema())
        await #expect(throws: StoreError.self) {
            _ = try await store.join(NodePlace(name: "alone", address: ""))
        }
        try await one.store.leave(one.epoch)
        let alone = try await store.join(NodePlace(name: "alone", address: ""))
        await #expect(throws: StoreError.self) {
            _ = try await one.store.join(NodePlace(name: "one", address: "127.0.0.1:1"))
        }
        #expect(try await one.store.nodeTable().nodes.map(\.epoch) == [alone])
        await one.store.close()
        await store.close()
    }

    @Test("leases renewed before the database's clock was set back last no longer than others")
    func shortened() async throws {
        try await Self.withNodes { one, two in
            func leases(_ change: StaticString) async throws -> [Int64] {
                _ = try await one.store.writer.submit { Int64(try $0.run(change)) }
                let clock = try await two.store.renew(two.epoch)
                try await one.store.shortenLeases()
                return try await one.store.nodeTable().nodes.map { $0.until - clock }
            }
            let lease = ServerNode.leaseMilliseconds
            let before = try await one.store.nodeTable().nodes[0].until
            #expect(try await leases("UPDATE node SET epoch = epoch").count == 2)
            #expect(try await one.store.nodeTable().nodes[0].until == before)
            let shortened = try await leases(
                "UPDATE node SET until = until + 86400000 WHERE name = 'one'")
            try #require(shortened.count == 2)
            #expect(lease...lease + 60_000 ~= shortened[0])
            #expect(shortened[1] == lease)
        }
    }

    @Test("awake parties are found by their shards")
    func awake() async throws {
        try await Self.withNodes { one, two in
            var awake: Set<PartyID> = []
            for number in 0..<40 {
                let new = Fixture.newParty("p\(number)")
                let party = PartyCommit(
                    stored: new.stored, isAwake: number % 4 != 0, at: new.at)
                let isLower = Self.lower.contains(PartyShard.number(of: party.stored.id))
                let member = isLower ? one : two
                try await member.store.commit(party, epoch: member.epoch)
                if party.isAwake { awake.insert(party.stored.id) }
            }
            #expect(awake.count == 30)
            for half in [Self.lower, Self.upper] {
                var found: [PartyID] = []
                var after: PartyKey?
                repeat {
                    let page = try await one.store.awakeParties(
                        of: Array(half), after: after, limit: 3)
                    found += page.parties.map(\.id)
                    after = page.next
                } while after != nil
                #expect(
                    Set(found) == awake.filter { half.contains(PartyShard.number(of: $0)) })
                #expect(found.count == Set(found).count)
            }
        }
    }

    @Test("awake parties have their own activities; a damaged one spoils only its party")
    func awakeActivities() async throws {
        try await Self.withNodes { one, _ in
            try await one.store.insert(Fixture.record(), epoch: one.epoch)
            let half = Self.lower
            let names = Array(
                (0...).lazy.map { "p\($0)" }
                    .filter { half.contains(PartyShard.number(of: PartyID($0))) }.prefix(3))
            for (offset, name) in names.enumerated() {
                let new = Fixture.newParty(name, .awake)
                try await one.store.commit(new, epoch: one.epoch)
                let activities = (0..<offset).map { number in
                    Fixture.activity(
                        "\(name)-\(number)", party: name, token: "0\(offset)0\(number)")
                }
                try await one.store.commit(
                    Fixture.touched(new, activities: activities), epoch: one.epoch)
            }
            func page() async throws -> AwakePage {
                try await one.store.awakeParties(of: Array(half), after: nil, limit: 10)
            }
            for party in try await page().parties {
                let kept = try await one.store.party(party.id)
                #expect(party == kept)
            }
            #expect(Set(try await page().parties.map(\.activities.count)) == [0, 1, 2])
            _ = try await one.store.writer.submit { session in
                Int64(
                    try session.run(
                        "UPDATE activities SET crc = crc + 1 WHERE id = ?1",
                        [.text("\(names[2])-1")]))
            }
            #expect(try await page().damaged == [PartyID(names[2])])
            #expect(try await page().parties.count == 2)
        }
    }

    @Test("200 nodes that ask at once share the shards of one that is gone, each shard once")
    func together() async throws {
        let folder = try TemporaryFolder()
        let one = try await Member(folder, "one")
        var epochs: [Epoch] = []
        for number in 0..<4 {
            epochs.append(
                try await one.store.join(NodePlace(name: "n\(number)", address: "n:\(number)")))
        }
        try await one.store.leave(one.epoch)
        let taken = try await withThrowingTaskGroup(of: Int.self) { group in
            for ask in 0..<200 {
                let epoch = epochs[ask % epochs.count]
                group.addTask { try await one.store.takeShards(epoch, late: .stay) }
            }
            return try await group.reduce(0, +)
        }
        #expect(taken == 4096)
        let owners = try await one.store.nodeTable().owners
        for epoch in epochs { #expect(owners.count { $0 == epoch.number } == 1024) }
        await one.store.close()
    }
}
