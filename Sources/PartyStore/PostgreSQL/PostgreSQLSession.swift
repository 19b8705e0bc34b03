internal import GameLogic

/// A connection to PostgreSQL as the tables use it. Confined to the executor of its owner.
///
/// It keeps nothing in PostgreSQL between transactions, no prepared statement and no setting, so
/// that a pooler may give each transaction another connection.
final class PostgreSQLSession {
    /// Keeps the node until the end of the transaction, but not from renewing its lease.
    static let lock: StaticString =
        "SELECT epoch FROM node WHERE epoch = ?1 FOR KEY SHARE"

    let link: PostgreSQLLink
    /// The packs that rows of this session name.
    private(set) lazy var packs = PackCache(self)
    /// What PostgreSQL gets instead of `?1`, by the address of the SQL.
    private var texts: [UnsafePointer<UInt8>: [CChar]] = [:]
    /// The nodes that this transaction keeps.
    private var lockedEpochs: Set<Int64> = []
    /// Those that it kept before the change under way.
    private var lockedBeforeChange: Set<Int64> = []

    init(_ address: PostgreSQLAddress) throws(SQLFailure) {
        link = try PostgreSQLLink(address)
    }

    /// Returns the text with PostgreSQL's parameters, `$1` for `?1`, and a zero byte at the end.
    func text(of sql: StaticString) -> [CChar] {
        if let known = texts[sql.utf8Start] { return known }
        let bytes = UnsafeBufferPointer(start: sql.utf8Start, count: sql.utf8CodeUnitCount)
        let text =
            bytes.map { CChar(bitPattern: $0 == UInt8(ascii: "?") ? UInt8(ascii: "$") : $0) } + [0]
        texts[sql.utf8Start] = text
        return text
    }

    private func answer(
        _ sql: StaticString, _ values: [SQLValue]
    ) throws(SQLFailure) -> PostgreSQLResult {
        try link.run(text(of: sql), PostgreSQLParameters(values))
    }
}

extension PostgreSQLSession: SQLSession {
    var dialect: SQLDialect { .postgreSQL }

    @discardableResult
    func run(_ sql: StaticString, _ values: [SQLValue]) throws(SQLFailure) -> Int {
        try answer(sql, values).changes
    }

    func each(
        _ sql: StaticString, _ values: [SQLValue], _ body: (any SQLRow) -> Scan
    ) throws(SQLFailure) {
        let answer = try answer(sql, values)
        for index in 0..<answer.rowCount {
            switch body(answer.row(index)) {
            case .goOn: continue
            case .stop: return
            }
        }
    }

    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try begin(.reading)
        defer { rollBack() }
        return try body()
    }

    /// Locks the node, so that its removal waits for the end of this transaction.
    func require(_ owner: Epoch) throws {
        if !isOwner(owner),
            let locked = try row(Self.lock, [.integer(owner.number)], read: { $0.integer(0) })
        {
            lockedEpochs.insert(locked)
        }
        guard isOwner(owner) else { throw StoreError.notTheOwner }
    }
}

// MARK: Transactions

extension PostgreSQLSession {
    enum Purpose {
        case reading, writing
        /// Changes tables, or waits for another node that does.
        case upgrading
    }

    /// The limits hold for the transaction alone, which a pooler may run on any connection.
    func begin(_ purpose: Purpose) throws(SQLFailure) {
        lockedEpochs = []
        link.answerMilliseconds =
            Self.statementMilliseconds(purpose) + PostgreSQLLink.answerMillisecondsBeyond
        try link.run(script: Self.beginnings(purpose).joined(separator: ";"))
    }

    /// Returns the statements that begin a transaction.
    static func beginnings(_ purpose: Purpose) -> [String] {
        let mode =
            switch purpose {
            case .reading: "ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .writing, .upgrading: "ISOLATION LEVEL READ COMMITTED"
            }
        return [
            "BEGIN \(mode)",
            "SET LOCAL statement_timeout = \(statementMilliseconds(purpose))",
            "SET LOCAL idle_in_transaction_session_timeout = "
                + "\(PostgreSQLLink.idleMillisecondsMax)",
        ]
    }

