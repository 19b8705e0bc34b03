/// The sessions of game masters, in SQL. Writes run in the caller's transaction.
struct SessionTable {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    func rows() throws -> [DataRow] {
        try database.rows("SELECT id, key, data, crc FROM sessions ORDER BY id") {
            DataRow($0, table: DataRow.sessions, keyCount: 2)
        }
    }

    func insert(_ session: SessionRecord) throws(SQLFailure) {
        try database.run(
            "INSERT INTO sessions (id, key, data, crc) VALUES (?1, ?2, ?3, ?4)",
            DataRow(session: session).values)
    }

    /// Writes a session that still exists.
    func update(_ session: SessionRecord) throws(SQLFailure) {
        try database.run(
            "UPDATE sessions SET data = ?3, crc = ?4 WHERE id = ?1 AND key = ?2",
            DataRow(session: session).values)
    }

    func remove(_ ids: [String]) throws(SQLFailure) {
        for id in ids {
            try database.run("DELETE FROM sessions WHERE id = ?1", [.text(id)])
        }
    }

    func removeAll(of key: String) throws(SQLFailure) {
        try database.run("DELETE FROM sessions WHERE key = ?1", [.text(key)])
    }

    /// Whether the key is still the one that it was. Another may have its name now.
    func isValid(_ key: AdminKeyRecord) throws -> Bool {
        try GameMasterTables(database).keys().contains { $0.data == DataRow(adminKey: key).data }
    }
}

extension TableStore {
    package func sessions() async throws(StoreError) -> [SessionRecord] {
        try await read { try SessionTable($0).rows() }
            .compactMap { row in sound { () throws(RowFault) in try row.session() } }
    }

    package func insert(
        _ session: SessionRecord, of key: AdminKeyRecord?, removing ended: [String],
        as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        try await asOwner(epoch) { database in
            let table = SessionTable(database)
            let isRevoked = if let key { try table.isValid(key) == false } else { false }
            guard !isRevoked else { return 0 }
            try table.remove(ended)
            try table.insert(session)
            try database.announce(.masters)
            try GameMasterTables(database).append(DataRow(audit: call))
            return 1
        } > 0
    }

    package func update(
        _ sessions: [SessionRecord], removing ended: [String], as call: AuditRecord?,
        epoch: Epoch
    ) async throws(StoreError) {
        _ = try await asOwner(epoch) { database in
            let table = SessionTable(database)
            for session in sessions { try table.update(session) }
            try table.remove(ended)
            if let call {
                try database.announce(.masters)
                try GameMasterTables(database).append(DataRow(audit: call))
            }
            return 1
        }
    }
}
