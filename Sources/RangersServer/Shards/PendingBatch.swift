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
    /// What a batch writes besides its parties' own rows. It may have to wait for other nodes.
    enum Reach {
        case parties, players, everything
    }

    let reach: Reach
    var changes: [PendingChange] = []
    var outcomes: [UnwrittenOutcome] = []
    var outcomeRow: Int64?
    var forgottenRows: [Int64] = []
}

/// Batches in the making: each goes without what may have to wait longer.
struct BatchDraft {
    /// A batch, and what the shard keeps of it.
    struct Part {
        var batch = Batch()
        var pending: PendingBatch

        init(_ reach: PendingBatch.Reach) { pending = PendingBatch(reach: reach) }

        mutating func add(_ change: PendingChange, _ further: FurtherRows?) {
            batch.add(change.finished.commit, further)
            pending.changes.append(change)
        }
    }

    /// Changes of parties' own rows only, and outcomes.
    var own = Part(.parties)
    private var ofPlayers = Part(.players)
    private var inTurn = Part(.everything)
    /// The wall clock minus the server's time, in milliseconds: for the batch's pushes.
    let wallOffset: Int64

    init(wallOffset: Int64) {
        self.wallOffset = wallOffset
    }

    /// The changes in it.
    var count: Int { all.reduce(0) { $0 + $1.pending.changes.count } }

    var parts: [Part] { all.filter { !$0.batch.isEmpty } }

    private var all: [Part] { [own, ofPlayers, inTurn] }

    mutating func add(_ change: PendingChange) {
        let further = FurtherRows(change.finished.commit)
        switch further?.takesTurn {
        case nil: own.add(change, nil)
        case false?: ofPlayers.add(change, further)
        case true?: inTurn.add(change, further)
        }
    }
}
