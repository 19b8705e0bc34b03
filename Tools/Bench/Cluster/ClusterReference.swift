internal import PartyStore

/// The input of `postgresql_reference.c`: our statements, unchanged.
enum ClusterReference {
    static let name = "postgresql_reference"
    static let libraries = ["pq"]
    /// Where Debian keeps libpq's.
    static let headers = ["/usr/include/postgresql"]

    /// One line each: a word and a statement.
    static let lines =
        PostgreSQLTickStatements.beginnings.map { "begin \($0)" } + [
            "lock \(PostgreSQLTickStatements.lock)",
            "update \(PostgreSQLTickStatements.update)",
            "commit \(PostgreSQLTickStatements.commit)",
        ]

    static func arguments(
        address: String, sqlFile: String, ticks: Int, batch: Double
    ) -> [String] {
        [address, sqlFile, String(ticks), String(max(1, Int(batch.rounded())))]
    }
}
