/// What a database or a file says about the move of its game to another store. A store with a mark
/// is not served.
struct MoveMark: Hashable, Sendable {
    enum Role: String, Sendable {
        /// Its game is being copied.
        case source
        /// Its game is complete elsewhere.
        case moved
        /// It has a part of a game.
        case target
    }

    /// A database has this table always, a file only while it is marked.
    static let table = """
        CREATE TABLE store_move (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
            role TEXT NOT NULL,
            other TEXT NOT NULL,
            run INTEGER NOT NULL,
            game INTEGER NOT NULL,
            copied TEXT NOT NULL,
            position BLOB NOT NULL
        ) STRICT
        """

    let role: Role
    /// The store at the other end, for messages.
    let other: String
    /// Which run of the command has written last: an earlier one that still works then ends.
    let run: Int64
    /// The checksum of the source's rows, in a target: what it has is a part of exactly these.
    var game: Int64 = 0
    /// The table up to whose `position` the target has everything.
    var copied = ""
    var position: [UInt8] = []

    /// Returns the mark; `nil`: there is none.
    static func read(_ session: any SQLSession) throws(SQLFailure) -> MoveMark? {
        let mark = try session.row(
            "SELECT role, other, run, game, copied, position FROM store_move WHERE id = 1"
        ) { row in
            // A role of a newer program keeps this one away too.
            MoveMark(
                role: Role(rawValue: row.text(0)) ?? .source, other: row.text(1),
                run: row.integer(2), game: row.integer(3), copied: row.text(4),
                position: row.bytes(5))
        }
        return mark
    }

    /// Writes it in place of any other.
    func write(to session: any SQLSession) throws(SQLFailure) {
        try session.run("DELETE FROM store_move")
        try session.run(
            """
            INSERT INTO store_move (id, role, other, run, game, copied, position)
            VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6)
            """,
            [
                .text(role.rawValue), .text(other), .integer(run), .integer(game),
                .text(copied), .blob(position),
            ])
    }

    /// Returns why the store is not served.
    func refusal(of store: String) -> StoreError {
        switch role {
        case .source:
            .broken(
                """
                the game of \(store) is being moved to \(other): repeat the same `rangers migrate` \
                command, or cancel it with `rangers migrate --cancel`
                """)
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
