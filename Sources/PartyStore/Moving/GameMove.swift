internal import Isolation

/// Moves a whole game from a file to a database, or back: every row with its bytes and its checksum.
///
/// The source is read once, and nobody writes it meanwhile. Its rows are checked and written to the
/// target in blocks; then the target is read and compared. The target has a mark before its first
/// row. The source gets one when the copy is complete, and only then the target's goes: at no
/// moment can both be served. A repeated move starts over, unless the source has its mark: then the
/// copy is complete, and only the target's mark goes.
package actor GameMove {
    /// What to do with rows that are not what was written.
    package enum Damaged: Sendable {
        /// The move fails.
        case refused
        /// They are moved as they are: damaged.
        case kept
    }

    /// What the move does.
    package struct Note: Sendable {
        package enum Step: Sendable {
            case checking, copying, comparing, leaving, finishing
        }

        package let step: Step
        /// The table of a block; `nil`: the step begins.
        package var table: String?
        /// The rows of the table so far.
        package var rows: Int64 = 0
        /// Those of the block.
        package var added: Int64 = 0
    }

    /// What was moved.
    package struct Report: Sendable {
        package let tables: [(name: String, rows: Int64)]
        /// Damaged rows that were moved as they are, the first few.
        package let faults: [String]
        package let faultCount: Int
    }

    private let executor = QueueExecutor(label: "PartyStore move")

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    package init() {}

    /// Moves a game between a file and a database. `onNote` is called on the move's thread; an error
    /// that it throws interrupts the move. `proof` looks at the complete copy before it is served.
    ///
    /// - Returns: What was moved; `nil`: the game had been moved there already.
    /// - Throws: What is wrong. The source can be served as before then, unless the error says
    ///   otherwise.
    package func run(
        from source: GamePlace, to target: GamePlace, damaged: Damaged = .refused,
        onNote: @escaping @Sendable (Note) throws(StoreError) -> Void = { _ in },
        proof: @Sendable () async throws(StoreError) -> Void = {}
    ) async throws(StoreError) -> Report? {
        switch (source, target) {
        case (.file, .database), (.database, .file): break
        case (.file, .file): throw .broken("both are files: copy one with `rangers backup`")
        case (.database, .database): throw .broken("both are databases: copy one with pg_dump")
        }
        do {
            let move = GameCopy(
                source: try MoveEnd(source), target: try MoveEnd(target, isTarget: true),
                damaged: damaged, onNote: onNote)
            defer { withExtendedLifetime(move) {} }
            guard try move.begin() else { return nil }
            let report = try move.copy()
            try await proof()
            try move.finish()
            return report
        } catch {
            throw Self.storeError(error)
        }
    }

    /// Lets a game be served again that was moved away. The store that it was moved to must not be
    /// served any more.
    ///
    /// - Returns: The store at the other end; `nil`: the game was not moved.
    package func cancel(_ place: GamePlace) throws(StoreError) -> String? {
        do {
            let end = try MoveEnd(place)
            defer { withExtendedLifetime(end) {} }
            return try end.session.inTransaction {
                guard let mark = try end.session.mark() else { return nil }
                guard mark.role == .moved else { throw mark.refusal(of: end.name) }
                try end.session.set(MoveMark?.none)
                return mark.other
            }
        } catch {
            throw Self.storeError(error)
        }
    }

    fileprivate static func storeError(_ error: any Error) -> StoreError {
        switch error {
        case let error as StoreError: error
        case let failure as SQLFailure: failure.storeError
        default: SQLFailure.unforeseen(error).storeError
        }
    }
}

/// One of the two stores of a move. A file is locked, so that no server can use it.
private final class MoveEnd {
    let name: String
    let session: any MoveSession
    private let lock: FileLock?

    init(_ place: GamePlace, isTarget: Bool = false) throws {
        name = "\(place)"
        switch place {
        case .file(let path):
            var file = SQLiteFile(path: path, checkedBytesMax: -1)
            file.takesMarked = true
            if isTarget { try file.prepare() }
            guard file.disk.exists(path) else {
                throw StoreError.broken("There is no file \(path).")
            }
            lock = try FileLock(path, .alone)
            _ = try LogGuard(file: file).inspect(.refused)
            let database = try file.open()
            _ = try file.examine(database)
            // The log of a target stays small.
            try database.execute("PRAGMA wal_autocheckpoint = 8000")
            session = database
        case .database(let address):
            let database = try PostgreSQLSession(address)
            if isTarget {
                guard try database.storedVersion() != nil || !database.hasTables() else {
                    throw StoreError.broken(
                        "\(address) has tables of another program: name an empty database")
                }
                try database.createTables()
            }
            if let refusal = try database.refusalToRead() { throw refusal }
            (session, lock) = (database, nil)
        }
    }
}

/// A run of the command.
private final class GameCopy {
    private let source: MoveEnd
    private let target: MoveEnd
    private let damaged: GameMove.Damaged
    private let onNote: (GameMove.Note) throws(StoreError) -> Void
    private let run = RandomSource.integer(in: 1...Int64.max)

