internal import GameLogic
internal import HTTPServer
internal import Isolation
internal import PartyStore
internal import PushPolicy
internal import Secrets

/// A party as committed at one version, with its newest events, for readers. It never changes. Its
/// JSON is created on first use and kept.
final class PartySnapshot: Sendable {
    /// The most events of a snapshot, which are those of one response.
    static let eventsMax = 100
    /// The approximate size of a snapshot without its events and its JSON.
    private static let bytesWithoutEvents = 4096
    private static let bytesPerEvent = 256

    let stored: StoredParty
    /// The number of the first event kept.
    let firstKeptEvent: Int
    /// The newest events, in order.
    let events: [LoggedEvent]
    /// For the times in the JSON.
    let wallOffsets: WallOffsets
    /// Whether somebody may see other names here than everybody does; readers then ask whom.
    let mayHideNames: Bool
    /// Which load of the party this and the following versions come from.
    private let load: String
    private let written: Locked<[Written]>

    /// What is written in one language for everybody without blocks.
    private struct Written {
        let language: Language
        var response: PreparedResponse?
        /// Each event's JSON, in the order of `events`; the newest may still be missing.
        var events = EventLines()
        /// The heroes' JSON, of this version or an older one.
        var heroes = HeroLines()
    }

    convenience init(
        _ stored: StoredParty, firstKeptEvent: Int, events: [LoggedEvent],
        wallOffsets: WallOffsets,
        mayHideNames: Bool
    ) {
        self.init(
            stored, firstKeptEvent: firstKeptEvent, events: events, wallOffsets: wallOffsets,
            mayHideNames: mayHideNames, written: [], load: RandomText.name(length: 8))
    }

    private init(
        _ stored: StoredParty, firstKeptEvent: Int, events: [LoggedEvent],
        wallOffsets: WallOffsets,
        mayHideNames: Bool, written: [Written], load: String
    ) {
        self.load = load
        self.stored = stored
        self.firstKeptEvent = firstKeptEvent
        self.events = events
        self.wallOffsets = wallOffsets
        self.mayHideNames = mayHideNames
        self.written = Locked(written)
    }

    /// Returns the snapshot after a commit; `nil` if a version in between is missing.
    func next(_ commit: PartyCommit, hiding names: NamesInForce?) -> PartySnapshot? {
        guard commit.stored.version == stored.version + 1 else { return nil }
        let new = commit.events.map { LoggedEvent(event: $0, at: commit.at) }
        let surplus = max(0, events.count + new.count - Self.eventsMax)
        var kept = written.withLock { $0 }
        for index in kept.indices {
            kept[index].response = nil
            kept[index].events.drop(first: surplus)
        }
        return PartySnapshot(
            commit.stored, firstKeptEvent: firstKeptEvent,
            events: Array((events + new).dropFirst(surplus)), wallOffsets: wallOffsets,
            mayHideNames: mayHideNames
                || names?.concern(commit.stored.party, commit.events) ?? false,
            written: kept, load: load)
    }

    /// The approximate size in memory.
    var bytes: Int { Self.bytesWithoutEvents + events.count * Self.bytesPerEvent }

    func hasMember(of player: PlayerID) -> Bool {
        let isMember = stored.party.members.withUnsafeBufferPointer { members in
            members.indices.contains { members[$0].hero.owner == player }
        }
        return isMember || stored.party.inn.contains { $0.owner == player }
    }

    /// Returns the whole response in a language, with the newest events, created once per version
    /// for everybody without blocks.
    func response(in language: Language, words: Words, names: NameView) -> PreparedResponse {
        guard names.isEverybodys else {
            return PreparedResponse(
                json: [body(in: language, words: words, names: names)[...]],
                headers: EntityTag.headers(
                    tag(in: language, names: names), differsByPlayer: true))
        }
        if let made = response(in: language) { return made }
        var written = written(in: language)
        let view = view(in: language, words: words, names: names)
        addEvents(to: &written, as: view)
        let made = PreparedResponse(
            json: [
                view.jsonBeforeEvents(&written.heroes)[...], written.events.json(after: 0),
                PartyView.jsonBehindEvents[...],
            ], headers: EntityTag.headers(tag(in: language, names: names)))
        written.response = made
        keep(written)
        return made
    }

