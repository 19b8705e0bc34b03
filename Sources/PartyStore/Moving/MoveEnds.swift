/// The store that a game leaves.
protocol MoveSource: AnyObject {
    var session: any MoveSession { get }

    /// Whether an earlier run of the command has come to its end here.
    var isMoved: Bool { get }

    /// Keeps servers away until the end of the move.
    func claim() throws

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

    /// Returns the mark of an unfinished move from the source; `nil`: the store is empty.
    ///
    /// - Throws: `.broken`: it is neither.
    func mark(of source: String) throws -> MoveMark?

    /// Marks the store as the target, which must be empty or have a part of this very game. What it
    /// has of an older state of the game is removed.
    ///
    /// - Returns: What has been copied already.
    func claim(from source: String, game: Int64) throws -> MoveMark

    /// Inserts rows, and notes in the same transaction that they are there.
    func write(_ block: RowBlock) throws

    /// Counts what was copied, so that queries are not planned for empty tables.
    func analyze() throws

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
        _ = try file.examine(database)
        self.run = run
        let mark = try database.moveMark()
        isMoved = mark != nil
        guard let mark else { return }
        guard mark.role == .moved, mark.other == target else { throw mark.refusal(of: path) }
    }

    /// The lock keeps them away.
    func claim() {}

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
    private let address: PostgreSQLAddress
    private let database: PostgreSQLSession
    private let target: String
    private let run: Int64
    private(set) var isMoved = false
    private var isClaimed = false

    var session: any MoveSession { database }

    init(_ address: PostgreSQLAddress, target: String, run: Int64) throws {
        self.address = address
        database = try PostgreSQLSession(address)
        (self.target, self.run) = (target, run)
        if let refusal = try database.refusalToRead() { throw refusal }
        isMoved = try role() == .moved
    }

    /// Returns what the database says of itself, or will.
    private func role() throws -> MoveMark.Role {
        guard let mark = try MoveMark.read(database) else { return .source }
        guard mark.role == .source || mark.role == .moved && mark.other == target else {
            throw mark.refusal(of: "\(address)")
        }
        return mark.role
    }

    func claim() throws {
        isClaimed = true
        try database.changing { database in
            let mark = MoveMark(role: try role(), other: target, run: run)
            isMoved = mark.role == .moved
            try mark.write(to: database)
            _ = try database.removeNodes()
        }
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
        guard isClaimed else { return }
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
        begin(purpose)
        do {
            try body(self)
            try commit()
        } catch {
            rollBack()
            throw error
        }
    }
}
