internal import GameLogic
internal import Isolation

/// A store whose rows lie in tables: all its calls but those that depend on the database, such as
/// batches and the owner. The same Swift and the same SQL serve every database.
package protocol TableStore: Store {
    /// How the calls reach the database.
    var tables: Tables { get }
}

/// The sessions of one database, and what its tables' calls remember between them.
package struct Tables: Sendable {
    let sessions: any TableSessions
    let damage: Damage
    let fold = Locked(FoldProgress())
}

/// Runs the tables' reads and writes on the sessions of one database.
protocol TableSessions: Sendable {
    /// Reads on a session that changes nothing.
    func read<Result: Sendable>(
        _ body: @Sendable (any SQLSession) throws -> Result
    ) async throws(ReadFailure) -> Result

    /// Writes with the next transaction, which has these locks. Returns what `change` returned, once
    /// it is durable.
    func write(
        _ locks: RowLocks, _ change: @escaping @Sendable (any SQLSession) throws -> Int64
    ) async throws(StoreError) -> Int64
}

/// Why a read failed.
enum ReadFailure: Error {
    case refused(StoreError)
    case failed(SQLFailure)
    case damaged(RowFault)
}

extension ReadFailure {
    /// Creates the failure of a read whose body threw.
    init(_ error: any Error) {
        switch error {
        case let failure as SQLFailure: self = .failed(failure)
        case let fault as RowFault: self = .damaged(fault)
        default: self = .failed(.unforeseen(error))
        }
    }

    /// Returns the error for the caller of the store.
    func storeError(
        _ damage: Damage, explain: (SQLFailure) -> StoreError = { $0.storeError },
        damaged: ((RowFault) -> StoreError)? = nil
    ) -> StoreError {
        switch self {
        case .refused(let refusal): refusal
        case .failed(let failure): explain(failure)
        case .damaged(let fault): damaged?(fault) ?? damage.corrupt(fault)
        }
    }
}

extension TableStore {
    var damage: Damage { tables.damage }

    /// Reads. `explain` maps a failure of the database for this read, `damaged` a row that is not
    /// what was written.
    func read<Result: Sendable>(
        explain: (SQLFailure) -> StoreError = { $0.storeError },
        damaged: ((RowFault) -> StoreError)? = nil,
        _ body: @Sendable (any SQLSession) throws -> Result
    ) async throws(StoreError) -> Result {
        do throws(ReadFailure) {
            return try await tables.sessions.read(body)
        } catch {
            throw error.storeError(damage, explain: explain, damaged: damaged)
        }
    }

    /// Reads rows of one party, to which any damage there belongs.
    func read<Result: Sendable>(
        of party: PartyID, _ body: @Sendable (any SQLSession) throws -> Result
    ) async throws(StoreError) -> Result {
        try await read(
            explain: { self.damage.explain($0, of: party) },
            damaged: { self.damage.corrupt(party, $0) }, body)
    }

    /// Returns a row's value. A damaged row is reported and omitted.
    func sound<Value>(_ read: () throws(RowFault) -> Value) -> Value? {
        do throws(RowFault) {
            return try read()
        } catch {
            _ = damage.corrupt(error)
            return nil
        }
    }

    /// Runs a change in a transaction, as the owner. One that writes a player's rows must lock the
    /// player.
    func asOwner(
        _ epoch: Epoch, _ locks: RowLocks = .turn,
        _ body: @escaping @Sendable (any SQLSession) throws -> Int64
    ) async throws(StoreError) -> Int64 {
        try await tables.sessions.write(locks + .node(epoch)) { session in
            try session.require(epoch)
            return try body(session)
        }
    }
}