    init(
        source: MoveEnd, target: MoveEnd, damaged: GameMove.Damaged,
        onNote: @escaping (GameMove.Note) throws(StoreError) -> Void
    ) {
        (self.source, self.target) = (source, target)
        (self.damaged, self.onNote) = (damaged, onNote)
    }

    /// Locks the source until the end, and empties and marks the target. Returns whether there is
    /// something to copy: otherwise the game is there already.
    func begin() throws -> Bool {
        try source.session.beginAlone()
        if let mark = try source.session.mark() {
            source.session.rollBack()
            try removeMark(leftBy: mark)
            return false
        }
        try target.session.beginAlone()
        try target.session.committing {
            if let mark = try target.session.mark() {
                guard mark.role == .target, mark.other == source.name else {
                    throw mark.refusal(of: target.name)
                }
                try target.session.empty()
            } else if try target.session.isUnused() == false {
                throw StoreError.broken(
                    """
                    \(target.name) has a game already, or has been served: name a new file or an \
                    empty database
                    """)
            }
            try target.session.set(MoveMark(role: .target, other: source.name, run: run))
        }
        return true
    }

    /// Removes the target's mark, unless that has happened, where an earlier run has marked the
    /// source.
    private func removeMark(leftBy source: MoveMark) throws {
        let session = target.session
        try session.inTransaction {
            switch try session.mark() {
            case _ where source.role != .moved || source.other != target.name:
                throw source.refusal(of: self.source.name)
            case let mark? where mark.role == .target && mark.run == source.run:
                try session.set(MoveMark?.none)
            case nil where try session.isUnused() == false: break
            default: throw source.refusal(of: self.source.name)
            }
        }
    }

    /// Copies and compares. The target is complete then, and still has its mark.
    func copy() throws -> GameMove.Report {
        try onNote(GameMove.Note(step: .checking))
        let problems = try source.session.problems()
        try onNote(GameMove.Note(step: .copying))
        let found = try GameSurvey(
            source.session, faults: problems
        ) { survey, table, digest, rows in
            if damaged == .kept || survey.faultCount == 0 {
                try write(rows, of: table, from: digest.rows - Int64(rows.count))
            }
            try note(.copying, table, digest, rows)
        }
        guard found.faultCount == 0 || damaged == .kept else { throw refusal(found) }
        try onNote(GameMove.Note(step: .comparing))
        let copied = try target.session.inTransaction {
            try GameSurvey(target.session) { try note(.comparing, $1, $2, $3) }
        }
        let differences = found.differences(from: copied)
        guard differences.isEmpty else {
            throw StoreError.broken(
                """
                the copy differs from \(source.name): \(differences.joined(separator: "; ")). \
                Repeat the command to begin again
                """)
        }
        let counters = try source.session.counters()
        try target.session.inTransaction { try target.session.set(counters) }
        try target.session.settle()
        return GameMove.Report(
            tables: found.tables.map { ($0.name, $0.digest.rows) }, faults: found.faults,
            faultCount: found.faultCount)
    }

    /// Marks the source as moved, and lets the target be served.
    func finish() throws {
        try onNote(GameMove.Note(step: .leaving))
        let mark = MoveMark(role: .moved, other: target.name, run: run)
        try source.session.committing {
            try source.session.set(mark)
            try source.session.fenceServers()
        }
        do {
            try onNote(GameMove.Note(step: .finishing))
            try removeMark(leftBy: mark)
        } catch {
            throw StoreError.broken(
                """
                \(source.name) is marked as moved, and \(target.name) is complete, but cannot be \
                served yet (\(GameMove.storeError(error).detail)): repeat the command to finish
                """)
        }
    }

    // MARK: Parts

    private func note(
        _ step: GameMove.Note.Step, _ table: MovedTable, _ digest: TableDigest, _ rows: [MovedRow]
    ) throws {
        try onNote(
            GameMove.Note(
                step: step, table: table.name, rows: digest.rows, added: Int64(rows.count)))
    }

    private func refusal(_ survey: GameSurvey) -> StoreError {
        let more = survey.faultCount - survey.faults.count
        return .broken(
            """
            \(source.name) is damaged: \(survey.faults.joined(separator: "; "))\
            \(more > 0 ? "; and \(more) more" : ""). Repair it there, or move it as it is with \
            --keep-damaged
            """)
    }

    /// Writes a block, unless another run has taken the target. When the block is refused, the row
    /// at fault is named.
    private func write(_ rows: [MovedRow], of table: MovedTable, from number: Int64) throws {
        do {
            try target.session.inTransaction {
                let marked = try target.session.run(
                    "UPDATE store_move SET run = ?1 WHERE run = ?1", [.integer(run)])
                guard marked == 1 else {
                    throw StoreError.broken(
                        "another `rangers migrate` has taken over \(target.name): wait for its end")
                }
                try target.session.insert(rows, into: table, from: number)
            }
        } catch let failure as SQLFailure where !failure.isPassing {
            guard rows.count > 1 else {
                throw StoreError.broken(
                    "\(table.rowName(rows[0])) cannot be moved: "
                        + "\(failure.reporter.rawValue) reports: \(failure.message)")
            }
            let half = rows.count / 2
            try write(Array(rows[..<half]), of: table, from: number)
            try write(Array(rows[half...]), of: table, from: number + Int64(half))
        }
    }
}
