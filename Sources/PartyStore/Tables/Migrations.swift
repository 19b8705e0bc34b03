/// Steps that lead a data file or a database from one schema to the next
/// (docs/internals/migrations.md). A new one is created with the newest schema.
struct Migrations: Sendable {
    /// A step from one schema to the next.
    struct Step: Sendable {
        /// The schema that the step begins with.
        let from: Int64
        let run: @Sendable (any MigratedSession) throws(SQLFailure) -> Void
    }

    /// The steps of this program.
    static let product = Migrations(to: Schema.version, [])

    /// The schema that this program reads.
    let newest: Int64
    private let steps: [Step]

    init(to newest: Int64, _ steps: [Step]) {
        self.newest = newest
        self.steps = steps
    }

    /// Upgrades to the newest schema, all or nothing; does nothing where it is there. Of programs
    /// that begin at the same time one does it, and the others wait. Servers that run lose the
    /// right to write. `name`: what is upgraded, for the message.
    ///
    /// - Returns: Why this program must not use it, if it must not: then it is unchanged.
    func apply(
        to session: some MigratedSession, named name: String
    ) throws(SQLFailure) -> StoreError? {
        let found = try session.schema()
        guard found != newest else { return nil }
        guard steps(from: found) != nil else { return refusal(of: name, with: found) }
        try session.beginMigration()
        defer { session.endMigration() }
        // Another program may have been faster.
        let steps = steps(from: try session.schema()) ?? []
        guard !steps.isEmpty else { return refusal(of: name, with: try session.schema()) }
        try session.fenceServers()
        for step in steps { try step.run(session) }
        try session.set(schema: newest)
        try session.commit()
        return nil
    }

    /// Returns why what has this schema cannot be read; `nil`: it can.
    func refusal(of name: String, with found: Int64) -> StoreError? {
        guard found != newest else { return nil }
        let advice =
            steps(from: found) == nil
            ? "use the program that wrote it, or restore a backup of schema \(newest)"
            : "back it up, then start `rangers serve` on it once, which upgrades it"
        return .broken(
            "\(name) has schema \(found), and this program reads schema \(newest): \(advice)")
    }

    /// Returns the steps to the newest schema; `nil`: one is missing.
    private func steps(from found: Int64) -> [Step]? {
        let rest = steps.filter { $0.from >= found }
        return found <= newest && rest.map(\.from) == Array(found..<newest) ? rest : nil
    }
}

/// A connection whose tables can be brought to another schema.
protocol MigratedSession: SQLSession {
    /// Runs statements in SQLite's words (`PostgreSQLSchema.translated`).
    func execute(_ sql: String) throws(SQLFailure)

    func schema() throws(SQLFailure) -> Int64
    func set(schema: Int64) throws(SQLFailure)

    /// Begins a transaction that no other migration has beside it.
    func beginMigration() throws(SQLFailure)
    /// Rolls the transaction back, unless it is committed.
    func endMigration()
    func commit() throws(SQLFailure)

    /// Takes the right to write from every server, in the transaction.
    func fenceServers() throws(SQLFailure)
}
