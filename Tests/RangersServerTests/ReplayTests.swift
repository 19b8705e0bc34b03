import Content
import Foundation
import GameLogic
import PartyStore
import PushPolicy
import RangersServer
import Testing

/// PR2: a stored story is the one that its commands tell.
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
            try await write(commit, to: store, epoch)
        }
        try await body(store)
        await store.close()
    }

    private func write(
        _ commit: PartyCommit, to store: any Store, _ epoch: Epoch
    ) async throws {
        var batch = Batch()
        batch.add(commit)
        let full = batch
        let result = await withCheckedContinuation { continuation in
            store.write(full, epoch: epoch) { continuation.resume(returning: $0) }
        }
        try #require(result.failure == nil)
    }

    private func story(
        in store: any Store, epoch: Epoch, _ spoil: (inout PartyCommit) -> Void
    ) async throws -> [PartyCommit] {
        let player = PlayerID("player")
        let hero = Hero(
            id: HeroID("hero"), owner: player, name: "Power Panda", avatar: "🐼",
            heroType: "Forest Dweller")
        try await store.insert(
            DeviceRecord(
                key: DeviceRecord.Key(player: player, device: .unnamed), tokenHash: [1],
                createdAt: noon), epoch: epoch)
        try await store.insert(hero, amongAtMost: 1, keeping: nil, epoch: epoch)
        var party = Party(id: id)
        var commits: [PartyCommit] = []
        func add(_ events: [PartyEvent], _ command: LoggedCommand?) {
            let stored = StoredParty(
                key: PartyKey(number: 1), version: Int64(commits.count + 1), party: party,
                clock: PartyClock(beganAt: noon, millisecondsPerSecond: 1000), activities: [],
                inviteCode: "code", createdAt: noon)
            var commit = PartyCommit(stored: stored, isAwake: true, at: noon)
            commit.events = events
            commit.command = command
            commits.append(commit)
        }
        for command in [Command.join(hero), .start(seed: 7, EmbeddedPacks.classic)] {
            add(
                try party.apply(command, at: .zero),
                LoggedCommand(command: command, time: .zero))
        }
        for minute in 1...20 { add(party.advance(to: .minutes(Int64(minute))), nil) }
        spoil(&commits[commits.count - 1])
        return commits
    }

    @Test("PR2: an adventure stored step by step equals its replay")
    func same() async throws {
        try await withStory { store in
            let report = await Replay(store).report(party: nil)
            #expect(report.parties == 1)
            #expect(report.events > 2)
            #expect(report.differences == [])
        }
    }

    @Test("PR2: an event that happened twice is found")
    func eventTwice() async throws {
        try await withStory({ commit in
            let next = commit.events.last.map { $0.sequence + 1 } ?? 1000
            commit.events.append(PartyEvent(sequence: next, time: .zero, kind: .stormRaised))
        }) { store in
            let report = await Replay(store).report(party: "p")
            #expect(report.differences.count == 1)
        }
    }

    @Test("PR2: a party that was advanced further than its events is found")
    func advancedTwice() async throws {
        try await withStory({ commit in
            var stored = commit.stored
            _ = stored.party.advance(to: .minutes(25))
            var spoiled = PartyCommit(stored: stored, isAwake: true, at: commit.at)
            spoiled.events = commit.events
            commit = spoiled
        }) { store in
            let report = await Replay(store).report(party: nil)
            #expect(!report.differences.isEmpty)
        }
    }

    @Test(
        "PR2: a stored hero that differs from the replayed one is found, even if the events agree")
    func otherState() async throws {
        try await withStory({ commit in
            let party = commit.stored.party
            let members = party.members.compactMap { member in
                Member(
                    hero: member.hero, health: member.health, potions: member.potions + 1,
                    condition: member.condition, restRemainder: member.restRemainder,
                    outing: member.outing)
            }
            let spoiled = Party(
                id: party.id, members: members, adventure: party.adventure,
                lastEvent: party.lastEvent, nextSequence: party.nextSequence)
            var stored = commit.stored
            stored.party = spoiled ?? party
            var other = PartyCommit(stored: stored, isAwake: true, at: commit.at)
            other.events = commit.events
            commit = other
        }) { store in
            let report = await Replay(store).report(party: "p")
            #expect(
                report.differences == [
                    "party p: the stored state differs from the replayed one in: members"
                ])
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
