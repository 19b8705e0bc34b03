internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// What shards tell the consoles' event streams: which parties have changed, as they are now, and
/// for parties that somebody looks at each change and each answer of Apple's.
///
/// A shard puts a reference here and goes on; the round of `ConsoleStreams` takes all of it at most
/// ten times a second. While nobody listens, a shard finds that out and does nothing.
final class PartyNews: Sendable {
    /// The most rows of a party between two rounds; beyond, its readers load it anew.
    static let rowsMax = 256

    /// A party as its shard has it.
    struct Change: Sendable {
        let stored: StoredParty
        let at: WallTime
    }

    enum Row: Sendable {
        case committed(PartyChange.Finished)
        case answered(ReportedOutcome, PushResponse)
    }

    /// Everything since the last round.
    struct Mail: Sendable {
        /// Only the newest state of each party.
        var changes: [PartyID: Change] = [:]
        /// Of watched parties, in order.
        var rows: [PartyID: [Row]] = [:]
        /// Parties with more rows than are kept.
        var overflowed: Set<PartyID> = []
        fileprivate var isEmpty = true
    }

    /// Which parties somebody listens for.
    struct Interest: Hashable, Sendable {
        var isInAll = false
        var parties: Set<PartyID> = []

        fileprivate func includes(_ party: PartyID) -> Bool {
            isInAll || (!parties.isEmpty && parties.contains(party))
        }
    }

    private struct State: Sendable {
        var interest = Interest()
        var mail = Mail()
    }

    private let state = Locked(State())
    /// Woken by the first news since the last round.
    private let reader: Sleeper?

    init(waking reader: Sleeper? = nil) { self.reader = reader }

    /// Sets what is noted from now on.
    func set(_ interest: Interest) {
        state.withLock { state in
            state.interest = interest
            guard !interest.isInAll else { return }
            // Nobody reads the rest.
            state.mail.changes = state.mail.changes.filter { interest.parties.contains($0.key) }
            state.mail.rows = state.mail.rows.filter { interest.parties.contains($0.key) }
        }
    }

    var hasMail: Bool { state.withLock { !$0.mail.isEmpty } }

    func take() -> Mail {
        state.withLock { state in
            defer { state.mail = Mail() }
            return state.mail
        }
    }

    // MARK: On a shard

    /// Notes the party's newest state.
    func note(_ party: LiveParty, at now: WallTime) {
        note(party.id) { mail in
            // Only now: to read a party counts all its references.
            guard let stored = party.stored else { return }
            mail.changes[party.id] = Change(stored: stored, at: now)
        }
    }

    /// Notes a change with its decisions.
    func note(_ finished: PartyChange.Finished) {
        note(row: .committed(finished), of: finished.commit.stored.id)
    }

    /// Notes what became of a push.
    func note(_ outcome: ReportedOutcome, _ response: PushResponse, of party: PartyID) {
        note(row: .answered(outcome, response), of: party)
    }

    private func note(row: Row, of party: PartyID) {
        let isFirst = state.withLock { state in
            guard !state.interest.parties.isEmpty, state.interest.parties.contains(party) else {
                return false
            }
            if state.mail.rows[party, default: []].count < Self.rowsMax {
                state.mail.rows[party, default: []].append(row)
            } else {
                state.mail.overflowed.insert(party)
            }
            return state.mail.isFirst()
        }
        if isFirst { reader?.wake() }
    }

    private func note(_ party: PartyID, _ body: (inout Mail) -> Void) {
        let isFirst = state.withLock { state in
            guard state.interest.includes(party) else { return false }
            body(&state.mail)
            return state.mail.isFirst()
        }
        if isFirst { reader?.wake() }
    }
}

extension PartyNews.Mail {
    /// Returns whether nothing was noted before.
    fileprivate mutating func isFirst() -> Bool {
        defer { isEmpty = false }
        return isEmpty
    }
}
