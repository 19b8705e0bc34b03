import Foundation
import GameLogic
import PartyStore
import PushPolicy
import RangersServer
import Testing

/// R2: a stored story is the one that its commands tell.
@Suite("Replay")
struct ReplayTests {
    private let noon = WallTime(milliseconds: 1_800_000_000_000)
    private let id = PartyID("p")

    /// A store with a party that went on an adventure; `spoil` changes its last commit.
    private func withStory(
        _ spoil: (inout PartyCommit) -> Void = { _ in },
        _ body: (any Store) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "replay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLiteStore.open(path: folder.appendingPathComponent("db").path)
        let epoch = try await store.takeOwnership()
        for commit in try await story(in: store, epoch: epoch, spoil) {
            try await store.commit(commit, epoch: epoch)
        }
        try await body(store)
        await store.close()
    }

    private func story(
        in store: any Store, epoch: Epoch, _ spoil: (inout PartyCommit) -> Void
    ) async throws -> [PartyCommit] {
        let player = PlayerID("player")
        let hero = Hero(
            id: HeroID("hero"), owner: player, name: "Power Panda", avatar: "🐼",
            heroType: "Forest Dweller")
        try await store.insert(
            PlayerRecord(id: player, tokenHash: [1], createdAt: noon), epoch: epoch)
        try await store.insert(hero, epoch: epoch)
        var party = Party(id: id)
        var commits: [PartyCommit] = []
        func add(_ events: [PartyEvent], _ command: LoggedCommand?) {
            let record = PartyRecord(
                id: id, version: Int64(commits.count + 1), party: party, outbox: [],
                clock: PartyClock(beganAt: noon, millisecondsPerSecond: 1000),
                inviteCode: "code", createdAt: noon, nextDueAt: nil)
            var commit = PartyCommit(record: record, at: noon)
            commit.events = events
            commit.command = command
            commits.append(commit)
        }
        for command in [Command.join(hero), .start(seed: 7)] {
            add(
                try party.apply(command, at: .zero),
                LoggedCommand(command: command, time: .zero))
        }
        for minute in 1...20 { add(party.advance(to: .minutes(Int64(minute))), nil) }
        spoil(&commits[commits.count - 1])
        return commits
    }

    @Test("R2: a story that was stored step by step is the one that its commands tell")
    func same() async throws {
        try await withStory { store in
            let report = await Replay(store).report(party: nil)
            #expect(report.parties == 1)
            #expect(report.events > 2)
            #expect(report.differences == [])
        }
    }

    @Test("R2: an event that happened twice is found")
    func eventTwice() async throws {
        try await withStory({ commit in
            let next = commit.events.last.map { $0.sequence + 1 } ?? 1000
            commit.events.append(PartyEvent(sequence: next, time: .zero, kind: .stormRaised))
        }) { store in
            let report = await Replay(store).report(party: "p")
            #expect(report.differences.count == 1)
        }
    }

    @Test("R2: a party that was advanced once more than its events say is found")
    func advancedTwice() async throws {
        try await withStory({ commit in
            var record = commit.record
            _ = record.party.advance(to: .minutes(25))
            var spoiled = PartyCommit(record: record, at: commit.at)
            spoiled.events = commit.events
            commit = spoiled
        }) { store in
            let report = await Replay(store).report(party: nil)
            #expect(!report.differences.isEmpty)
        }
    }

    @Test("a party that does not exist is a difference")
    func unknown() async throws {
        try await withStory { store in
            let report = await Replay(store).report(party: "q")
            #expect(report.differences == ["There is no party q."])
        }
    }
}
