internal import Glibc

/// A file that a game arrives in. Until the end it has a mark, with which no program serves it.
final class FileTarget: MoveTarget {
    /// How many bytes are written between two copies of the log into the file.
    private static let logBytesMax = 32 << 20

    private let path: String
    private let run: Int64
    private var lock: FileLock?
    private var database: Database
    private var logBytes = 0

    var session: any MoveSession { database }

    init(_ path: String, run: Int64) throws {
        self.path = path
        self.run = run
        (lock, database) = try Self.open(path)
    }

    private static func open(_ path: String) throws -> (FileLock, Database) {
        var file = SQLiteFile(path: path, checkedBytesMax: -1)
        file.takesMarked = true
        try file.prepare()
        let lock = try FileLock(path, .alone)
        let database = try file.open()
        try file.checkOrigin(of: database)
        return (lock, database)
    }

    private var isNew: Bool {
        get throws { try database.integer("SELECT count(*) FROM sqlite_schema") == 0 }
    }

    func mark(of source: String) throws -> MoveMark? {
        guard let mark = try database.moveMark() else {
            try requireEmpty()
            return nil
        }
        guard mark.role == .target, mark.other == source else { throw mark.refusal(of: path) }
        return mark
    }

    func claim(from source: String, game: Int64) throws -> MoveMark {
        var mark = MoveMark(role: .target, other: source, run: run, game: game)
        if let found = try self.mark(of: source) {
            if found.game == game {
                (mark.copied, mark.position) = (found.copied, found.position)
            } else {
                try beginAgain()
            }
        }
        try database.changing { database in
            if try isNew { try Schema.create(on: database) }
            try database.write(mark)
        }
        return mark
    }

    /// Removes what is there of an older state.
    private func beginAgain() throws {
        lock = nil
        database = try Database(path: ":memory:", access: .readWrite)
        for suffix in ["-wal", "-shm", ""] { unlink(path + suffix) }
        (lock, database) = try Self.open(path)
    }

    private func requireEmpty() throws {
        guard try isNew == false else { return }
        if let refusal = Migrations.product.refusal(of: path, with: try database.schema()) {
            throw refusal
        }
        let (epoch, hasGame) = (try database.epoch(), try database.hasGame())
        guard epoch == 0, !hasGame else {
            throw MoveTargets.hasGame("\(GamePlace.file(path))")
        }
    }

    func write(_ block: RowBlock) throws {
        try database.changing { database in
            try database.note(block, run)
            try database.insert(block)
        }
        logBytes += block.byteCount
        guard logBytes > Self.logBytesMax else { return }
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        logBytes = 0
    }

    /// SQLite plans its queries without counts.
    func analyze() {}

    func finish(_ counters: MoveCounters) throws {
        try database.changing { database in
            try database.run("DELETE FROM sqlite_sequence WHERE name = 'audit'")
            try database.run(
                "INSERT INTO sqlite_sequence (name, seq) VALUES ('audit', ?1)",
                [.integer(counters.audit)])
            try database.run(
                "UPDATE ownership SET epoch = ?1 WHERE id = 1", [.integer(counters.epoch)])
            try database.unmark()
        }
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}

/// A database that a game arrives in. Until the end it has a mark, with which no node serves it.
final class DatabaseTarget: MoveTarget {
    private let address: PostgreSQLAddress
    private let run: Int64
    private let database: PostgreSQLSession

    var session: any MoveSession { database }

    init(_ address: PostgreSQLAddress, run: Int64) throws {
        self.address = address
        self.run = run
        database = try PostgreSQLSession(address)
        guard try database.storedVersion() != nil || !database.hasTables() else {
            throw StoreError.broken(
                "\(address) has tables of another program: name an empty database")
        }
        try database.createTables()
        if let refusal = try database.refusalToRead() { throw refusal }
    }

