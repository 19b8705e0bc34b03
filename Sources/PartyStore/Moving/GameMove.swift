internal import Isolation

/// Moves a whole game from a file to a database, or back: every row with its bytes and its checksum.
///
/// The source is read twice, and stays as it is: first all of it is checked, then it is copied. The
/// target notes in the transaction of each block up to where it has everything, so that a move that
/// was interrupted continues, if the source still is what it was; if it was served meanwhile, the
/// target is emptied and the move begins again. Then the target is read and compared with the
/// source. At every moment at most one of both can be served: the source is marked as moved before
/// the target's mark goes.
package actor GameMove {
    /// What to do with rows that are not what was written.
    package enum Damaged: Sendable {
        /// The move does not begin.
        case refused
        /// They are moved as they are: damaged.
        case kept
    }

    /// What the move has done so far.
    package struct Note: Sendable {
        package enum Step: Int, Sendable, Comparable {
            case checking, copying, comparing, leaving, finishing

            package static func < (one: Step, other: Step) -> Bool {
                one.rawValue < other.rawValue
            }
        }

        package let step: Step
        package var table = ""
        /// Those of the table.
        package var rows: Int64 = 0
    }

    /// What was moved.
    package struct Report: Sendable {
        package internal(set) var tables: [(name: String, rows: Int64)] = []
        /// Damaged rows that were moved as they are, the first few.
        package internal(set) var faults: [String] = []
        package internal(set) var faultCount = 0
    }

    private let places: (source: GamePlace, target: GamePlace)
    private let damaged: Damaged
    private let run: Int64
    private let onNote: @Sendable (Note) throws(StoreError) -> Void
    private let executor = QueueExecutor(label: "PartyStore move")
    private var source: (any MoveSource)?
    private var target: (any MoveTarget)?
    private var counters: MoveCounters?

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Creates a move between a file and a database. `onNote` is called on the move's thread; an
    /// error that it throws interrupts the move.
    package init(
        from source: GamePlace, to target: GamePlace, damaged: Damaged,
        onNote: @escaping @Sendable (Note) throws(StoreError) -> Void
    ) throws(StoreError) {
        switch (source, target) {
        case (.file, .database), (.database, .file): break
        case (.file, .file):
            throw .broken("both are files: copy one with `rangers backup`")
        case (.database, .database):
            throw .broken("both are databases: copy one with pg_dump")
        }
        places = (source, target)
        self.damaged = damaged
        self.onNote = onNote
        run = Int64.random(in: 1 ... .max)
    }

    /// Copies and compares. The target is complete then, and still has its mark.
    ///
    /// - Throws: `.broken` when the source is damaged or served, or the target has another game;
    ///   `.exists` when the game has been moved there already.
    package func copy() throws(StoreError) -> Report {
        do {
            let source = try openSource()
            let target = try openTarget()
            do {
                _ = try target.mark(of: "\(places.source)")
            } catch let error as StoreError
                where source.isMoved && error == MoveTargets.hasGame("\(places.target)")
            {
                // The run before was interrupted behind its last step.
                throw StoreError.exists("the moved game in \(places.target)")
            }
            // Only now that the target can take the game does anybody notice the move.
            try source.claim()
            let survey = try check(source)
            let mark = try target.claim(from: "\(places.source)", game: survey.game)
            try copy(source.session, to: target, behind: mark)
            try compare(survey, with: target)
            try target.analyze()
            counters = survey.counters
            return Report(
                tables: survey.tables.map { ($0.name, $0.digest.rows) }, faults: survey.faults,
                faultCount: survey.faultCount)
        } catch {
            throw Self.storeError(error)
        }
    }

    /// Marks the source as moved, and lets the target be served.
    ///
    /// - Throws: What is wrong, in words. The source may be marked then: a repeated move goes on.
    package func finish() throws(StoreError) {
        guard let source, let target, let counters else { throw .closed }
        do {
            try onNote(Note(step: .leaving))
            try source.leave(for: "\(places.target)")
        } catch {
            throw Self.storeError(error)
        }
        do {
            try onNote(Note(step: .finishing))
            try target.finish(counters)
        } catch {
            throw .broken(
                """
                \(places.source) is marked as moved, and \(places.target) is complete, but cannot \
                be served yet (\(Self.storeError(error).detail)): repeat the command to finish
                """)
        }
        (self.source, self.target) = (nil, nil)
    }

    /// Lets the source be served again, after a failure.
    package func release() throws(StoreError) {
        defer { (source, target) = (nil, nil) }
        do { try source?.release() } catch { throw Self.storeError(error) }
    }

    private static func storeError(_ error: any Error) -> StoreError {
        switch error {
        case let error as StoreError: error
        case let failure as SQLFailure: failure.storeError
        default: SQLFailure.unforeseen(error).storeError
        }
    }
}

// MARK: Steps

