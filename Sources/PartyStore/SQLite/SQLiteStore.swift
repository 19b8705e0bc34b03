internal import GameLogic
internal import Isolation

/// A store in one SQLite file, for one server: one connection writes, others read, one copies
/// the log. All SQL is behind it.
package final class SQLiteStore: Store {
    /// Reads at a time; more are answered with `.unavailable`.
    package static let readsMax = 4096
    private static let readerCount = 2

    let writer: GroupCommit
    private let checkpointer: Checkpointer
    private let readers: [Reader]
    private let onEvent: @Sendable (StoreEvent) -> Void
    private let state = Locked(State())

    private struct State: Sendable {
        var reads = 0
        var nextReader = 0
        /// Parties whose rows were found corrupt: nobody is told that they are due.
        var frozen: Set<String> = []
    }

    /// Opens the file, and creates it if there is none; its folder must exist. Takes no
    /// ownership yet.
    ///
    /// `onEvent` hears what an operator should know. It is called on the store's threads: it
    /// must not block. Throws `.broken` with instructions when the file cannot be used,
    /// `.unavailable` when it is busy or the disk is full.
    package static func open(
        path: String, onEvent: @escaping @Sendable (StoreEvent) -> Void = { _ in }
    ) async throws(StoreError) -> SQLiteStore {
        try SQLiteStore(path: path, onEvent: onEvent)
    }

    private init(
        path: String, onEvent: @escaping @Sendable (StoreEvent) -> Void
    ) throws(StoreError) {
        let file = SQLiteFile(path: path)
        let writing = try file.open()
        self.onEvent = onEvent
        checkpointer = Checkpointer(
            database: try file.reopen(.readWrite), onEvent: onEvent)
        writer = GroupCommit(database: writing, checkpointer: checkpointer, onEvent: onEvent)
        var readers: [Reader] = []
        for _ in 0..<Self.readerCount {
            readers.append(Reader(database: try file.reopen(.readOnly)))
        }
        self.readers = readers
    }

    package func ping() async throws(StoreError) {
        _ = try await read { database throws(SQLiteFailure) in try database.epoch() }
    }

    package func close() async {
        await writer.close()
        for reader in readers { await reader.close() }
        await checkpointer.close()
    }
}

// MARK: Reading

extension SQLiteStore {
    /// Reads on one of the reading connections; `explain` says what a failure of SQLite means
    /// to this read.
    func read<Result: Sendable>(
        explain: (SQLiteFailure) -> StoreError = { $0.storeError },
        _ body: @Sendable (Database) throws(SQLiteFailure) -> Result
    ) async throws(StoreError) -> Result {
        guard let reader = nextReader() else {
            throw .unavailable("\(Self.readsMax) reads are waiting already")
        }
        defer { state.withLock { $0.reads -= 1 } }
        do throws(ReadFailure) {
            return try await reader.read(body)
        } catch {
            switch error {
            case .closed: throw .closed
            case .failed(let failure): throw explain(failure)
            }
        }
    }

    private func nextReader() -> Reader? {
        let index: Int? = state.withLock { state in
            guard state.reads < Self.readsMax else { return nil }
            state.reads += 1
            state.nextReader = (state.nextReader + 1) % Self.readerCount
            return state.nextReader
        }
        return index.map { readers[$0] }
    }

    /// Reads rows of one party: a damaged page there is that party's damage.
    func read<Result: Sendable>(
        of party: PartyID, _ body: @Sendable (Database) throws(SQLiteFailure) -> Result
    ) async throws(StoreError) -> Result {
        try await read(explain: { self.explain($0, of: party) }, body)
    }

    func explain(_ failure: SQLiteFailure, of party: PartyID) -> StoreError {
        failure.isPassing ? failure.storeError : corrupt(party, detail: failure.message)
    }
}

// MARK: Damage

extension SQLiteStore {
    /// Freezes the party, and reports it once.
    func corrupt(_ party: PartyID, detail: String) -> StoreError {
        let isNew = state.withLock { $0.frozen.insert(party.rawValue).inserted }
        if isNew { onEvent(.partyIsCorrupt(party, detail: detail)) }
        return .corrupt(party, detail: detail)
    }

    func corrupt(_ party: PartyID, _ fault: RowFault) -> StoreError {
        corrupt(party, detail: "\(fault.table) \(fault.key): \(fault.detail)")
    }

    /// A player's or hero's row: it is not served, and nothing else is disturbed.
    func corrupt(_ fault: RowFault) -> StoreError {
        onEvent(
            .rowIsCorrupt(table: fault.table, key: fault.key, detail: fault.detail))
        return .unavailable(
            "the row \(fault.key) of \(fault.table) is corrupt (\(fault.detail)): restore it")
    }

    /// Forgets that the party was corrupt: its row has been read well.
    func thaw(_ party: PartyID) {
        state.withLock { _ = $0.frozen.remove(party.rawValue) }
    }

    var frozen: Set<String> { state.withLock { $0.frozen } }
}
