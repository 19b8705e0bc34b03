internal import GameLogic

// Changes of parties, within a transaction of the writer.
extension PostgreSQLSession {
    /// Runs a change that may be refused, which undoes it alone.
    func run(
        _ change: (PostgreSQLSession) throws -> Int64
    ) throws(SQLFailure) -> Result<Int64, StoreError> {
        beginChange()
        var number: Int64 = 0
        let refusal = try refusal { number = try change(self) }
        endChange(refusal)
        return refusal.map { .failure($0) } ?? .success(number)
    }

    /// Returns what became of a batch whose statements have written these keys, and writes the
    /// parties with further rows one by one.
    func finish(
        _ batch: PostgreSQLBatch, written: [Set<Int64>]
    ) throws(SQLFailure) -> BatchResult {
        guard isOwner(batch.epoch) else {
            return BatchResult(of: batch.batch, failed: .notTheOwner)
        }
        var results: [Result<Void, StoreError>] = []
        let keys = written.prefix(batch.plain.count).reduce(into: Set()) { $0.formUnion($1) }
        for (index, change) in batch.batch.changes.enumerated() {
            let refusal =
                if change.further != nil {
                    try write(batch, change: index)
                } else {
                    keys.contains(change.key) ? nil : try reason(batch, index)
                }
            results.append(refusal.map { .failure($0) } ?? .success(()))
        }
        let outcomes = written.dropFirst(batch.plain.count).prefix(batch.outcomes.count)
        return BatchResult(
            parties: results, failure: batch.refusal(ofOutcomes: outcomes.last ?? []),
            hasLetters: written.suffix(batch.looks.count).contains { !$0.isEmpty })
    }

    /// Writes one party's change of the batch. Returns why it was refused.
    func write(_ batch: PostgreSQLBatch, change index: Int) throws(SQLFailure) -> StoreError? {
        let change = batch.batch.changes[index]
        let mayBeRefused = change.further?.mayBeRefused ?? false
        if mayBeRefused { beginChange() }
        let written = try run([batch.statement(for: [index])], of: [batch.epoch.number])
        guard isOwner(batch.epoch) else { return .notTheOwner }
        var refusal = written[0].isEmpty ? try reason(batch, index) : nil
        if refusal == nil, let further = change.further {
            refusal = try self.refusal(of: further, of: change.key)
        }
        if mayBeRefused { endChange(refusal) }
        return refusal
    }

    /// Writes and forgets outcomes. Returns why they were refused.
    func writeOutcomes(of batch: PostgreSQLBatch) throws(SQLFailure) -> StoreError? {
        let written = try run(batch.outcomes, of: [batch.epoch.number])
        guard isOwner(batch.epoch) else { return .notTheOwner }
        return batch.refusal(ofOutcomes: written.last ?? [])
    }

    /// Returns why a party's row was not written.
    private func reason(_ batch: PostgreSQLBatch, _ index: Int) throws(SQLFailure) -> StoreError {
        let party = batch.batch.parties[index]
        let owner = try integer(
            "SELECT epoch FROM shard_lease WHERE shard = ?1",
            [.integer(Int64(PartyShard.number(of: party)))])
        guard owner == batch.epoch.number else { return .elsewhere(party) }
        guard batch.batch.changes[index].version == 1, try partyKey(of: party.rawValue) == nil
        else { return .staleVersion(party) }
        return .exists("a party with this invite code")
    }
}
