internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// An outcome that no row in the store contains yet.
struct UnwrittenOutcome {
    /// Many wait at once, so the most frequent outcome is small.
    enum Kind {
        case accepted(Acceptance)
        indirect case other(ActivityOutcome)
    }

    let party: LiveParty
    /// The party's version when the outcome was settled; a later row of the party contains it too.
    let version: Int64
    let kind: Kind

    var isCovered: Bool { party.stored?.version != version }

    /// What a row contains of it; `nil` once it is covered.
    var stored: StoredOutcome? {
        guard !isCovered, let key = party.stored?.key else { return nil }
        switch kind {
        case .other(let outcome):
            return StoredOutcome(
                party: key, activity: outcome.activity, timestamp: outcome.timestamp,
                outcome: outcome.outcome, refusal: outcome.refusal, response: outcome.response)
        case .accepted(let acceptance):
            guard let activities = party.stored?.activities else { return nil }
            return StoredOutcome(
                party: key, activity: acceptance.activity(in: activities),
                timestamp: acceptance.timestamp,
                outcome: .accepted, response: acceptance.response)
        }
    }
}

/// The outcomes that no row in the store contains yet. A party's next row contains its outcomes; if
/// none is written soon, one row contains those of many parties.
struct UnwrittenOutcomes {
    /// How long outcomes may wait to be written, in milliseconds. A crash can repeat their pushes.
    private static let delay: Int64 = 250

    private let rows: OutcomeRows
    private var waiting: [UnwrittenOutcome] = []
    /// When the oldest of them must be written.
    private(set) var writeAt: WallTime?
    private var rowsToForget: [Int64] = []
    /// Those that a batch could not delete: they wait as long as outcomes do.
    private var rowsToForgetLater: [Int64] = []

    init(_ rows: OutcomeRows) { self.rows = rows }

    var isEmpty: Bool { waiting.isEmpty }

    /// Applies an outcome to the party in memory, and keeps it until a row contains it.
    mutating func settle(_ outcome: ActivityOutcome, of party: LiveParty, at now: WallTime) {
        // Hold no copy of the party here: each outcome would copy its activities.
        guard let version = party.stored?.version else { return }
        let kind = party.note(outcome)
        party.stored?.settle(outcome, at: now)
        party.uncoveredOutcomes += 1
        waiting.append(UnwrittenOutcome(party: party, version: version, kind: kind))
        writeSoon(after: now)
    }

    /// Applies an outcome that another server has written, unless the party's row contains it
    /// already. This node writes an outcome of another node again, so that it stays known when that
    /// node's row is deleted.
    mutating func take(_ inherited: InheritedOutcome, of party: LiveParty, at now: WallTime) {
        let outcome = ActivityOutcome(
            activity: inherited.stored.activity, timestamp: inherited.stored.timestamp,
            outcome: inherited.stored.outcome, refusal: inherited.stored.refusal,
            response: inherited.stored.response)
        guard party.stored?.awaits(outcome) == true else { return }
        guard let row = inherited.row else { return settle(outcome, of: party, at: now) }
        party.stored?.settle(outcome, at: now)
        party.note(outcome)
        if party.outcomeRows.last != row { party.outcomeRows.append(row) }
    }

    private mutating func writeSoon(after now: WallTime) {
        guard writeAt == nil, !waiting.isEmpty || !rowsToForgetLater.isEmpty else { return }
        writeAt = now.adding(milliseconds: Self.delay)
    }

    /// Adds the outcomes that no row contains, once the oldest has waited long enough.
    mutating func write(to draft: inout BatchDraft, at now: WallTime, in phase: Shard.Phase) {
        let isTime = writeAt.map { $0 <= now || phase == .finishing } ?? false
        if isTime {
            rowsToForget += rowsToForgetLater
            rowsToForgetLater = []
        }
        if !rowsToForget.isEmpty {
            draft.own.pending.forgottenRows = rowsToForget
            draft.own.batch.forget(outcomeRows: rowsToForget)
            rowsToForget = []
        }
        guard isTime else { return }
        writeAt = nil
        waiting.removeAll(where: \.isCovered)
        let due = waiting.filter { !$0.party.isBeingWritten }
        waiting.removeAll { !$0.party.isBeingWritten }
        writeSoon(after: now)
        guard !due.isEmpty else { return }
        let row = rows.newRow()
        draft.own.pending.outcomes = due
        draft.own.pending.outcomeRow = row
        draft.own.batch.add(outcomes: due.compactMap(\.stored), row: row)
    }

    /// Takes back the outcomes of a batch that could not be written, and the rows that it could not
    /// delete: never at once, because a full disk refuses them again and again.
    mutating func take(failed batch: PendingBatch, at now: WallTime, in phase: Shard.Phase) {
        guard phase != .finishing else { return }
        rowsToForgetLater += batch.forgottenRows
        waiting += batch.outcomes
        writeSoon(after: now)
    }

    /// Notes which row of a written batch contains the outcomes.
    mutating func take(written batch: PendingBatch) {
        guard let row = batch.outcomeRow else { return }
        var parties = 0
        for outcome in batch.outcomes where !outcome.isCovered {
            outcome.party.uncoveredOutcomes -= 1
            guard outcome.party.outcomeRows.last != row else { continue }
            outcome.party.outcomeRows.append(row)
            parties += 1
        }
        if rows.note(row, of: parties) { rowsToForget.append(row) }
    }

    /// Notes that the party's row contains every outcome settled before it.
    mutating func cover(_ party: LiveParty) {
        party.uncoveredOutcomes = 0
        cover(rows: party.outcomeRows)
        party.outcomeRows = []
    }

    /// Notes that one party needs these rows no longer.
    mutating func cover(rows ids: some Sequence<Int64>) {
        for row in ids where rows.cover(row) { rowsToForget.append(row) }
    }
}

extension LiveParty {
    /// Notes the response of an outcome, until the journal contains it. Returns how the outcome
    /// waits for a row.
    @discardableResult
    func note(_ outcome: ActivityOutcome) -> UnwrittenOutcome.Kind {
        // Not `stored.flatMap`: that copies the whole party.
        if let activities = stored?.activities, let acceptance = Acceptance(outcome, in: activities)
        {
            responses.add(acceptance)
            return .accepted(acceptance)
        }
        note(outcome.response, to: outcome.activity, timestamp: outcome.timestamp)
        return .other(outcome)
    }
}

extension StoredParty {
    fileprivate func awaits(_ outcome: ActivityOutcome) -> Bool {
        activities.contains { activity in
            activity.id == outcome.activity
                && activity.outbox?.awaitsOutcome(ofPushAt: outcome.timestamp) == true
        }
    }

    mutating func settle(_ outcome: ActivityOutcome, at now: WallTime) {
        PushPlanner.settle(
            outcome.outcome, outcome.refusal, of: outcome.activity,
            timestamp: outcome.timestamp, activities: &activities, now: now)
    }
}
