internal import Isolation
package import PushPolicy

/// What a check of a whole data file found.
package struct FileReport: Sendable {
    /// The most problems that are listed.
    package static let problemsMax = 20

    /// Why no server may use the file: its game is being moved, or was moved; `nil`: it may.
    package let move: String?
    /// What the wall clock showed when the newest row of the journal was written, as far as the
    /// server knew its steps; `nil`: there is no row.
    package let newest: WallTime?
    /// Damaged pages, indices and rows.
    package let problems: [String]
}

extension SQLiteStore {
    /// Returns whether SQLite pads the commits in the log of a data file: a power cut within one
    /// would then look like damage (`LogGuard`). `false` also where the file cannot be opened.
    package static func padsCommits(inFile path: String) -> Bool {
        (try? Database(path: path, access: .untouched))?.padsCommits ?? false
    }

    /// Checks every page, index and row of a data file, and changes nothing of it, even while a
    /// server runs on it. It reads the whole file; the log cannot restart while it checks the pages.
    ///
    /// - Throws: `.broken` when the file is not a data file of this program, or of another schema.
    package static func report(onFile path: String) async throws(StoreError) -> FileReport {
        try await FileInspector().report(on: path)
    }
}

/// Reads a data file on a thread of its own, because a large one takes minutes.
private actor FileInspector {
    private let executor = QueueExecutor(label: "PartyStore report")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    func report(on path: String) throws(StoreError) -> FileReport {
        // What the start of a server examines is below: here it must not end the report.
        let file = SQLiteFile(path: path, checkedBytesMax: -1, access: .untouched)
        let database = try file.open()
        _ = try file.examine(database)
        do {
            var problems = try database.rows("PRAGMA integrity_check(20)") { $0.text(0) }
                .filter { $0 != "ok" }
            var check = RowCheck()
            while let faults = try check.next(on: database) {
                problems += faults.map(\.description)
            }
            let newest = try database.row("SELECT at FROM journal ORDER BY id DESC LIMIT 1") {
                WallTime(milliseconds: $0.integer(0))
            }
            let anchor = try? ClockTable(database).anchor()?.decode(ClockAnchorFormat.read)
            return FileReport(
                move: try database.mark()?.refusal(of: path).detail,
                newest: newest.map { (anchor?.offsets ?? WallOffsets()).wall(at: $0) },
                problems: Array(problems.prefix(FileReport.problemsMax)))
        } catch let failure as SQLFailure {
            throw .broken("\(path) cannot be read: \(failure.message)")
        } catch {
            throw .broken("\(path) cannot be read: \(error)")
        }
    }
}