extension GameMove {
    private func openSource() throws -> any MoveSource {
        let source: any MoveSource =
            switch places.source {
            case .file(let path): try FileSource(path, target: "\(places.target)", run: run)
            case .database(let address):
                try DatabaseSource(address, target: "\(places.target)", run: run)
            }
        self.source = source
        return source
    }

    private func openTarget() throws -> any MoveTarget {
        let target: any MoveTarget =
            switch places.target {
            case .file(let path): try FileTarget(path, run: run)
            case .database(let address): try DatabaseTarget(address, run: run)
            }
        self.target = target
        return target
    }

    private func check(_ source: any MoveSource) throws -> GameSurvey {
        var survey = try GameSurvey(source.session) { table, rows in
            try onNote(Note(step: .checking, table: table, rows: rows))
        }
        for problem in try source.problems() { survey.add(problem) }
        guard survey.faultCount == 0 || damaged == .kept else {
            let more = survey.faultCount - survey.faults.count
            throw StoreError.broken(
                """
                \(places.source) is damaged: \(survey.faults.joined(separator: "; "))\
                \(more > 0 ? "; and \(more) more" : ""). Repair it there, or move it as it is \
                with --keep-damaged
                """)
        }
        return survey
    }

    private func copy(
        _ source: any MoveSession, to target: any MoveTarget, behind mark: MoveMark
    ) throws {
        let tables = try MovedTable.all()
        let first = tables.firstIndex { $0.name == mark.copied } ?? 0
        for table in tables[first...] {
            // The first table is copied behind the last row that is there.
            let position =
                table.name == mark.copied ? MovePosition.key(mark.position) : nil
            var rows: Int64 = 0
            try onNote(Note(step: .copying, table: table.name))
            try source.eachBlock(of: table, after: position) { block in
                try write(block, to: target)
                rows += Int64(block.count)
                try onNote(Note(step: .copying, table: table.name, rows: rows))
            }
        }
    }

    /// Writes a block. When it is refused, the row at fault is named.
    private func write(_ block: RowBlock, to target: any MoveTarget) throws {
        do {
            try target.write(block)
        } catch let failure as SQLFailure where !failure.isPassing {
            guard block.count > 1 else {
                throw StoreError.broken(
                    "the row \(block.name(of: 0)) of \(block.table.name) cannot be moved: "
                        + "\(failure.reporter.rawValue) reports: \(failure.message)")
            }
            let half = block.count / 2
            try write(block.part(0..<half), to: target)
            try write(block.part(half..<block.count), to: target)
        }
    }

    private func compare(_ survey: GameSurvey, with target: any MoveTarget) throws {
        let copied = try GameSurvey(target.session) { table, rows in
            try onNote(Note(step: .comparing, table: table, rows: rows))
        }
        let differences = survey.differences(from: copied)
        guard differences.isEmpty else {
            throw StoreError.broken(
                """
                the copy differs from \(places.source): \(differences.joined(separator: "; ")). \
                Remove \(places.target), and begin again
                """)
        }
    }
}

// MARK: Giving a move up

extension GameMove {
    /// Lets a game be served again whose move was interrupted or given up. The store that it was
    /// moved to must not be served any more.
    ///
    /// - Returns: The store at the other end; `nil`: there was no move.
    package static func cancel(_ place: GamePlace) async throws(StoreError) -> String? {
        try await MoveKeeper().cancel(place)
    }
}

/// Changes marks on a thread of its own.
private actor MoveKeeper {
    private let executor = QueueExecutor(label: "PartyStore move")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    func cancel(_ place: GamePlace) throws(StoreError) -> String? {
        do {
            switch place {
            case .file(let path): return try cancel(file: path)
            case .database(let address): return try cancel(database: address)
            }
        } catch let error as StoreError {
            throw error
        } catch let failure as SQLFailure {
            throw failure.storeError
        } catch {
            throw SQLFailure.unforeseen(error).storeError
        }
    }

    private func cancel(file path: String) throws -> String? {
        guard FileCopy.exists(path) else { throw StoreError.broken("There is no file \(path).") }
        var file = SQLiteFile(path: path, checkedBytesMax: -1)
        file.takesMarked = true
        let lock = try FileLock(path, .alone)
        defer { withExtendedLifetime(lock) {} }
        let database = try file.open()
        try file.checkOrigin(of: database)
        guard let mark = try database.moveMark() else { return nil }
        guard mark.role != .target else { throw mark.refusal(of: path) }
        try database.changing { try $0.unmark() }
        return mark.other
    }

    private func cancel(database address: PostgreSQLAddress) throws -> String? {
        let database = try PostgreSQLSession(address)
        if let refusal = try database.refusalToRead() { throw refusal }
        var other: String?
        try database.changing { database in
            guard let mark = try MoveMark.read(database) else { return }
            guard mark.role != .target else { throw mark.refusal(of: "\(address)") }
            try database.run("DELETE FROM store_move")
            other = mark.other
        }
        return other
    }
}