    private static func statementMilliseconds(_ purpose: Purpose) -> Int64 {
        switch purpose {
        case .reading, .writing: PostgreSQLLink.statementMillisecondsMax
        case .upgrading: PostgreSQLUpgrade.statementMillisecondsMax
        }
    }

    /// A transaction in which a statement has failed is not committed, even if the failure was
    /// ignored. One that PostgreSQL commits with a warning may be missing from the synchronous
    /// standby: an operator has canceled the wait for it.
    func commit() throws(SQLFailure) {
        lockedEpochs = []
        let tag = try answer("COMMIT", []).tag
        guard tag == "COMMIT" else {
            throw SQLFailure(
                state: "40000", message: "that the transaction was rolled back before its end")
        }
        if let warning = link.warning {
            throw SQLFailure(
                state: SQLFailure.inDoubt, message: "that a commit is in doubt: \(warning)")
        }
    }

    /// Runs statements of batches in one round trip, after one that locks their node. Returns the
    /// keys that each has written.
    func run(
        _ statements: [PostgreSQLBatch.Statement], of owners: Set<Int64>
    ) throws(SQLFailure) -> [Set<Int64>] {
        let locks = owners.subtracting(lockedEpochs).map { owner in
            (sql: text(of: Self.lock), parameters: PostgreSQLParameters([.integer(owner)]))
        }
        guard !locks.isEmpty || !statements.isEmpty else { return [] }
        let answers = try link.run(
            pipeline: locks + statements.map { (text(of: $0.sql), $0.parameters) })
        for answer in answers.prefix(locks.count) where answer.rowCount > 0 {
            lockedEpochs.insert(answer.row(0).integer(0))
        }
        return answers.dropFirst(locks.count).map { answer in
            Set((0..<answer.rowCount).map { answer.row($0).integer(0) })
        }
    }

    /// Whether this is a living node, in a transaction that has locked it.
    func isOwner(_ epoch: Epoch) -> Bool { lockedEpochs.contains(epoch.number) }

    /// Begins a change that may be undone alone.
    func beginChange() throws(SQLFailure) {
        lockedBeforeChange = lockedEpochs
        try run("SAVEPOINT change")
    }

    /// Ends the change; if it was refused, undoes what it did, its locks of nodes included.
    func endChange(_ refusal: StoreError?) throws(SQLFailure) {
        if refusal != nil {
            lockedEpochs = lockedBeforeChange
            try run("ROLLBACK TO change")
        }
        try run("RELEASE change")
    }

    /// Lets no other transaction take the same locks until this one ends: what is read before it is
    /// changed stays true, as with one writer. All take them in the same order, so that none waits
    /// for one that waits for it.
    func take(_ locks: RowLocks) throws(SQLFailure) {
        if locks.takesTurn { try run("SELECT id FROM turn WHERE id = 1 FOR UPDATE") }
        guard !locks.players.isEmpty || !locks.heroes.isEmpty else { return }
        var parameters = PostgreSQLParameters()
        parameters.append(texts: locks.players.map(\.rawValue))
        parameters.append(texts: locks.heroes.map(\.rawValue))
        // Rows that refer to a player can be inserted meanwhile.
        let sql: StaticString = """
            SELECT id FROM players WHERE id IN (
                SELECT unnest(?1::text[]) UNION SELECT owner FROM heroes WHERE id = ANY (?2::text[]))
            ORDER BY id FOR NO KEY UPDATE OF players
            """
        _ = try link.run(text(of: sql), parameters)
    }

    /// Rolls the transaction back, if the connection still has one.
    func rollBack() {
        lockedEpochs = []
        guard link.isUsable, link.isInTransaction else { return }
        do throws(SQLFailure) {
            try run("ROLLBACK")
        } catch {
            // Nothing was committed, and the connection is of no more use.
        }
    }
}
