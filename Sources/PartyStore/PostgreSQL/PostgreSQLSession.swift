internal import GameLogic

/// A connection to PostgreSQL as the tables use it. Confined to the executor of its owner.
///
/// It keeps nothing in PostgreSQL between transactions, so that a pooler may give each transaction
/// another connection. Without a pooler, statements have names.
final class PostgreSQLSession {
    /// Keeps the node until the end of the transaction, but not from renewing its lease.
    static let lock: StaticString =
        "SELECT epoch FROM node WHERE epoch = ?1 FOR KEY SHARE"

    private static let takeTurn: StaticString = "SELECT id FROM turn WHERE id = 1 FOR UPDATE"
    /// Rows that refer to the player can be inserted meanwhile.
    private static let lockPlayer: StaticString =
        "SELECT id FROM players WHERE id = ?1 FOR NO KEY UPDATE"
    /// ?1 players, ?2 heroes whose owners are locked.
    private static let lockPlayers: StaticString = """
        SELECT id FROM players WHERE id IN (
            SELECT unnest(?1::text[]) UNION SELECT owner FROM heroes WHERE id = ANY (?2::text[]))
        ORDER BY id FOR NO KEY UPDATE OF players
        """

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
        begin(.reading)
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

    /// Begins with the next statement. The limits hold for the transaction alone, which a pooler may
    /// run on any connection.
    func begin(_ purpose: Purpose) {
        lockedEpochs = []
        link.answerMilliseconds =
            Self.statementMilliseconds(purpose) + PostgreSQLLink.answerMillisecondsBeyond
        for statement in Self.beginnings(purpose) { link.runWithNext(statement) }
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
        case .upgrading: migrationMillisecondsMax
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
                state: "40000", message: "the transaction was rolled back before its end")
        }
        if let warning = link.warning {
            throw SQLFailure(
                state: SQLFailure.inDoubt, message: "a commit is in doubt: \(warning)")
        }
    }

    /// Runs statements of batches in one round trip, after those that lock their nodes and what else
    /// they need. Returns the keys that each has written.
    func run(
        _ statements: [PostgreSQLBatch.Statement], of owners: Set<Int64>,
        taking locks: RowLocks = .none
    ) throws(SQLFailure) -> [Set<Int64>] {
        let nodes = owners.subtracting(lockedEpochs).map { owner in
            (sql: text(of: Self.lock), parameters: PostgreSQLParameters([.integer(owner)]))
        }
        let first = nodes + self.statements(taking: locks)
        let all = first + statements.map { (text(of: $0.sql), $0.parameters) }
        guard !all.isEmpty else {
            try link.runDeferred()
            return []
        }
        let answers = try link.run(pipeline: all)
        for answer in answers.prefix(nodes.count) where answer.rowCount > 0 {
            lockedEpochs.insert(answer.row(0).integer(0))
        }
        return answers.dropFirst(first.count).map { answer in
            Set((0..<answer.rowCount).map { answer.row($0).integer(0) })
        }
    }

    /// Whether this is a living node, in a transaction that has locked it.
    func isOwner(_ epoch: Epoch) -> Bool { lockedEpochs.contains(epoch.number) }

    /// Begins a change that may be undone alone.
    func beginChange() {
        lockedBeforeChange = lockedEpochs
        link.runWithNext("SAVEPOINT change")
    }

    /// Ends the change; if it was refused, undoes what it did, its locks of nodes included.
    func endChange(_ refusal: StoreError?) {
        if refusal != nil {
            lockedEpochs = lockedBeforeChange
            link.runWithNext("ROLLBACK TO change")
        }
        link.runWithNext("RELEASE change")
    }

    /// Lets no other transaction take the same locks until this one ends: what is read before it is
    /// changed stays true, as with one writer. All take them in the same order, so that none waits
    /// for one that waits for it.
    private func statements(
        taking locks: RowLocks
    ) -> [(sql: [CChar], parameters: PostgreSQLParameters)] {
        var statements: [(sql: [CChar], parameters: PostgreSQLParameters)] = []
        if locks.takesTurn { statements.append((text(of: Self.takeTurn), .none)) }
        if locks.heroes.isEmpty, locks.players.count <= 1 {
            return statements
                + locks.players.map {
                    (text(of: Self.lockPlayer), PostgreSQLParameters([.text($0.rawValue)]))
                }
        }
        var parameters = PostgreSQLParameters()
        parameters.append(texts: locks.players.map(\.rawValue))
        parameters.append(texts: locks.heroes.map(\.rawValue))
        return statements + [(text(of: Self.lockPlayers), parameters)]
    }

    /// Rolls the transaction back, if the connection still has one.
    func rollBack() {
        lockedEpochs = []
        link.dropDeferred()
        guard link.isUsable, link.isInTransaction else { return }
        do throws(SQLFailure) {
            try run("ROLLBACK")
        } catch {
            // Nothing was committed, and the connection is of no more use.
        }
    }
}
