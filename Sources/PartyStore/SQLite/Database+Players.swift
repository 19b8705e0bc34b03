/// The owner, players and heroes, in SQL.
extension Database {
    func epoch() throws(SQLiteFailure) -> Int64 {
        try integer("SELECT epoch FROM ownership WHERE id = 1")
    }

    /// Raises the epoch and returns the new one.
    func takeOwnership() throws(SQLiteFailure) -> Int64 {
        try run("UPDATE ownership SET epoch = epoch + 1 WHERE id = 1")
        return try epoch()
    }

    /// Writes the epoch unchanged: the smallest write.
    func rewriteEpoch() throws(SQLiteFailure) {
        try run("UPDATE ownership SET epoch = epoch WHERE id = 1")
    }

    /// Throws unless this is the newest epoch. The transaction keeps it so.
    func require(_ owner: Epoch) throws {
        guard try epoch() == owner.number else { throw StoreError.notTheOwner }
    }

    func insert(hero row: DataRow) throws {
        do throws(SQLiteFailure) {
            try run(
                "INSERT INTO heroes (id, owner, data, crc) VALUES (?1, ?2, ?3, ?4)", row.values)
        } catch {
            throw error.isDuplicate
                ? StoreError.exists("hero \(row.keys[0])") : error as any Error
        }
    }

    func update(hero row: DataRow) throws(SQLiteFailure) {
        try run("UPDATE heroes SET owner = ?2, data = ?3, crc = ?4 WHERE id = ?1", row.values)
    }

    func hero(_ id: String) throws(SQLiteFailure) -> DataRow? {
        try row("SELECT id, owner, data, crc FROM heroes WHERE id = ?1", [.text(id)]) {
            DataRow($0, table: DataRow.heroes, keyCount: 2)
        }
    }

    func heroCount(of owner: String) throws(SQLiteFailure) -> Int {
        try row("SELECT count(*) FROM heroes WHERE owner = ?1", [.text(owner)]) {
            Int($0.integer(0))
        } ?? 0
    }

    func heroes(of owner: String) throws(SQLiteFailure) -> [DataRow] {
        try rows(
            "SELECT id, owner, data, crc FROM heroes WHERE owner = ?1 ORDER BY id", [.text(owner)]
        ) { DataRow($0, table: DataRow.heroes, keyCount: 2) }
    }
}
