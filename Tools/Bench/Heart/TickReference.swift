internal import PartyStore

/// A program in C that writes the rows of ticks that our heart wrote, with our statements and in
/// batches of the same size, and does nothing else.
struct TickReference: Sendable {
    /// Our statements, pragmas and limits of the log, unchanged: a line each, which begins with a
    /// word.
    static let sqliteLines =
        TickStatements.pragmas.map { "open PRAGMA \($0)" } + [
            "begin SELECT epoch FROM ownership WHERE id = 1", "update \(TickStatements.update)",
            "journal \(TickStatements.journal)",
            "log \(LogLimits.smallFileBytes) \(LogLimits.bytesMax) \(LogLimits.checkpointShare)",
        ]

    static let postgreSQLLines =
        PostgreSQLTickStatements.beginnings.map { "begin \($0)" } + [
            "lock \(PostgreSQLTickStatements.lock)", "update \(PostgreSQLTickStatements.update)",
            "commit \(PostgreSQLTickStatements.commit)",
        ]

    private let testbed: BenchTestbed
    private let program: String
    private let linesFile: String

    /// Builds the reference that writes to a file.
    static func sqlite(_ testbed: BenchTestbed) async throws -> TickReference {
        TickReference(
            testbed: testbed,
            program: try await testbed.buildC(
                "heart_reference", libraries: ["sqlite3", "pthread"]),
            linesFile: try testbed.write(lines: sqliteLines))
    }

    /// Builds the reference that writes to a database.
    static func postgreSQL(_ testbed: BenchTestbed) async throws -> TickReference {
        TickReference(
            testbed: testbed,
            program: try await testbed.buildC(
                "postgresql_reference", libraries: ["pq"],
                // Where Debian keeps libpq's.
                headers: ["/usr/include/postgresql"]),
            linesFile: try testbed.write(lines: postgreSQLLines))
    }

    /// Writes so many ticks to a file, or to the database of an address, that our heart has left.
    func run(on data: String, ticks: Int, batch: Double) throws -> HeartSample {
        let size = max(1, Int(batch.rounded()))
        let end = try testbed.run(program, [data, linesFile, "\(ticks)", "\(size)"])
        return try HeartSample(output: end.output)
    }
}

/// The heart and its reference in C, one after the other on one core.
struct TickDuel: Hashable, Sendable {
    let ours: HeartSample
    let reference: HeartSample

    /// CPU time per tick ÷ in C.
    var cpuRatio: Double { ours.cpuMicroseconds / reference.cpuMicroseconds }
    /// The writing thread's time alone ÷ in C.
    var writerRatio: Double { ours.writerMicroseconds / reference.writerMicroseconds }
    /// Ticks per second ÷ in C.
    var wallRatio: Double { ours.rate / reference.rate }
}
