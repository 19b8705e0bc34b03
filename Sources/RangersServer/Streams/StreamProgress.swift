internal import GameLogic
internal import PartyStore

/// How far a stream has come, and what it writes next. A value: its caller acts.
///
/// It keeps at most one snapshot, the newest, and one page of older events. So a client that reads
/// slowly costs no more than one that reads at once.
///
/// | State | `offer` | `next` |
/// | --- | --- | --- |
/// | starting | keeps the snapshot | the party, if the client has nothing or its id is not kept |
/// | catching up | keeps the snapshot | asks for older events, or writes them |
/// | live | keeps the snapshot, or cuts the stream if events between would be missing | the new events |
struct StreamProgress {
    /// Why the server ends a stream; clients get the word.
    enum End: String, CaseIterable, Sendable {
        /// The player no longer has a hero in the party.
        case membership
        /// The token that opened the stream is no longer valid.
        case token
        /// The party cannot be read now.
        case unavailable
    }

    static let closedSchema = JSONSchema.named(
        "StreamClosed", .fields(["reason": .choice(End.allCases.map(\.rawValue))]))

    enum Step: Sendable {
        case wait
        /// Older events are needed, after this number; `take` brings them.
        case read(after: Int)
        case party(PartySnapshot)
        case page([LoggedEvent], of: PartySnapshot)
        case events(of: PartySnapshot, after: Int)
        case heartbeat
        case closed(End)
        case end
    }

    enum Offer: Sendable {
        case ignored, taken
        /// The client is too far behind: it must resume.
        case cut
    }

    private enum State {
        case starting
        case catchingUp
        case reading
        case live
    }

    /// The number of the newest event written; `nil`: the client has nothing yet.
    private var position: Int?
    private var state = State.starting
    private var newest: PartySnapshot?
    private var version: Int64 = -1
    private var page: [LoggedEvent] = []
    private var isHeartbeatDue = false
    private var closing: End?
    private var isOver = false

    /// Begins after the client's newest event.
    init(after position: Int?) { self.position = position }

    // MARK: What arrives

    mutating func offer(_ snapshot: PartySnapshot) -> Offer {
        guard !isOver, snapshot.stored.version > version else { return .ignored }
        version = snapshot.stored.version
        if case .live = state, let position, position + 1 < snapshot.oldestEvent {
            isOver = true
            return .cut
        }
        newest = snapshot
        return .taken
    }

    /// Takes the events that `.read` asked for; none if the journal has folded them.
    mutating func take(_ events: [LoggedEvent]) {
        guard case .reading = state else { return }
        state = .catchingUp
        // A newer commit may have added some meanwhile; they come with its snapshot.
        let next = newest?.stored.party.nextSequence ?? 0
        page = events.filter { $0.event.sequence < next }
        if page.first?.event.sequence != (position ?? 0) + 1 {
            // They are gone: the party as it is replaces them.
            page = []
            position = nil
        }
    }

    mutating func beat() { isHeartbeatDue = true }

    mutating func close(_ end: End) { if closing == nil { closing = end } }

    // MARK: What goes

    mutating func next() -> Step {
        if isOver { return .end }
        if let closing {
            isOver = true
            return .closed(closing)
        }
        if let newest { return next(newest) }
        guard isHeartbeatDue else { return .wait }
        isHeartbeatDue = false
        return .heartbeat
    }

    private mutating func next(_ snapshot: PartySnapshot) -> Step {
        // Whatever follows also shows that the connection lives.
        isHeartbeatDue = false
        if case .reading = state { return .wait }
        if !page.isEmpty {
            defer { page = [] }
            position = page.last?.event.sequence
            return .page(page, of: snapshot)
        }
        let last = snapshot.stored.party.nextSequence - 1
        guard let known = position, known <= last, known + 1 >= snapshot.firstKeptEvent else {
            return reach(last, .party(snapshot))
        }
        guard known + 1 >= snapshot.oldestEvent else {
            state = .reading
            return .read(after: known)
        }
        return reach(last, .events(of: snapshot, after: known))
    }

    private mutating func reach(_ last: Int, _ step: Step) -> Step {
        position = last
        state = .live
        newest = nil
        return step
    }
}
