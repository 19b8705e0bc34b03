internal import GameLogic

/// Writes parties' changes: the hot path. It keeps its statements, and binds values from the
/// batch's arena without a copy.
///
/// It runs within the writer's transaction, which has checked the epoch. A party's own fence is its
/// version. The party's row goes first: when it is refused, nothing else of it is written.
final class PartyWriter {
    private let database: Database
    private let update: Statement
    private let updateAwake: Statement
    private let insert: Statement
    private let appendJournal: Statement
    private let savepoint: Statement
    private let undo: Statement
    private let release: Statement

    init(_ database: Database) throws(SQLFailure) {
        self.database = database
        update = try database.prepare(TickStatements.update)
        updateAwake = try database.prepare(
            """
            UPDATE parties SET version = ?1, state = ?2, crc = ?3, awake = ?5
            WHERE key = ?4 AND version = ?1 - 1
            """)
        insert = try database.prepare(
            """
            INSERT INTO parties (version, state, crc, key, awake, id, invite_code)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """)
        appendJournal = try database.prepare(TickStatements.journal)
        savepoint = try database.prepare("SAVEPOINT party")
        undo = try database.prepare("ROLLBACK TO party")
        release = try database.prepare("RELEASE party")
    }

    /// Writes all of the batch. A refused change affects no other.
    func write(_ batch: Batch) throws(SQLFailure) -> BatchResult {
        var results: [Result<Void, StoreError>] = []
        results.reserveCapacity(batch.changes.count)
        try batch.withBytes { bytes throws(SQLFailure) in
            defer { forgetBindings() }
            for index in batch.changes.indices {
                let refusal = try write(batch, index, bytes)
                results.append(refusal.map { .failure($0) } ?? .success(()))
            }
        }
        return BatchResult(parties: results, failure: try writeOutcomes(of: batch))
    }

    /// Writes one party's change of the batch. Returns why it was refused.
    func write(_ batch: Batch, change index: Int) throws(SQLFailure) -> StoreError? {
        try batch.withBytes { bytes throws(SQLFailure) in
            defer { forgetBindings() }
            return try write(batch, index, bytes)
        }
    }

    /// Writes and deletes outcome rows. Returns why they were refused.
    func writeOutcomes(of batch: Batch) throws(SQLFailure) -> StoreError? {
        for row in batch.forgottenOutcomes {
            try database.run("DELETE FROM outcomes WHERE id = ?1", [.integer(row)])
        }
        for row in batch.outcomes {
            do throws(SQLFailure) {
                try database.run(
                    "INSERT INTO outcomes (id, data, crc) VALUES (?1, ?2, ?3)", row.values)
            } catch {
                guard error.isDuplicate else { throw error }
                return .exists("outcome row \(row.numbers[0])")
            }
        }
        return nil
    }

    // MARK: One party

    private func write(
        _ batch: Batch, _ index: Int, _ bytes: UnsafeRawBufferPointer
    ) throws(SQLFailure) -> StoreError? {
        let change = batch.changes[index]
        guard let further = change.further else {
            if let refusal = try writeRow(change, bytes, of: batch.parties[index]) {
                return refusal
            }
            try append(change, bytes)
            return nil
        }
        if further.mayBeRefused { try savepoint.run() }
        var refusal = try writeRow(change, bytes, of: batch.parties[index])
        if refusal == nil { refusal = try database.refusal(of: further, of: change.key) }
        if refusal == nil {
            try append(change, bytes)
        } else if further.mayBeRefused {
            try undo.run()
        }
        if further.mayBeRefused { try release.run() }
        return refusal
    }

    private func writeRow(
        _ change: ChangeRow, _ bytes: UnsafeRawBufferPointer, of party: PartyID
    ) throws(SQLFailure) -> StoreError? {
        guard change.version > 1 else { return try create(change, bytes, party) }
        if try run(update, change, bytes) { return nil }
        return try run(updateAwake, change, bytes) ? nil : .staleVersion(party)
    }

    private func create(
        _ change: ChangeRow, _ bytes: UnsafeRawBufferPointer, _ party: PartyID
    ) throws(SQLFailure) -> StoreError? {
        try insert.bind(text: bytes[part: change.id], at: 6)
        try insert.bind(text: bytes[part: change.inviteCode], at: 7)
        do throws(SQLFailure) {
            _ = try run(insert, change, bytes)
            return nil
        } catch {
            guard error.isDuplicate else { throw error }
            // Which of the keys SQLite names depends on the order of its indices.
            return try database.partyKey(of: party.rawValue) == nil
                ? .exists("a party with this invite code") : .staleVersion(party)
        }
    }

    /// Binds the values that all three statements on a party's row share. Returns whether a row was
    /// written.
    private func run(
        _ statement: Statement, _ change: ChangeRow, _ bytes: UnsafeRawBufferPointer
    ) throws(SQLFailure) -> Bool {
        defer { statement.reset() }
        try statement.bind(change.version, at: 1)
        try statement.bind(blob: bytes[part: change.state], at: 2)
        try statement.bind(change.checksum, at: 3)
        try statement.bind(change.key, at: 4)
        try statement.bind(change.awake, at: 5)
        _ = try statement.step()
        return database.changes == 1
    }

    private func append(
        _ change: ChangeRow, _ bytes: UnsafeRawBufferPointer
    ) throws(SQLFailure) {
        guard let journal = change.journal else { return }
        defer { appendJournal.reset() }
        try appendJournal.bind(change.key, at: 1)
        try appendJournal.bind(change.version, at: 2)
        try appendJournal.bind(journal.at, at: 3)
        try appendJournal.bind(blob: bytes[part: journal.data], at: 4)
        try appendJournal.bind(journal.checksum, at: 5)
        _ = try appendJournal.step()
    }

    /// Clears the bindings: the arena is released, and no statement may point into it.
    private func forgetBindings() {
        for statement in [update, updateAwake, insert, appendJournal] { statement.clear() }
    }
}

extension Statement {
    /// Runs a statement without values.
    fileprivate func run() throws(SQLFailure) {
        defer { reset() }
        _ = try step()
    }
}

extension UnsafeRawBufferPointer {
    /// A part, with its own address.
    fileprivate subscript(part range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }
}