    /// Returns the body with the events after a number; `nil` if it needs older events than these.
    func body(
        after sequence: Int, in language: Language, words: Words, names: NameView
    ) -> [UInt8]? {
        guard sequence >= oldestEvent - 1 else { return nil }
        let skipped = events.prefix { $0.event.sequence <= sequence }.count
        guard names.isEverybodys else {
            return body(in: language, words: words, names: names, after: skipped)
        }
        let view = view(in: language, words: words, names: names)
        var written = written(in: language)
        addEvents(to: &written, as: view)
        let json = view.json(events: written.events.json(after: skipped), &written.heroes)
        keep(written)
        return json
    }

    /// Returns the body for a player who sees other names than everybody does. It is not kept.
    private func body(
        in language: Language, words: Words, names: NameView, after skipped: Int = 0
    ) -> [UInt8] {
        let view = view(in: language, words: words, names: names)
        var lines = EventLines()
        lines.append(events[skipped...], as: view)
        return view.json(events: lines.json(after: 0))
    }

    /// Returns a response with some of the party's events; the query distinguishes it from the whole.
    func tagged(
        _ body: [UInt8], in language: Language, names: NameView, status: Int
    ) -> Response {
        var response = Response.json(body, status: status)
        response.headers += EntityTag.headers(
            tag(in: language, names: names), differsByPlayer: !names.isEverybodys)
        return response
    }

    /// Calls `body` with the number and the JSON of each event after a number.
    func forEachEvent(
        after sequence: Int, in language: Language, words: Words, names: NameView,
        _ body: (Int, ArraySlice<UInt8>) -> Void
    ) {
        let view = view(in: language, words: words, names: names)
        let skipped = events.prefix { $0.event.sequence <= sequence }.count
        var lines: EventLines
        if names.isEverybodys {
            lines = eventLines(as: view)
            lines.drop(first: skipped)
        } else {
            lines = EventLines()
            lines.append(events[skipped...], as: view)
        }
        for (index, event) in events[skipped...].enumerated() {
            body(event.event.sequence, lines.line(index))
        }
    }

    /// The number of the oldest event here, or of the next one.
    var oldestEvent: Int { events.first?.event.sequence ?? stored.party.nextSequence }

    /// The entity tag of `response`. It changes with the version, and with what else a response
    /// shows, names and the first event kept: then the party is loaded again.
    func tag(in language: Language, names: NameView) -> String {
        let viewer = names.isEverybodys ? "" : ".own"
        return "\"\(stored.version).\(language.rawValue)\(viewer).\(load)\""
    }

    func view(in language: Language, words: Words, names: NameView) -> PartyView {
        PartyView(
            stored: stored, firstKeptEvent: firstKeptEvent, wallOffsets: wallOffsets,
            names: names, words: words, language: language)
    }

    /// Returns each event's JSON, and writes only those that are new since the last snapshot.
    private func eventLines(as view: PartyView) -> EventLines {
        var written = written(in: view.language)
        if addEvents(to: &written, as: view) { keep(written) }
        return written.events
    }

    /// Returns whether events were missing.
    @discardableResult
    private func addEvents(to written: inout Written, as view: PartyView) -> Bool {
        guard written.events.count < events.count else { return false }
        written.events.append(events[written.events.count...], as: view)
        return true
    }

    private func response(in language: Language) -> PreparedResponse? {
        written.withLock { written in
            guard let index = written.firstIndex(where: { $0.language == language }) else {
                return nil
            }
            return written[index].response
        }
    }

    private func written(in language: Language) -> Written {
        written.withLock { written in
            written.first { $0.language == language } ?? Written(language: language)
        }
    }

    private func keep(_ new: Written) {
        written.withLock { written in
            guard let index = written.firstIndex(where: { $0.language == new.language }) else {
                return written.append(new)
            }
            // Events alone do not replace a response that another reader has made meanwhile.
            guard new.response != nil || written[index].response == nil else { return }
            written[index] = new
        }
    }
}
