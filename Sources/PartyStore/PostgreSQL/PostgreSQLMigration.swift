extension PostgreSQLSession: MigratedSession {
    /// How long a statement of a migration may take, or wait for another node's.
    static let migrationMillisecondsMax: Int64 = 30 * 60_000

    func execute(_ sql: String) throws(SQLFailure) {
        try link.run(script: PostgreSQLSchema.translated(sql))
    }

    /// Returns the schema of the tables; 0: there are none.
    func schema() throws(SQLFailure) -> Int64 { try storedVersion() ?? 0 }

    func set(schema: Int64) throws(SQLFailure) {
        try run("UPDATE store_schema SET version = ?1 WHERE id = 1", [.integer(schema)])
    }

    func beginMigration() throws(SQLFailure) {
        begin(.upgrading)
        try run("SELECT version FROM store_schema WHERE id = 1 FOR UPDATE")
    }

    func endMigration() { rollBack() }

    /// Waits for the transactions of nodes, which have this lock when they use the tables.
    func fenceServers() throws(SQLFailure) {
        try lockNodes()
        _ = try removeNodes()
    }
}

// MARK: Whether this program may use a database

extension PostgreSQLSession {
    /// Creates the tables if there are none, and migrates those of another schema. Returns why this
    /// program must not serve the database, if it must not.
    func prepare(_ migrations: Migrations = .product) throws(SQLFailure) -> StoreError? {
        try createTables()
        if let mark = try MoveMark.read(self) { return mark.refusal(of: "the database") }
        return try migrations.apply(to: self, named: "the database")
    }

    /// Creates the tables if there are none.
    func createTables() throws(SQLFailure) {
        guard try storedVersion() == nil else { return }
        do throws(SQLFailure) {
            try link.run(script: PostgreSQLSchema.script)
        } catch {
            // Another node may have been faster.
            guard try storedVersion() != nil else { throw error }
        }
    }

    /// Whether there are tables, of whatever program.
    func hasTables() throws(SQLFailure) -> Bool {
        try integer(
            """
            SELECT count(*) FROM information_schema.tables
            WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
            """) > 0
    }

    /// Returns why the database cannot be read, if it cannot.
    func refusalToRead() throws(SQLFailure) -> StoreError? {
        guard let version = try storedVersion() else {
            return .broken("the database has no game: check its name and the user's search path")
        }
        return Migrations.product.refusal(of: "the database", with: version)
    }

    /// Throws unless the database is one that this program may serve. Another program may have
    /// changed it since it was opened.
    func requireServable() throws {
        if let refusal = try refusalToRead() { throw refusal }
        if let mark = try MoveMark.read(self) { throw mark.refusal(of: "the database") }
    }

    /// Returns the schema of the tables; `nil`: there are none.
    func storedVersion() throws(SQLFailure) -> Int64? {
        let isThere =
            try integer(
                """
                SELECT count(*) FROM information_schema.tables
                WHERE table_name = 'store_schema' AND table_schema = current_schema()
                """) > 0
        return isThere ? try integer("SELECT version FROM store_schema WHERE id = 1") : nil
    }
}
