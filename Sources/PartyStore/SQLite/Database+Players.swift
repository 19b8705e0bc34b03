/// Players and heroes, in SQL.
extension Database {
    func epoch() throws(SQLiteFailure) -> Int64 {
        try integer("SELECT epoch FROM ownership WHERE id = 1")
    }

    /// Raises the epoch; returns the new one.
    func takeOwnership() throws(SQLiteFailure) -> Int64 {
        try run("UPDATE ownership SET epoch = epoch + 1 WHERE id = 1")
        return try epoch()
    }

    /// Throws unless a fenced write has changed a row: its epoch is an old one.
    func requireOwner(changed: Int) throws(StoreError) {
        guard changed > 0 else { throw .notTheOwner }
    }

    func insert(_ row: PlayerRow, epoch: Int64) throws {
        let sql = """
            INSERT INTO players (\(PlayerRow.columns)) SELECT ?1, ?2, ?3, ?4
            WHERE (SELECT epoch FROM ownership WHERE id = 1) = ?5
            """
        try requireOwner(
            changed: inserting("player \(row.id)") { () throws(SQLiteFailure) in
                try run(sql, row.values + [.integer(epoch)])
            })
    }

    func insertHero(_ row: JSONRow, epoch: Int64) throws {
        let sql = """
            INSERT INTO heroes (id, owner, json, crc) SELECT ?1, ?2, ?3, ?4
            WHERE (SELECT epoch FROM ownership WHERE id = 1) = ?5
            """
        try requireOwner(
            changed: inserting("hero \(row.keys[0])") { () throws(SQLiteFailure) in
                try run(sql, row.values + [.integer(epoch)])
            })
    }

    /// Runs an INSERT, and names what exists already when it hits a key.
    func inserting(
        _ name: String, _ body: () throws(SQLiteFailure) -> Int
    ) throws -> Int {
        do throws(SQLiteFailure) {
            return try body()
        } catch {
            throw error.isDuplicate ? StoreError.exists(name) : error as any Error
        }
    }

    func player(tokenHash: [UInt8]) throws(SQLiteFailure) -> PlayerRow? {
        try row(
            "SELECT \(PlayerRow.columns) FROM players WHERE token_hash = ?1", [.blob(tokenHash)],
            read: PlayerRow.init)
    }

    func hero(_ id: String) throws(SQLiteFailure) -> JSONRow? {
        try row("SELECT id, owner, json, crc FROM heroes WHERE id = ?1", [.text(id)]) {
            JSONRow($0, table: "heroes", keyCount: 2)
        }
    }

    func heroes(of owner: String) throws(SQLiteFailure) -> [JSONRow] {
        try rows(
            "SELECT id, owner, json, crc FROM heroes WHERE owner = ?1 ORDER BY id", [.text(owner)]
        ) { JSONRow($0, table: "heroes", keyCount: 2) }
    }
}
