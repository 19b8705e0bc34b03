internal import GameLogic

/// A connection to PostgreSQL as the tables use it. Confined to the executor of its owner.
///
/// It keeps nothing in PostgreSQL between transactions, no prepared statement and no setting, so
/// that a pooler may give each transaction another connection.
final class PostgreSQLSession {
    /// The shard whose lease fences what belongs to no party. One node owns all shards.
    static let common: Int64 = 0
    private static let lock: StaticString =
        "SELECT epoch FROM shard_lease WHERE shard = ?1 FOR SHARE"

    let link: PostgreSQLLink
    /// The packs that rows of this session name.
    private(set) lazy var packs = PackCache(self)
    /// What PostgreSQL gets instead of `?1`, by the address of the SQL.
    private var texts: [UnsafePointer<UInt8>: [CChar]] = [:]
    /// The epoch of the owner, once this transaction has locked it.
    private var lockedEpoch: Int64?

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

    /// Locks the lease, so that another owner waits for the end of this transaction.
    func require(_ owner: Epoch) throws {
        if lockedEpoch == nil {
            lockedEpoch = try integer(Self.lock, [.integer(Self.common)])
        }
        guard lockedEpoch == owner.number else { throw StoreError.notTheOwner }
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
        let mode =
            switch purpose {
            case .reading: "ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .writing, .upgrading: "ISOLATION LEVEL READ COMMITTED"
            }
        let limit =
            switch purpose {
            case .reading, .writing: PostgreSQLLink.statementMillisecondsMax
            case .upgrading: PostgreSQLUpgrade.statementMillisecondsMax
            }
        lockedEpoch = nil
        link.answerMilliseconds = limit + PostgreSQLLink.answerMillisecondsBeyond
        try link.run(
            script: """
                BEGIN \(mode);
                SET LOCAL statement_timeout = \(limit);
                SET LOCAL idle_in_transaction_session_timeout = \
                \(PostgreSQLLink.statementMillisecondsMax)
                """)
    }

    /// A transaction in which a statement has failed is not committed, even if the failure was
    /// ignored.
    func commit() throws(SQLFailure) {
        lockedEpoch = nil
        let tag = try answer("COMMIT", []).tag
        guard tag == "COMMIT" else {
            throw SQLFailure(
                state: "40000", message: "that the transaction was rolled back before its end")
        }
    }

    /// Runs statements of batches in one round trip, after one that locks the owner's epoch.
    /// Returns the keys that each has written.
    func run(_ statements: [PostgreSQLBatch.Statement]) throws(SQLFailure) -> [Set<Int64>] {
        let lock = (
            sql: text(of: Self.lock), parameters: PostgreSQLParameters([.integer(Self.common)])
        )
        let answers = try link.run(
            pipeline: [lock] + statements.map { (text(of: $0.sql), $0.parameters) })
        lockedEpoch = answers[0].rowCount > 0 ? answers[0].row(0).integer(0) : nil
        return answers.dropFirst().map { answer in
            Set((0..<answer.rowCount).map { answer.row($0).integer(0) })
        }
    }

    /// Whether this is the newest epoch, in a transaction that has locked it.
    func isOwner(_ epoch: Epoch) -> Bool { lockedEpoch == epoch.number }

    /// Rolls the transaction back, if the connection still has one.
    func rollBack() {
        lockedEpoch = nil
        guard link.isUsable, link.isInTransaction else { return }
        do throws(SQLFailure) {
            try run("ROLLBACK")
        } catch {
            // Nothing was committed, and the connection is of no more use.
        }
    }

    /// Takes all shards. The previous owner writes nothing more. Refused when the database is not
    /// one that this program may serve any more: a node that was away joins by this too.
    func takeOwnership() throws -> Int64 {
        // The lock first: of two that start at the same time, the second sees the first's epoch.
        try lockCommonShard()
        try requireServable()
        return try raiseEpochs()
    }

    /// Waits until no transaction of the owner is under way, and keeps it so.
    func lockCommonShard() throws(SQLFailure) {
        try run(
            "SELECT epoch FROM shard_lease WHERE shard = ?1 FOR UPDATE", [.integer(Self.common)])
    }

    /// Raises the epochs of all shards: whoever had one of them writes nothing more. Returns the new
    /// one.
    func raiseEpochs() throws(SQLFailure) -> Int64 {
        try run(
            """
            UPDATE shard_lease SET epoch = newest.epoch + 1
            FROM (SELECT max(epoch) AS epoch FROM shard_lease) AS newest
            """, [])
        lockedEpoch = try integer(
            "SELECT epoch FROM shard_lease WHERE shard = ?1", [.integer(Self.common)])
        return lockedEpoch ?? 0
    }
}
