internal import GameLogic
internal import Isolation

/// The damage that the store has found: each party is reported once, until it reads well again.
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

    /// Reports a player's or hero's row, which is not served; nothing else is affected.
    func corrupt(_ fault: RowFault) -> StoreError {
        report(.rowIsCorrupt(table: fault.table, key: fault.key, detail: fault.detail))
        return .unavailable(
            "the row \(fault.key) of \(fault.table) is corrupt (\(fault.detail)): restore it")
    }

    /// Thaws a party whose row was read without fault.
    func thaw(_ party: PartyID) { frozen.withLock { _ = $0.remove(party) } }

    /// Returns what a failure of SQLite means for one party: a damaged page counts as its damage.
    func explain(_ failure: SQLFailure, of party: PartyID) -> StoreError {
        failure.isPassing ? failure.storeError : corrupt(party, detail: failure.message)
    }
}
