internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// The cards of a watched party, as the message `card` has them: each change is added by the
/// code that replays them from the journal. Confined to the task of `ConsoleStreams`.
///
/// | State | With a change |
/// | --- | --- |
/// | unknown, until somebody reads the journal | the change waits |
/// | being read | the change waits; with too many of them, the journal is read again |
/// | known | it is added |
/// | broken: the journal does not replay | nothing is sent |
struct WatchedCards: Sendable {
    /// What the journal has told up to a version of the party.
    struct Told: Sendable {
        fileprivate(set) var moments: PartyMoments
        private(set) var version: Int64

        init(moments: PartyMoments, version: Int64) {
            self.moments = moments
            self.version = version
        }

        /// Tells a change, unless it is told already.
        mutating func add(_ change: LoggedChange) throws(Problem) {
            guard change.version > version else { return }
            try moments.add(change)
            version = change.version
        }
    }

    /// A change, and what was known of phones then.
    private struct Step: Sendable {
        let change: LoggedChange
        let cards: [ActivityRegistration]
        let wallOffsets: WallOffsets
    }

    private enum State: Sendable {
        case unknown
        /// With the number of the reading: an older one knows too little.
        case beingRead(Int)
        case told(Told)
        case broken
    }

    /// The most changes that wait for the journal.
    static let waitingMax = 256
    /// When the journal is read again that could not be read, in milliseconds.
    private static let retryMilliseconds: Int64 = 1000

    static let schema = JSONSchema.named(
        "ConsoleCard", MomentView.cardSchema.adding(["party": .text]))

    let party: PartyID
    private var state = State.unknown
    private var waiting: [Step] = []
    /// Until then the journal is left alone.
    private var retryAt = WallTime(milliseconds: 0)
    /// The party as its shard had it last; `nil`: nothing has changed since it is watched.
    private var newest: PartyNews.Change?

    init(of party: PartyID) { self.party = party }

    /// Whether the journal must be read. Notes that somebody does, under this number.
    mutating func beginReading(_ number: Int, at now: WallTime) -> Bool {
        guard case .unknown = state, retryAt <= now else { return false }
        state = .beingRead(number)
        waiting = []
        retryAt = now.adding(milliseconds: Self.retryMilliseconds)
        return true
    }

    /// Takes what the journal has told; `nil`: it could not be read now.
    mutating func take(_ told: Told?, reading number: Int) {
        // Changes may have been lost meanwhile.
        guard case .beingRead(number) = state else { return }
        guard let told else { return state = .unknown }
        state = .told(told)
        let steps = waiting
        waiting = []
        for step in steps { add(step) }
    }

    /// Notes the party as its shard has it.
    mutating func note(_ change: PartyNews.Change) { newest = change }

    /// Notes a change that was committed.
    mutating func note(_ commit: PartyCommit, _ wallOffsets: WallOffsets) {
        // What is erased in the journal is erased here by reading it again.
        guard commit.erased.isEmpty else { return lose() }
        guard let change = LoggedChange(commit) else { return }
        let cards = commit.stored.activities.map(\.registration)
        add(Step(change: change, cards: cards, wallOffsets: wallOffsets))
    }

    /// Notes that changes are missing.
    mutating func lose() { state = .unknown }

    private mutating func add(_ step: Step) {
        switch state {
        case .unknown, .broken: break
        case .beingRead:
            guard waiting.count < Self.waitingMax else { return lose() }
            waiting.append(step)
        case .told(var told):
            // Nothing is copied while only one variable has it.
            state = .broken
            told.moments.learn(step.cards, step.wallOffsets)
            do throws(Problem) { try told.add(step.change) } catch { return }
            state = .told(told)
        }
    }

    // MARK: Messages

    /// Returns each card as it is now; none before all is known.
    func messages(at now: WallTime, in game: Game) -> [(activity: ActivityID, message: [UInt8])] {
        guard case .told(let told) = state, let stored = newest?.stored else { return [] }
        var moments = told.moments
        moments.learn(
            stored.activities.map(\.registration), game.dependencies.clock.wallOffsets)
        moments.meet(registeredBefore: now)
        moments.noteNewest(game.dependencies.pushWatch, stored)
        let view = MomentView(of: stored, in: game)
        return moments.cards.map { card in
            let activity = stored.activities.first { $0.id == card.phone.id }
            var json = JSONWriter(reserving: 1024)
            json.beginObject()
            json.field("party", party.rawValue)
            view.writeFields(card, activity, after: nil, at: now, to: &json)
            json.endObject()
            return (card.phone.id, StreamPiece.message(.card, json.bytes))
        }
    }
}
