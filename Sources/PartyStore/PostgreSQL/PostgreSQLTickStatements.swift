/// The statements of almost every transaction, as PostgreSQL gets them, each in one line. The
/// benchmark's reference in C uses the same texts.
package enum PostgreSQLTickStatements {
    /// Begin a transaction, with its limits of time.
    package static var beginnings: [String] { PostgreSQLSession.beginnings(.writing) }
    /// $1 the epoch of the node that is locked.
    package static var lock: String { line(PostgreSQLSession.lock) }
    /// As `PostgreSQLBatch` describes: arrays of all parties' columns, and the epoch.
    package static var update: String { line(PostgreSQLBatch.update) }
    package static let commit = "COMMIT"

    private static func line(_ sql: StaticString) -> String {
        sql.description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .replacing("?", with: "$")
    }
}
