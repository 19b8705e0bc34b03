/// What a database or a file says about the move of its game. A store with a mark is not served.
struct MoveMark: Hashable, Sendable {
    enum Role: String, Sendable {
        /// Its game is complete elsewhere.
        case moved
        /// It has a part of a game, or all of one that may still be served elsewhere.
        case target
    }

    /// A database has this table always, a file only while it is marked.
    static let table = """
        CREATE TABLE store_move (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
            role TEXT NOT NULL,
            other TEXT NOT NULL,
            run INTEGER NOT NULL
        ) STRICT
        """

    let role: Role
    /// The store at the other end, for messages.
    let other: String
    /// The run of the command that made the copy. A source and a target with the same run are the
    /// two ends of a finished copy.
    let run: Int64

    /// Returns the mark; `nil`: there is none.
    static func read(_ session: any SQLSession) throws(SQLFailure) -> MoveMark? {
        let mark = try session.row("SELECT role, other, run FROM store_move WHERE id = 1") { row in
            MoveMark(
                role: Role(rawValue: row.text(0)) ?? .target, other: row.text(1),
                run: row.integer(2))
        }
        return mark
    }

    /// Writes it in place of any other.
    func write(to session: any SQLSession) throws(SQLFailure) {
        try session.run("DELETE FROM store_move")
        try session.run(
            "INSERT INTO store_move (id, role, other, run) VALUES (1, ?1, ?2, ?3)",
            [.text(role.rawValue), .text(other), .integer(run)])
    }

    /// Returns why the store is not served.
    func refusal(of store: String) -> StoreError {
        switch role {
        case .moved:
            .broken(
                """
                the game of \(store) was moved to \(other): serve that one; to serve this one again \
                instead, run `rangers migrate --cancel`
                """)
        case .target:
            .broken(
                """
                \(store) is the unfinished target of a move from \(other): repeat that \
                `rangers migrate`, or remove it
                """)
        }
    }
}
