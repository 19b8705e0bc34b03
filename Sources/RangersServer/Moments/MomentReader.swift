internal import GameLogic
internal import HTTPServer
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// Tells parties' stories again, for game masters.
///
/// A replay takes a processor for a while, so it runs on a queue of its own: no shard, no reader of
/// the file and no other request waits for it. The journal is read in small pages between which
/// other reads go.
actor MomentReader {
    /// The most requests at a time; more receive a 503.
    static let requestsMax = 64
    /// The most rows of a journal in one read.
    static let pageRows = 256
    /// The most rows that one request replays.
    static let rowsMax = 200_000

    private let executor = QueueExecutor(label: "RangersServer moments")
    /// Requests that are being carried out or wait for it.
    private let requests = Locked(0)

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Some events of a story, in their order.
    struct Story: Sendable {
        var moments: [StoryReplay.Moment] = []
        fileprivate(set) var heroes: [Hero] = []
        /// Whether more events follow.
        fileprivate(set) var isCut = false
    }

    /// What a phone showed, and what it should have shown instead.
    struct Card: Sendable {
        let phone: PhoneStory
        let owed: PlannedPush?
    }

    /// What phones showed.
    struct Cards: Sendable {
        let cards: [Card]
        /// The party as it was then.
        let party: StoredParty
        /// When the event was committed; `nil`: now.
        let time: WallTime?
    }

    /// Runs a request, unless too many run already.
    nonisolated func run<Value: Sendable>(
        _ body: (MomentReader) async throws -> Value
    ) async throws -> Value {
        let isAdmitted = requests.withLock { requests in
            guard requests < Self.requestsMax else { return false }
            requests += 1
            return true
        }
        guard isAdmitted else {
            throw Problem.unavailable("Too many journals are being replayed: try again soon.")
        }
        defer { requests.withLock { $0 -= 1 } }
        return try await body(self)
    }

    /// Returns the story after an event.
    func story(
        of party: PartyID, after: Int, limit: Int, in game: Game
    ) async throws -> Story {
        let stored = try await game.snapshot(of: party).stored
        var story = Story()
        let first = try await beginning(of: party, in: game)
        var replay = StoryReplay(
            from: first.start ?? Party(id: party),
            millisecondsPerSecond: stored.clock.millisecondsPerSecond)
        try await read(party, from: first, in: game) { change throws(Problem) in
            let moments = try replay.play(change)
            story.moments += moments.filter { $0.event.event.sequence > after }
            return story.moments.count <= limit
        }
        story.isCut = story.moments.count > limit
        if story.isCut { story.moments.removeLast(story.moments.count - limit) }
        story.heroes = replay.heroes.isEmpty ? stored.party.heroes : replay.heroes
        return story
    }

    /// Returns what phones showed while an event was the newest one; `nil`: what they show now.
    func cards(of party: PartyID, at event: Int?, in game: Game) async throws -> Cards {
        let stored = try await game.snapshot(of: party).stored
        let page = try await beginning(of: party, in: game)
        var moments = Self.moments(of: stored, from: page, keeping: .newest(1), game)
        var (first, last, time) = (0, 0, nil as WallTime?)
        try await read(party, from: page, in: game) { change throws(Problem) in
            if let event, let next = change.events.first?.sequence, next > event {
                moments.note(change.responses)
                moments.meet(registeredBefore: change.at.adding(milliseconds: -1))
                return false
            }
            try moments.add(change)
            guard let events = change.numbers else { return true }
            if first == 0 { first = events.lowerBound }
            (last, time) = (events.upperBound, change.at)
            return true
        }
        if let event, first == 0 || !(first...last).contains(event) {
            throw Self.noEvent(event, from: first, to: last)
        }
        if event == nil || event == stored.party.nextSequence - 1 {
            moments.meet(registeredBefore: game.now)
            moments.noteNewest(game.dependencies.pushWatch, stored)
        }
        guard event != nil else { return Cards(cards: moments.cards, party: stored, time: nil) }
        var then = stored
        then.party = moments.story.party
        return Cards(cards: moments.cards, party: then, time: time)
    }

    /// Returns pushes with timestamps above `after`, the oldest first, or the newest ones.
    func pushes(
        of party: PartyID, to activity: ActivityID?, after: Int64?, limit: Int, in game: Game
    ) async throws -> (pushes: [MadePush], party: StoredParty) {
        let stored = try await game.snapshot(of: party).stored
        let kept = after.map { PartyMoments.Kept.after($0) } ?? .newest(limit)
        let page = try await beginning(of: party, in: game)
        var told = Self.moments(of: stored, from: page, keeping: kept, game)
        var rowsAfter = 0
        try await read(party, from: page, in: game) { change throws(Problem) in
            try told.add(change)
            guard after != nil, told.count(of: activity) > limit else { return true }
            rowsAfter += 1
            return rowsAfter < Self.pageRows
        }
        told.noteNewest(game.dependencies.pushWatch, stored)
        let all = told.sent(to: activity)
        guard let after else { return (all.suffix(limit), stored) }
        return (Array(all.filter { $0.logged.timestamp > after }.prefix(limit)), stored)
    }

    /// Returns the phones of a party up to now, for somebody who tells them on change by change.
    func cards(of party: PartyID, in game: Game) async throws -> WatchedCards.Told {
        let stored = try await game.snapshot(of: party).stored
        let page = try await beginning(of: party, in: game)
        var told = WatchedCards.Told(
            moments: Self.moments(of: stored, from: page, keeping: .newest(1), game),
            version: page.startVersion)
        try await read(party, from: page, in: game) { change throws(Problem) in
            try told.add(change)
            return true
        }
        return told
    }

    // MARK: Reading

    private static func moments(
        of stored: StoredParty, from page: JournalPage, keeping kept: PartyMoments.Kept,
        _ game: Game
    ) -> PartyMoments {
        PartyMoments(
            from: page.start ?? Party(id: stored.id),
            cards: stored.activities.map(\.registration),
            PartyMoments.Settings(
                millisecondsPerSecond: stored.clock.millisecondsPerSecond,
                wallOffsets: game.dependencies.clock.wallOffsets, kept: kept))
    }

    private static func noEvent(_ event: Int, from first: Int, to last: Int) -> Problem {
        .notFound(
            first == 0
                ? "Nothing has happened in this party yet."
                : "There is no event \(event): the journal has \(first) to \(last).")
    }

    /// Reads the first rows of the journal.
    private func beginning(of party: PartyID, in game: Game) async throws -> JournalPage {
        try await game.store.changes(of: party, after: 0, limit: Self.pageRows) ?? .empty
    }

    /// Reads the journal on from its first page, until `body` has enough.
    private func read(
        _ party: PartyID, from first: JournalPage, in game: Game,
        _ body: (LoggedChange) throws(Problem) -> Bool
    ) async throws {
        var page = first
        var rows = 0
        while true {
            for change in page.changes { guard try body(change) else { return } }
            rows += page.changes.count
            guard let version = page.changes.last?.version, page.changes.count == Self.pageRows
            else { return }
            guard rows < Self.rowsMax else {
                throw Problem.unavailable(
                    "The journal has more than \(Self.rowsMax) changes: too many to replay.")
            }
            let next = try await game.store.changes(
                of: party, after: version, limit: Self.pageRows)
            guard let next else { return }
            // Retention has folded rows between two pages.
            guard next.startVersion <= version else {
                throw Problem.unavailable("The journal has just been folded: try again.")
            }
            page = next
        }
    }
}

extension LoggedChange {
    /// The numbers of its events.
    fileprivate var numbers: ClosedRange<Int>? {
        guard let first = events.first?.sequence, let last = events.last?.sequence else {
            return nil
        }
        return first...last
    }
}

extension JournalPage {
    fileprivate static let empty = JournalPage(start: nil, startVersion: 0, changes: [])
}