    func mark(of source: String) throws -> MoveMark? {
        guard let mark = try MoveMark.read(database) else {
            let (epoch, hasGame) = (try database.counters().epoch, try database.hasGame())
            guard epoch == 0, !hasGame else { throw MoveTargets.hasGame("\(address)") }
            return nil
        }
        guard mark.role == .target, mark.other == source else {
            throw mark.refusal(of: "\(address)")
        }
        return mark
    }

    func claim(from source: String, game: Int64) throws -> MoveMark {
        var mark = MoveMark(role: .target, other: source, run: run, game: game)
        try database.changing { database in
            if let found = try self.mark(of: source) {
                if found.game == game {
                    (mark.copied, mark.position) = (found.copied, found.position)
                } else {
                    let names = try MovedTable.all().map(\.name).joined(separator: ", ")
                    try database.link.run(script: "TRUNCATE \(names)")
                }
            }
            try mark.write(to: database)
        }
        return mark
    }

    func write(_ block: RowBlock) throws {
        try database.inTransaction(.writing) { database in
            try database.note(block, run)
            try database.insert(block)
        }
    }

    func analyze() throws {
        for table in try MovedTable.all() {
            try database.inTransaction(.upgrading) { database in
                try database.link.run(script: "ANALYZE \(table.name)")
            }
        }
    }

    func finish(_ counters: MoveCounters) throws {
        try database.changing { [run] database in
            try database.run(
                "UPDATE audit_count SET last = ?1 WHERE id = 1", [.integer(counters.audit)])
            try database.run("UPDATE cluster SET epoch = ?1", [.integer(counters.epoch)])
            let removed = try database.run(
                "DELETE FROM store_move WHERE run = ?1", [.integer(run)])
            guard removed == 1 else { throw MoveMark.takenOver }
        }
    }
}

/// What both kinds of targets refuse.
enum MoveTargets {
    static func hasGame(_ store: String) -> StoreError {
        .broken(
            "\(store) has a game already, or has been served: name a new file or an empty database")
    }
}

extension MoveSession {
    /// Whether any table has a row.
    fileprivate func hasGame() throws(SQLFailure) -> Bool {
        for table in try MovedTable.all() where try hasRow(in: table) { return true }
        return false
    }

    /// Notes that rows are copied. Refused when a later run of the command has begun.
    fileprivate func note(_ block: RowBlock, _ run: Int64) throws {
        let noted = try self.run(
            "UPDATE store_move SET copied = ?1, position = ?2 WHERE id = 1 AND run = ?3",
            [
                .text(block.table.name), .blob(MovePosition.bytes(of: block.position)),
                .integer(run),
            ])
        guard noted == 1 else { throw MoveMark.takenOver }
    }
}

// MARK: Marks of files

extension Database {
    /// Returns the mark; `nil`: there is none.
    func moveMark() throws(SQLFailure) -> MoveMark? {
        try integer("PRAGMA application_id") == Schema.markedID ? try MoveMark.read(self) : nil
    }

    /// Marks the file: no program serves it.
    func mark(_ mark: MoveMark) throws {
        try changing { try $0.write(mark) }
    }

    /// Runs a change in a transaction.
    func changing(_ body: (Database) throws -> Void) throws {
        try begin()
        do {
            try body(self)
            try commit()
        } catch {
            rollBack()
            throw error
        }
    }

    /// Writes the mark in the caller's transaction.
    func write(_ mark: MoveMark) throws(SQLFailure) {
        if try integer("PRAGMA application_id") != Schema.markedID {
            try execute("DROP TABLE IF EXISTS store_move; \(MoveMark.table)")
        }
        try mark.write(to: self)
        try execute("PRAGMA application_id = \(Schema.markedID)")
    }

    /// Removes the mark in the caller's transaction.
    func unmark() throws(SQLFailure) {
        try execute(
            """
            DROP TABLE IF EXISTS store_move;
            PRAGMA application_id = \(Schema.applicationID)
            """)
    }
}
