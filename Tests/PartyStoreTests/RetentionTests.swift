import Content
import GameLogic
import Isolation
import PushPolicy
import Testing

@testable import PartyStore

@Suite("Retention")
struct RetentionTests {
    private let owned: OwnedStore
    private var store: SQLiteStore { owned.store }
    private var epoch: Epoch { owned.epoch }
    private var events: Locked<[StoreEvent]> { owned.events }
    private let party = PartyID("p")

    init() async throws { owned = try await OwnedStore() }

    private func time(_ seconds: Int64) -> WallTime { Fixture.noon.adding(seconds: seconds) }

    /// A party on an adventure, told on for `minutes`, a minute a commit; returns all commits.
    private func adventure(_ name: String = "p", minutes: Int64 = 20) async throws -> [PartyCommit]
    {
        let created = Fixture.newParty(name)
        var commits = [created]
        commits.append(try Fixture.next(created, .join(Fixture.hero(1)), when: time(0)))
        commits[1].joined = []
        commits.append(
            try Fixture.next(commits[1], .start(seed: 7, EmbeddedPacks.classic), when: time(0)))
        for minute in 1...minutes {
            commits.append(
                Fixture.advanced(
                    commits[commits.count - 1], to: .minutes(minute),
                    when: time(minute * 60)))
        }
        for commit in commits { try await store.commit(commit, epoch: epoch) }
        return commits
    }

    /// Plays the history again, and compares.
    private func expectProof(_ id: PartyID) async throws {
        let history = try #require(try await store.history(of: id))
        var party = history.start ?? Party(id: id)
        var events: [PartyEvent] = []
        for command in history.commands {
            events += try party.apply(command.command, at: command.time)
        }
        events += party.advance(to: history.stored.party.adventure?.advancedTo ?? .zero)
        #expect(party == history.stored.party)
        #expect(events == history.events.map(\.event))
    }

    @Test("old rows are folded, newer ones stay, and replay still proves the party")
    func fold() async throws {
        let commits = try await adventure()
        let before = try await store.firstKeptEvent(of: party)
        #expect(before == 1)
        let cut = time(600)
        let rows = try await store.foldJournal(before: cut, rows: 1000, epoch: epoch)
        #expect(rows > 2)
        let kept = commits.filter { $0.at >= cut }.flatMap(\.events)
        let first = try await store.firstKeptEvent(of: party)
        let events = try await store.events(of: party, after: 0, limit: 1000)
        #expect(first == kept.first?.sequence)
        #expect(events.map(\.event) == kept)
        try await expectProof(party)
        let again = try await store.foldJournal(before: cut, rows: 1000, epoch: epoch)
        #expect(again == 0)
        await store.close()
    }

    @Test("folding in small steps ends where folding at once does")
    func steps() async throws {
        _ = try await adventure()
        _ = try await adventure("q")
        var steps = 0
        while try await store.foldJournal(before: time(900), rows: 2, epoch: epoch) > 0 {
            steps += 1
            try await expectProof(party)
            try await expectProof(PartyID("q"))
        }
        #expect(steps > 4)
        await store.close()
    }

    @Test("parties without old rows hold up none with old ones, whatever stands first in the file")
    func order() async throws {
        for number in 0..<300 {
            let created = Fixture.newParty("young-\(number)")
            try await store.commit(created, epoch: epoch)
            var young = try Fixture.next(created, .join(Fixture.hero(1)), when: time(100_000))
            young.joined = []
            try await store.commit(young, epoch: epoch)
        }
        _ = try await adventure()
        let folded = try await store.foldJournal(before: time(9000), rows: 1000, epoch: epoch)
        #expect(folded > 2)
        #expect(try await store.events(of: party, after: 0, limit: 10).isEmpty)
        try await expectProof(party)
        try await expectProof(PartyID("young-7"))
        await store.close()
    }

    @Test("a party whose replay differs is reported once and keeps its rows; others are folded")
    func difference() async throws {
        var wrong = Fixture.newParty("wrong")
        wrong.events = [PartyEvent(sequence: 1, time: .zero, kind: .stormRaised)]
        try await store.commit(wrong, epoch: epoch)
        _ = try await adventure()
        for _ in 0..<2 {
            _ = try await store.foldJournal(before: time(9000), rows: 1000, epoch: epoch)
        }
        let kept = try await store.events(of: PartyID("wrong"), after: 0, limit: 10)
        #expect(kept.count == 1)
        #expect(try await store.events(of: party, after: 0, limit: 10).isEmpty)
        let reports = events.withLock { $0 }.filter { event in
            if case .historyDiffers(PartyID("wrong"), _) = event { true } else { false }
        }
        #expect(reports.count == 1)
        await store.close()
    }

    @Test("PR2: an older owner folds nothing")
    func fence() async throws {
        _ = try await adventure()
        _ = try await store.takeOwnership()
        await #expect(throws: StoreError.notTheOwner) {
            _ = try await store.foldJournal(before: time(9000), rows: 1000, epoch: epoch)
        }
        #expect(try await store.firstKeptEvent(of: party) == 1)
        await store.close()
    }

    @Test("events are found by their sequence, also behind rows without events")
    func search() async throws {
        let commits = try await adventure(minutes: 60)
        var last = commits[commits.count - 1]
        for _ in 0..<3 {
            last = Fixture.touched(last)
            last.decisions = [Fixture.decision(1)]
            try await store.commit(last, epoch: epoch)
        }
        let all = commits.flatMap(\.events)
        for after in 0...all.count {
            let page = try await store.events(of: party, after: after, limit: 3)
            #expect(page.map(\.event) == Array(all.dropFirst(after).prefix(3)))
        }
        await store.close()
    }
}
