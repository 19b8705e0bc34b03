/// Heroes, in SQL.
extension SQLSession {
    func insert(hero row: DataRow) throws {
        do throws(SQLFailure) {
            try run(
                "INSERT INTO heroes (id, owner, data, crc) VALUES (?1, ?2, ?3, ?4)", row.values)
        } catch {
            throw error.isDuplicate
                ? StoreError.exists("hero \(row.keys[0])") : error as any Error
        }
    }

    func update(hero row: DataRow) throws(SQLFailure) {
        try run("UPDATE heroes SET owner = ?2, data = ?3, crc = ?4 WHERE id = ?1", row.values)
    }

    func hero(_ id: String) throws(SQLFailure) -> DataRow? {
        try row("SELECT id, owner, data, crc FROM heroes WHERE id = ?1", [.text(id)]) {
            DataRow($0, table: DataRow.heroes, keyCount: 2)
        }
    }

    func heroCount(of owner: String) throws(SQLFailure) -> Int {
        try row("SELECT count(*) FROM heroes WHERE owner = ?1", [.text(owner)]) {
            Int($0.integer(0))
        } ?? 0
    }

    func heroes(of owner: String) throws(SQLFailure) -> [DataRow] {
        try rows(
            "SELECT id, owner, data, crc FROM heroes WHERE owner = ?1 ORDER BY id", [.text(owner)]
        ) { DataRow($0, table: DataRow.heroes, keyCount: 2) }
    }
}
