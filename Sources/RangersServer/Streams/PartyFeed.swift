internal import GameLogic
internal import HTTPServer
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// The text of one stream: from its progress to bytes, on the thread that sends them.
final class PartyFeed: Sendable {
    /// How long a client waits before it connects again, in milliseconds.
    static let retryMilliseconds = 2000

    private struct State {
        var progress: StreamProgress
        /// A hash of the cards that the client has; cards that stay the same are not repeated.
        var cards: Int?
    }

    private let player: PlayerID
    private let language: Language
    private let words: Words
    private let names: HiddenNames
    private let state: Locked<State>

    init(
        of player: PlayerID, in language: Language, words: Words, names: HiddenNames,
        after position: Int?
    ) {
        self.player = player
        self.language = language
        self.words = words
        self.names = names
        state = Locked(State(progress: StreamProgress(after: position)))
    }

    func update<Result: Sendable>(_ body: (inout StreamProgress) -> Result) -> Result {
        state.withLock { body(&$0.progress) }
    }

    /// Returns what the client gets next. `read` receives the number after which older events are
    /// needed; it must not wait for them.
    func next(read: (Int) -> Void) -> ResponseStream.Step {
        switch update({ $0.next() }) {
        case .wait:
            return .wait
        case .read(let position):
            read(position)
            return .wait
        case .heartbeat:
            return .bytes(EventStreamText.heartbeat)
        case .end:
            return .end
        case .closed(let end):
            var text = EventStreamText()
            text.message(.closed, data: #"{"reason":"\#(end.rawValue)"}"#.utf8)
            return .bytes(text.bytes)
        case .party(let snapshot):
            return .bytes(party(snapshot))
        case .page(let events, let snapshot):
            return .bytes(page(events, of: snapshot))
        case .events(let snapshot, let position):
            let bytes = self.events(of: snapshot, after: position)
            // A change without an event, such as another invite code, may change nothing here.
            return bytes.isEmpty ? next(read: read) : .bytes(bytes)
        }
    }

    // MARK: Text

    /// The names of the party's heroes as the player sees them.
    private func names(in snapshot: PartySnapshot) -> NameView {
        snapshot.mayHideNames ? names.view(of: player) : .own
    }

    private func party(_ snapshot: PartySnapshot) -> [UInt8] {
        var text = EventStreamText()
        text.retry(afterMilliseconds: Self.retryMilliseconds)
        text.message(
            .party, id: snapshot.stored.party.nextSequence - 1,
            data: snapshot.response(in: language, words: words, names: names(in: snapshot)).body)
        writeCards(of: snapshot, to: &text)
        return text.bytes
    }

    private func page(_ events: [LoggedEvent], of snapshot: PartySnapshot) -> [UInt8] {
        var text = EventStreamText()
        var lines = EventLines()
        let names = names.view(of: player)
        lines.append(events[...], as: snapshot.view(in: language, words: words, names: names))
        for (index, event) in events.enumerated() {
            text.message(id: event.event.sequence, data: lines.line(index))
        }
        return text.bytes
    }

    private func events(of snapshot: PartySnapshot, after position: Int) -> [UInt8] {
        var text = EventStreamText()
        snapshot.forEachEvent(
            after: position, in: language, words: words, names: names(in: snapshot)
        ) { sequence, line in
            text.message(id: sequence, data: line)
        }
        writeCards(of: snapshot, to: &text)
        return text.bytes
    }

    private func writeCards(of snapshot: PartySnapshot, to text: inout EventStreamText) {
        let cards = StreamCards(
            stored: snapshot.stored, player: player, language: language, words: words,
            names: names(in: snapshot)
        ).json
        let isNew = state.withLock { state in
            let hash = cards.hashValue
            defer { state.cards = hash }
            return state.cards != hash
        }
        if isNew { text.message(.cards, data: cards) }
    }
}
