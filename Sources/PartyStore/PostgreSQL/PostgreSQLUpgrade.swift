/// A step from one schema of a database to the next. It runs in the transaction of the upgrade.
struct PostgreSQLUpgrade: Sendable {
    /// How long a statement of an upgrade may take, or wait for another node's upgrade.
    static let statementMillisecondsMax: Int64 = 30 * 60_000

    /// The schema that the step leads to.
    let version: Int64
    let run: @Sendable (PostgreSQLSession) throws(SQLFailure) -> Void

    /// All steps, each to the schema after the one before.
    static let all = [
        PostgreSQLUpgrade(version: 16) { session throws(SQLFailure) in
            try session.create(Schema.addedIn16)
            try ResultTables(session).countStandings()
        }
    ]
}

extension PostgreSQLSession {
    /// Creates tables that SQLite has too.
    func create(_ tables: [String]) throws(SQLFailure) {
        for text in tables { try link.run(script: PostgreSQLSchema.translated(text)) }
    }

    /// Brings a database of an older schema up to date, all or nothing. Of nodes that start at the
    /// same time one does it, and the others wait for it. Nodes of the older program write nothing
    /// more from then on, and cannot take a shard again.
    ///
    /// - Returns: The schema that the database has now.
    func upgrade(
        to version: Int64 = PostgreSQLSchema.version,
        by steps: [PostgreSQLUpgrade] = PostgreSQLUpgrade.all
    ) throws(SQLFailure) -> Int64 {
        begin(.upgrading)
        do throws(SQLFailure) {
            let found = try integer("SELECT version FROM store_schema WHERE id = 1 FOR UPDATE")
            let missing = steps.filter { $0.version > found && $0.version <= version }
            guard missing.map(\.version).elementsEqual(found + 1..<max(version, found) + 1),
                !missing.isEmpty
            else {
                rollBack()
                return found
            }
            // Before the tables change: a transaction of a node has this lock when it uses them.
            try lockNodes()
            for step in missing { try step.run(self) }
            _ = try removeNodes()
            try run("UPDATE store_schema SET version = ?1 WHERE id = 1", [.integer(version)])
            try commit()
            return version
        } catch {
            rollBack()
            throw error
        }
    }
}

// MARK: Whether this program may use a database

extension PostgreSQLSession {
    /// Creates the tables if there are none, and upgrades older ones. Returns why this program must
    /// not serve the database, if it must not.
    func prepare() throws(SQLFailure) -> StoreError? {
        try createTables()
        if let mark = try MoveMark.read(self) { return mark.refusal(of: "the database") }
        return Self.refusal(ofSchema: try upgrade())
    }

    /// Creates the tables if there are none.
    func createTables() throws(SQLFailure) {
        do throws(SQLFailure) {
            guard try storedVersion() == nil else { return try completeNodeTables() }
            try link.run(script: PostgreSQLSchema.script)
        } catch {
            // Another node may have been faster.
            guard try storedVersion() != nil, try hasTable("node") else { throw error }
        }
    }

    /// Adds the tables of nodes, or their newest column, to the database of an earlier program.
    private func completeNodeTables() throws(SQLFailure) {
        guard try hasTable("node") else { return try link.run(script: PostgreSQLSchema.nodeScript) }
        let hasColumn =
            try integer(
                """
                SELECT count(*) FROM information_schema.columns WHERE table_name = 'node'
                    AND column_name = 'leaving' AND table_schema = current_schema()
                """) > 0
        if !hasColumn { try link.run(script: PostgreSQLSchema.leavingScript) }
    }

    /// Whether there are tables, of whatever program.
    func hasTables() throws(SQLFailure) -> Bool {
        try integer(
            """
            SELECT count(*) FROM information_schema.tables
            WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
            """) > 0
    }

    private func hasTable(_ name: String) throws(SQLFailure) -> Bool {
        try integer(
            """
            SELECT count(*) FROM information_schema.tables
            WHERE table_name = ?1 AND table_schema = current_schema()
            """, [.text(name)]) > 0
    }

    /// Returns why the database cannot be read, if it cannot.
    func refusalToRead() throws(SQLFailure) -> StoreError? {
        try refusal(ofSchemas: PostgreSQLSchema.version...PostgreSQLSchema.version)
    }

    /// Returns why the mark of a move cannot be removed, if it cannot: marks of older schemas can,
    /// since a database with a mark is not upgraded.
    func refusalToRelease() throws(SQLFailure) -> StoreError? {
        try refusal(ofSchemas: 0...PostgreSQLSchema.version)
    }

    private func refusal(ofSchemas known: ClosedRange<Int64>) throws(SQLFailure) -> StoreError? {
        guard let version = try storedVersion() else {
            return .broken("the database has no game: check its name and the user's search path")
        }
        return known.contains(version) ? nil : Self.refusal(ofSchema: version)
    }

    /// Throws unless the database is one that this program may serve. Another program may have
    /// changed it since it was opened.
    func requireServable() throws {
        if let refusal = Self.refusal(ofSchema: try storedVersion() ?? 0) { throw refusal }
        if let mark = try MoveMark.read(self) { throw mark.refusal(of: "the database") }
    }

    /// Returns the schema of the tables; `nil`: there are none.
    func storedVersion() throws(SQLFailure) -> Int64? {
        try hasTable("store_schema")
            ? try integer("SELECT version FROM store_schema WHERE id = 1") : nil
    }

    private static func refusal(ofSchema version: Int64) -> StoreError? {
        let own = PostgreSQLSchema.version
        if version == own { return nil }
        let advice =
            version > own
            ? "start the newer program that wrote it"
            : "back it up, then run `rangers serve` of this program on it once to upgrade it"
        return .broken(
            "the database has schema \(version), and this program has schema \(own): \(advice)")
    }
}
