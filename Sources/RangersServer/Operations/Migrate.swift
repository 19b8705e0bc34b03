internal import Isolation
package import OptionParsing
package import PartyStore

/// Moves a game between a data file and a database, and proves the copy by a replay of every party.
package struct Migrate: Sendable {
    package static let options = Options(
        command: "rangers migrate",
        summary: """
            Moves a whole game from a data file to a PostgreSQL database, or from a database to a \
            new file. Stop the source's servers first. Checks every row of the source, copies it, \
            compares both sides by counts and checksums, and replays every party from the copy. \
            May be interrupted at any time: repeat the command to continue. Exits with 1 if the \
            move failed; the source can then be served as before, unless the message says \
            otherwise. After the move, servers refuse the source.
            """,
        [
            Option("from", "FILE|URI", "The game to move", visibility: .secret),
            Option(
                "to", "FILE|URI", "A new file, or an empty database for it", visibility: .secret),
            .toggle("keep-damaged", "Move damaged rows as they are, instead of refusing"),
            .toggle(
                "cancel",
                "Move nothing: let servers use --from again after an abandoned or finished move"),
        ])

    /// Why a move failed, and what to do.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        fileprivate init(_ error: StoreError) {
            if case .broken = error {
                description = error.detail
            } else {
                description = "\(error); repeat the command to continue"
            }
        }
    }

    /// The rows of a table between two lines of progress.
    private static let rowsBetweenLines: Int64 = 100_000
    /// Problems that a message lists.
    private static let problemsShown = 5

    private let places: (source: GamePlace, target: GamePlace)
    private let damaged: GameMove.Damaged
    private let say: @Sendable (String) -> Void

    /// Creates the move of `--from` and `--to`. `say` gets a line for each step.
    package init(
        _ values: OptionValues, say: @escaping @Sendable (String) -> Void
    ) throws(OptionsError) {
        self.init(
            from: try PlaceOptions.place("from", of: values),
            to: try PlaceOptions.place("to", of: values),
            damaged: values.isOn("keep-damaged") ? .kept : .refused, say: say)
    }

    /// Creates a move. `say` gets a line for each step.
    package init(
        from source: GamePlace, to target: GamePlace, damaged: GameMove.Damaged,
        say: @escaping @Sendable (String) -> Void
    ) {
        places = (source, target)
        self.damaged = damaged
        self.say = say
    }

    /// Moves the game. Returns what was moved, in words.
    ///
    /// - Throws: What is wrong, in words. The source can be served as before then, unless the
    ///   message says otherwise.
    package func run() async throws(Failure) -> String {
        do throws(StoreError) {
            return try await moved()
        } catch {
            throw Failure(error)
        }
    }

    private func moved() async throws(StoreError) -> String {
        let lines = Locked(MoveLines(every: Self.rowsBetweenLines, places))
        let move = try GameMove(
            from: places.source, to: places.target, damaged: damaged
        ) { note throws(StoreError) in
            if let line = lines.withLock({ $0.line(note) }) { say(line) }
        }
        do throws(StoreError) {
            let copied = try await move.copy()
            let replay = try await replayed()
            try await move.finish()
            return text(copied, replay)
        } catch {
            try await release(move, after: error)
            guard case .exists = error else { throw error }
            return "\(places.source) was moved to \(places.target) already"
        }
    }

    /// Lets the source be served again. If that fails, the message says how to do it later.
    private func release(
        _ move: GameMove, after failure: StoreError
    ) async throws(StoreError) {
        do throws(StoreError) {
            try await move.release()
        } catch {
            throw .broken(
                """
                \(failure); and \(places.source) is still marked as being moved (\(error)): \
                repeat the command, or let it be served again with `rangers migrate --cancel`
                """)
        }
    }

    /// Replays all parties of the copy.
    private func replayed() async throws(StoreError) -> Replay.Report {
        say("replaying all parties of \(places.target)")
        let replay = await Replay.report(on: places.target, party: nil)
        if let failure = replay.failure {
            throw .unavailable("\(places.target) could not be replayed: \(failure)")
        }
        guard replay.differences.isEmpty || damaged == .kept else {
            let more = replay.differences.count - Self.problemsShown
            throw .broken(
                """
                the replay of \(places.target) differs: \
                \(replay.differences.prefix(Self.problemsShown).joined(separator: "; "))\
                \(more > 0 ? "; and \(more) more" : ""). Repair that in \(places.source), or move \
                it as it is with --keep-damaged
                """)
        }
        return replay
    }

    private func text(_ report: GameMove.Report, _ replay: Replay.Report) -> String {
        var lines = report.faults.map { "moved as it is: \($0)" }
        lines += replay.differences.prefix(Self.problemsShown).map { "moved as it is: \($0)" }
        let rows = report.tables.reduce(0) { $0 + $1.rows }
        lines.append(
            """
            \(places.target): tables \(report.tables.count), rows \(rows), parties \
            \(replay.parties), events \(replay.events), differences \(replay.differences.count), \
            damaged \(report.faultCount)
            """)
        return lines.joined(separator: "\n")
    }

    /// Lets a game be served again whose move was interrupted or given up. Returns what to do next.
    package static func cancel(_ place: GamePlace) async throws(StoreError) -> String {
        guard let other = try await GameMove.cancel(place) else {
            return "\(place) is not being moved, and was not moved"
        }
        return "\(place) can be served again: remove \(other), and never serve it"
    }
}

/// Decides which steps of a move are worth a line.
private struct MoveLines {
    private let every: Int64
    private let places: (source: GamePlace, target: GamePlace)
    private var step: GameMove.Note.Step?
    private var next: Int64 = 0

    init(every: Int64, _ places: (source: GamePlace, target: GamePlace)) {
        self.every = every
        self.places = places
    }

    mutating func line(_ note: GameMove.Note) -> String? {
        let work =
            switch note.step {
            case .checking: "checking \(places.source)"
            case .copying: "copying to \(places.target)"
            case .comparing: "comparing \(places.target)"
            case .leaving: "marking \(places.source) as moved"
            case .finishing: "opening \(places.target) for servers"
            }
        if step != note.step {
            (step, next) = (note.step, every)
            return work
        }
        if note.rows == 0 { next = every }
        guard note.rows >= next else { return nil }
        next = (note.rows / every + 1) * every
        return "\(work): \(note.table), \(note.rows) rows"
    }
}
