internal import GameLogic
internal import Isolation

/// What the store has found damaged: a party is reported once, until it reads well again.
final class Damage: Sendable {
    let report: @Sendable (StoreEvent) -> Void
    private let frozen = Locked<Set<PartyID>>([])

    init(report: @escaping @Sendable (StoreEvent) -> Void) { self.report = report }

    /// Freezes the party, and reports it once.
    func corrupt(_ party: PartyID, detail: String) -> StoreError {
        let isNew = frozen.withLock { $0.insert(party).inserted }
        if isNew { report(.partyIsCorrupt(party, detail: detail)) }
        return .corrupt(party, detail: detail)
    }

    func corrupt(_ party: PartyID, _ fault: RowFault) -> StoreError {
        corrupt(party, detail: "\(fault.table) \(fault.key): \(fault.detail)")
    }

    /// A player's or hero's row: it is not served, and nothing else is disturbed.
    func corrupt(_ fault: RowFault) -> StoreError {
        report(.rowIsCorrupt(table: fault.table, key: fault.key, detail: fault.detail))
        return .unavailable(
            "the row \(fault.key) of \(fault.table) is corrupt (\(fault.detail)): restore it")
    }

    /// Forgets that the party was corrupt: its row has been read well.
    func thaw(_ party: PartyID) { frozen.withLock { _ = $0.remove(party) } }

    /// What a failure of SQLite means to one party: a damaged page is that party's damage.
    func explain(_ failure: SQLiteFailure, of party: PartyID) -> StoreError {
        failure.isPassing ? failure.storeError : corrupt(party, detail: failure.message)
    }
}
