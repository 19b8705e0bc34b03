internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// A change that the writer has, with the request that waits for its result.
///
/// A class, because a copy of so large a value costs more than to make it. Confined to the shard:
/// it is not `Sendable`.
final class PendingChange {
    let party: LiveParty
    let finished: PartyChange.Finished
    let request: ChangeRequest?
    /// Players whose starts this change retries.
    let retried: Set<PlayerID>
    let beganAt: WallTime

    init(
        party: LiveParty, finished: PartyChange.Finished, request: ChangeRequest?,
        retried: Set<PlayerID>, beganAt: WallTime
    ) {
        self.party = party
        self.finished = finished
        self.request = request
        self.retried = retried
        self.beganAt = beganAt
    }
}

/// What a shard keeps of a batch until its result arrives.
struct PendingBatch {
    var changes: [PendingChange] = []
    var outcomes: [UnwrittenOutcome] = []
    var outcomeRow: Int64?
    var forgottenRows: [Int64] = []
}

/// A batch in the making.
struct BatchDraft {
    var batch = Batch()
    var pending = PendingBatch()
    /// The wall clock minus the server's time, in milliseconds: for the batch's pushes.
    let wallOffset: Int64

    mutating func add(_ change: PendingChange) {
        batch.add(change.finished.commit)
        pending.changes.append(change)
    }
}
