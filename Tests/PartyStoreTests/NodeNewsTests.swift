import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

@Suite("What nodes that share a database leave for each other")
struct NodeNewsTests {
    @Test("each node reads letters to parties of its shards; another after it has taken these")
    func letters() async throws {
        try await NodeStoreTests.withNodes { one, two in
            let (mine, other) = (
                NodeStoreTests.Member.party(NodeStoreTests.lower),
                NodeStoreTests.Member.party(NodeStoreTests.upper)
            )
            try await one.store.commit(mine, epoch: one.epoch)
            try await two.store.commit(other, epoch: two.epoch)
            let letters = [mine, other].map { party in
                PartyLetter(
                    to: party.stored.id, ActivityID("a"), .keepsShare(1), number: 1)
            }
            try await one.store.send(letters, keeping: nil, epoch: one.epoch)
            #expect(try await one.store.letters(of: one.epoch, limit: 9) == [letters[0]])
            #expect(try await two.store.letters(of: two.epoch, limit: 9) == [letters[1]])
            var taking = Fixture.touched(other)
            taking.takenLetters = [letters[1]]
            let late = taking
            try await one.expire(two.epoch)
            #expect(try await one.store.takeShards(one.epoch, late: .areRemoved(asOf: 1)) == 2048)
            await #expect(throws: StoreError.notTheOwner) {
                try await two.store.commit(late, epoch: two.epoch)
            }
            #expect(try await one.store.letters(of: one.epoch, limit: 9) == letters)
            try await one.store.commit(late, epoch: one.epoch)
            #expect(try await one.store.letters(of: one.epoch, limit: 9) == [letters[0]])
        }
    }

    @Test("a batch that looks for letters finds those to parties of its shards")
    func lookedFor() async throws {
        try await NodeStoreTests.withNodes { one, two in
            let (mine, other) = (
                NodeStoreTests.Member.party(NodeStoreTests.lower),
                NodeStoreTests.Member.party(NodeStoreTests.upper)
            )
            try await one.store.commit(mine, epoch: one.epoch)
            try await two.store.commit(other, epoch: two.epoch)
            let letter = PartyLetter(
                to: other.stored.id, ActivityID("a"), .keepsShare(1), number: 1)
            try await one.store.send([letter], keeping: nil, epoch: one.epoch)
            func hasLetters(_ commit: PartyCommit, _ member: NodeStoreTests.Member, looks: Bool)
                async -> Bool
            {
                var batch = Batch()
                batch.add(commit)
                batch.add(
                    outcomes: [], row: commit.stored.key.number - commit.stored.version)
                batch.looksForLetters = looks
                let result = await member.store.write(batch, epoch: member.epoch)
                #expect(result.failure == nil && result.parties.first?.error == nil)
                return result.hasLetters
            }
            #expect(await !hasLetters(Fixture.touched(mine), one, looks: true))
            #expect(await !hasLetters(Fixture.touched(other), two, looks: false))
            let next = Fixture.touched(Fixture.touched(other))
            #expect(await hasLetters(next, two, looks: true))
        }
    }

    @Test(
        "a node reads the newest reports of the others, after those that it knows, and who watches")
    func reports() async throws {
        try await NodeStoreTests.withNodes { one, two in
            let (store, other) = (two.epoch.number, one.epoch.number)
            let watch = NodeWatch(node: other, parts: [.wall, .lists], walls: 3)
            try await one.store.write(.ends, watching: watch, epoch: one.epoch)
            #expect(try await two.store.nodeTable().watchers == [other])
            #expect(
                try await two.store.reports(after: nil, epoch: two.epoch).watches == [watch])
            // A node does not look at itself.
            #expect(try await one.store.reports(after: nil, epoch: one.epoch).watches == [])
            let reports = (1...12).map { number in
                NodeReport(node: store, number: Int64(number), body: [UInt8(number)])
            }
            for report in reports {
                try await two.store.write(.writes(report), watching: nil, epoch: two.epoch)
            }
            try await two.store.write(.goesOn, watching: nil, epoch: two.epoch)
            #expect(
                try await one.store.reports(after: [:], epoch: one.epoch).reports
                    == Array(reports.suffix(Int(NodeReport.keptMax))))
            #expect(
                try await one.store.reports(after: [store: 11, 99: 5], epoch: one.epoch).reports
                    == [reports[11]])
            #expect(try await one.store.reports(after: nil, epoch: one.epoch).reports == [])
            try await two.store.write(.ends, watching: nil, epoch: two.epoch)
            #expect(try await one.store.reports(after: [:], epoch: one.epoch).reports == [])
            try await one.store.write(.ends, watching: nil, epoch: one.epoch)
            #expect(try await two.store.nodeTable().watchers == [])
        }
    }

    @Test("what a node has told goes with it, and a removed one tells nothing more")
    func reportsOfRemoved() async throws {
        try await NodeStoreTests.withNodes { one, two in
            let report = NodeReport(node: two.epoch.number, number: 1, body: [1])
            let watch = NodeWatch(node: two.epoch.number, parts: [], walls: 0)
            try await two.store.write(.writes(report), watching: watch, epoch: two.epoch)
            try await one.expire(two.epoch)
            #expect(try await one.store.takeShards(one.epoch, late: .areRemoved(asOf: 1)) == 2048)
            let found = try await one.store.reports(after: [:], epoch: one.epoch)
            #expect(found == NodeReports(reports: [], watches: []))
            await #expect(throws: StoreError.notTheOwner) {
                try await two.store.write(.writes(report), watching: watch, epoch: two.epoch)
            }
        }
    }

    @Test("news reach all nodes, and outcomes of a node that is gone can be deleted")
    func news() async throws {
        try await NodeStoreTests.withNodes { one, two in
            #expect(try await two.store.nodeTable().news[.names] == nil)
            for number: UInt8 in 1...2 {
                try await one.store.insert(
                    Fixture.record(of: PlayerID("player-\(number)"), hash: number),
                    epoch: one.epoch)
            }
            let block = Block(
                player: Fixture.player, blocked: PlayerID("player-2"), at: Fixture.noon)
            #expect(try await one.store.put(block, epoch: one.epoch) == .written)
            try await one.store.removeBlock(
                of: block.blocked, by: block.player, epoch: one.epoch)
            #expect(try await two.store.nodeTable().news == [.names: 2])
            _ = try await two.store.change(
                .beginErasure(Fixture.player, at: Fixture.noon), keeping: nil, epoch: two.epoch)
            #expect(
                try await one.store.nodeTable().news == [.names: 2, .tokens: 1, .erasures: 1])
            // What changes nothing is no news.
            _ = try await one.store.removeAdminKey(
                named: "nobody", as: MovedGame.call, epoch: one.epoch)
            #expect(try await two.store.nodeTable().news[.masters] == nil)
            var batch = Batch()
            batch.add(outcomes: [], row: one.epoch.number << 32 + 1)
            #expect(await one.store.write(batch, epoch: one.epoch).failure == nil)
            #expect(try await two.store.outcomes().count == 1)
            try await two.store.forgetOutcomes(ofNodes: [one.epoch], epoch: two.epoch)
            #expect(try await two.store.outcomes().isEmpty)
        }
    }
}
