extension Database: MigratedSession {
    func schema() throws(SQLFailure) -> Int64 { try integer("PRAGMA user_version") }

    func set(schema: Int64) throws(SQLFailure) { try execute("PRAGMA user_version = \(schema)") }

    /// A step may replace a table that others refer to. SQLite ignores the setting within a
    /// transaction.
    func beginMigration() throws(SQLFailure) {
        try execute("PRAGMA foreign_keys = OFF")
        try begin()
    }

    func endMigration() {
        rollBack()
        do throws(SQLFailure) {
            try execute("PRAGMA foreign_keys = ON")
        } catch {
            // A pragma without a transaction fails only on a connection that is of no more use.
        }
    }

    func fenceServers() throws(SQLFailure) { _ = try takeOwnership() }
}
