/// The store that a game leaves.
protocol MoveSource: AnyObject {
    var session: any MoveSession { get }

    /// Whether an earlier run of the command has come to its end here.
    var isMoved: Bool { get }

    /// Returns what is wrong beyond single rows, in words.
    func problems() throws -> [String]

    /// Marks the game as moved to another store, from where it goes on.
    func leave(for target: String) throws

    /// Lets the game be served again, after a move that failed.
    func release() throws
}

/// The store that a game arrives in.
protocol MoveTarget: AnyObject {
    var session: any MoveSession { get }

    /// Marks the store as the target, which must be empty or have a part of this very game. What it
    /// has of an older state of the game is removed.
    ///
    /// - Returns: What has been copied already.
    func claim(from source: String, game: Int64) throws -> MoveMark

    /// Inserts rows, and notes in the same transaction that they are there.
    func write(_ block: RowBlock) throws

    /// Sets the last numbers, and lets the game be served.
    func finish(_ counters: MoveCounters) throws
}

extension MoveMark {
    /// A mark was written by a later run of the command.
    static let takenOver = StoreError.broken(
        "another `rangers migrate` has taken over this move: wait for its end")
}

// MARK: From a file

/// A file that a game leaves. It is locked, so that no server can use it.
final class FileSource: MoveSource {
    private let lock: FileLock
    private let database: Database
    private let run: Int64
    let isMoved: Bool

    var session: any MoveSession { database }

    init(_ path: String, target: String, run: Int64) throws {
        guard FileCopy.exists(path) else { throw StoreError.broken("There is no file \(path).") }
        var file = SQLiteFile(path: path, checkedBytesMax: -1)
        file.takesMarked = true
        lock = try FileLock(path, .alone)
        _ = try LogGuard(file: file).inspect(.refused)
        database = try file.open()
        if let outdated = try file.examine(database).outdated { throw outdated }
        self.run = run
        let mark = try database.moveMark()
        isMoved = mark != nil
        guard let mark else { return }
        guard mark.role == .moved, mark.other == target else { throw mark.refusal(of: path) }
    }

    func problems() throws -> [String] {
        try database.rows("PRAGMA integrity_check(100)") { $0.text(0) }.filter { $0 != "ok" }
            + database.rows("PRAGMA foreign_key_check") {
                "\($0.text(0)) row \($0.integer(1)) refers to a row of \($0.text(2)) that is missing"
            }
    }

    func leave(for target: String) throws {
        try database.mark(MoveMark(role: .moved, other: target, run: run))
    }

    /// The lock ends with the command: until the end there is no mark.
    func release() {}
}

// MARK: From a database

/// A database that a game leaves. It is marked and fenced, so that no server can write.
final class DatabaseSource: MoveSource {
    private let database: PostgreSQLSession
    private let run: Int64
    private(set) var isMoved = false

    var session: any MoveSession { database }

    init(_ address: PostgreSQLAddress, target: String, run: Int64) throws {
        database = try PostgreSQLSession(address)
        self.run = run
        if let refusal = try database.refusalToRead() { throw refusal }
        var role = MoveMark.Role.source
        try database.changing { database in
            if let mark = try MoveMark.read(database) {
                guard mark.role == .source || mark.role == .moved && mark.other == target else {
                    throw mark.refusal(of: "\(address)")
                }
                role = mark.role
            }
            try MoveMark(role: role, other: target, run: run).write(to: database)
            _ = try database.removeNodes()
        }
        isMoved = role == .moved
    }

    func problems() -> [String] { [] }

    func leave(for target: String) throws {
        try database.changing { [run] database in
            guard
                try database.run(
                    "UPDATE store_move SET role = ?1, other = ?2 WHERE run = ?3",
                    [
                        .text(MoveMark.Role.moved.rawValue), .text(target), .integer(run),
                    ]) == 1
            else { throw MoveMark.takenOver }
        }
    }

    func release() throws {
        try database.changing { [run] database in
            try database.run(
                "DELETE FROM store_move WHERE role = ?1 AND run = ?2",
                [.text(MoveMark.Role.source.rawValue), .integer(run)])
        }
    }
}

extension PostgreSQLSession {
    /// Runs a change in a transaction that no owner of a shard has another one beside.
    func changing(_ body: (PostgreSQLSession) throws -> Void) throws {
        try inTransaction(.upgrading) { session in
            try session.lockNodes()
            try body(session)
        }
    }

    /// Runs a change in a transaction.
    func inTransaction(_ purpose: Purpose, _ body: (PostgreSQLSession) throws -> Void) throws {
        try begin(purpose)
        do {
            try body(self)
            try commit()
        } catch {
            rollBack()
            throw error
        }
    }
}
