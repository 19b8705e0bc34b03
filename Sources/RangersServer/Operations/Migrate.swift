internal import Isolation
package import OptionParsing
package import PartyStore

/// Moves a game between a data file and a database, and proves the copy by a replay of every party.
package struct Migrate: Sendable {
    package static let options = Options(
        command: "rangers migrate",
        summary: """
            Moves a whole game from a data file to a PostgreSQL database, or from a database to a \
            new file. Stop the source's servers first. Copies every row while it checks it, \
            compares both sides by counts and checksums, and replays every party from the copy. \
            May be interrupted at any time: a repeated command starts over. Exits with 1 if the \
            move failed; the source can then be served as before, unless the message says \
            otherwise. After the move, servers refuse the source.
            """,
        [
            Option("from", "FILE|URI", "The game to move", visibility: .secret),
            Option(
                "to", "FILE|URI", "A new file, or an empty database for it", visibility: .secret),
            .toggle("keep-damaged", "Move damaged rows as they are, instead of refusing"),
            .toggle("cancel", "Move nothing: let servers use --from again after a finished move"),
        ])

    /// Why a move failed, and what to do.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        fileprivate init(_ error: StoreError) {
            if case .broken = error {
                description = error.detail
            } else {
                description = "\(error); then repeat the command"
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
        let replay = Locked(Replay.Report())
        do throws(StoreError) {
            let report = try await GameMove().run(
                from: places.source, to: places.target, damaged: damaged
            ) { note throws(StoreError) in
                if let line = line(note) { say(line) }
            } proof: { () async throws(StoreError) in
                let found = try await replayed()
                replay.withLock { $0 = found }
            }
            guard let report else { return "\(places.source) was moved to \(places.target)" }
            return text(report, replay.withLock { $0 })
        } catch {
            throw Failure(error)
        }
    }

    /// Returns a line for the beginning of a step, and for many rows; `nil`: none.
    private func line(_ note: GameMove.Note) -> String? {
        let work =
            switch note.step {
            case .checking: "checking \(places.source)"
            case .copying: "copying to \(places.target)"
            case .comparing: "comparing \(places.target)"
            case .leaving: "marking \(places.source) as moved"
            case .finishing: "opening \(places.target) for servers"
            }
        guard let table = note.table else { return work }
        let every = Self.rowsBetweenLines
        return note.rows / every > (note.rows - note.added) / every
            ? "\(work): \(table), \(note.rows) rows" : nil
    }

    /// Replays all parties of the copy.
    private func replayed() async throws(StoreError) -> Replay.Report {
        say("replaying all parties of \(places.target)")
        let replay = await Replay.report(on: places.target, party: nil)
        if let failure = replay.failure {
            throw .broken("\(places.target) could not be replayed: \(failure)")
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

    /// Lets a game be served again that was moved away. Returns what to do next.
    package static func cancel(_ place: GamePlace) async throws(StoreError) -> String {
        guard let other = try await GameMove().cancel(place) else {
            return "\(place) was not moved"
        }
        return "\(place) can be served again: remove \(other), and never serve it"
    }
}
