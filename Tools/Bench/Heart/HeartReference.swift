internal import PartyStore

/// The input of `heart_reference.c`: our statements, pragmas and limits of the log, unchanged.
enum HeartReference {
    static let name = "heart_reference"
    static let libraries = ["sqlite3", "pthread"]

    /// One line each: a word and a statement, whose numbered values the reference binds, or numbers.
    static let lines =
        TickStatements.pragmas.map { "open PRAGMA \($0)" } + [
            "begin SELECT epoch FROM ownership WHERE id = 1",
            "update \(TickStatements.update)",
            "journal \(TickStatements.journal)",
            "log \(LogLimits.smallFileBytes) \(LogLimits.bytesMax) \(LogLimits.checkpointShare)",
        ]

    static func arguments(file: String, sqlFile: String, ticks: Int, batch: Double) -> [String] {
        [file, sqlFile, String(ticks), String(max(1, Int(batch.rounded())))]
    }
}
