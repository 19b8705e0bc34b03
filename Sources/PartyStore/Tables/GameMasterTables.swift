package import PushPolicy

/// The tables of game masters: their keys, and the log of their calls. Writes run in the caller's
/// transaction.
struct GameMasterTables {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    // MARK: Keys

    func keys() throws -> [DataRow] {
        try database.rows("SELECT name, data, crc FROM admin_keys ORDER BY name") {
            DataRow($0, table: DataRow.adminKeys, keyCount: 1)
        }
    }

    /// Returns whether there was room for the key among `limit`.
    func insert(_ key: AdminKeyRecord, limit: Int) throws -> Bool {
        guard try database.integer("SELECT count(*) FROM admin_keys") < limit else { return false }
        do throws(SQLFailure) {
            try database.run(
                "INSERT INTO admin_keys (name, data, crc) VALUES (?1, ?2, ?3)",
                DataRow(adminKey: key).values)
            return true
        } catch {
            guard error.isDuplicate else { throw error }
            throw StoreError.exists("A key \"\(key.holder.name)\"")
        }
    }

    /// Returns whether there was such a key.
    func removeKey(named name: String) throws(SQLFailure) -> Bool {
        try database.run("DELETE FROM admin_keys WHERE name = ?1", [.text(name)]) > 0
    }

    // MARK: The pause of pushes

    func pause() throws -> DataRow? {
        try database.row("SELECT id, data, crc FROM push_pause") {
            DataRow($0, table: DataRow.pushPause, numberCount: 1)
        }
    }

    /// Sets the pause; `nil`: pushes are sent. A pause that began earlier stays.
    func set(_ pause: PushPause?) throws(SQLFailure) {
        guard let pause else {
            try database.run("DELETE FROM push_pause")
            return
        }
        try database.run(
            """
            INSERT INTO push_pause (id, data, crc) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING
            """,
            DataRow(pushPause: pause).values)
    }

    // MARK: The audit log

    func newestCall() throws(SQLFailure) -> Int64 {
        try database.integer("SELECT coalesce(max(id), 0) FROM audit")
    }

    /// Returns the row's number.
    @discardableResult
    func append(_ row: DataRow) throws(SQLFailure) -> Int64 {
        try database.integer(database.dialect.appendCall, row.values)
    }

    /// Returns rows below `number`, the newest first.
    func calls(before number: Int64, limit: Int) throws -> [(number: Int64, row: DataRow)] {
        try database.rows(
            "SELECT at, data, crc, id FROM audit WHERE id < ?1 ORDER BY id DESC LIMIT ?2",
            [.integer(number), .limit(limit)]
        ) { ($0.integer(3), DataRow($0, table: DataRow.audit, numberCount: 1)) }
    }

    /// Removes the old ones among the first `rows` rows. Returns how many there were.
    func trim(before time: WallTime, rows: Int) throws(SQLFailure) -> Int {
        try database.run(
            """
            DELETE FROM audit WHERE id IN (
                SELECT id FROM (SELECT id, at FROM audit ORDER BY id LIMIT ?2) AS oldest
                WHERE at < ?1)
            """, [.integer(time.milliseconds), .limit(rows)])
    }
}

extension TableStore {
    package func adminKeys() async throws(StoreError) -> [AdminKeyRecord] {
        try await read { try GameMasterTables($0).keys() }
            .compactMap { row in
                sound { () throws(RowFault) in try row.decode(AdminKeyFormat.read) }
            }
    }

    package func insert(
        _ key: AdminKeyRecord, amongAtMost limit: Int, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> AdminKeyPut {
        let row = DataRow(audit: call)
        let written = try await asOwner(epoch) { database in
            let tables = GameMasterTables(database)
            guard try tables.insert(key, limit: limit) else { return 0 }
            try tables.append(row)
            return 1
        }
        return written > 0 ? .written : .noRoom
    }

    package func removeAdminKey(
        named name: String, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        let row = DataRow(audit: call)
        return try await asOwner(epoch) { database in
            let tables = GameMasterTables(database)
            guard try tables.removeKey(named: name) else { return 0 }
            try SessionTable(database).removeAll(of: name)
            try database.announce(.masters)
            try tables.append(row)
            return 1
        } > 0
    }

    package func pushPause() async throws(StoreError) -> PushPause? {
        try await read { try GameMasterTables($0).pause()?.decode(PushPauseFormat.read) }
    }

    package func newestPushPause() async throws(StoreError) -> (pause: PushPause?, order: Int64) {
        try await read { database in
            try database.reading {
                let tables = GameMasterTables(database)
                return (try tables.pause()?.decode(PushPauseFormat.read), try tables.newestCall())
            }
        }
    }

    package func set(
        _ pause: PushPause?, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Int64 {
        let row = DataRow(audit: call)
        return try await asOwner(epoch) { database in
            let tables = GameMasterTables(database)
            try tables.set(pause)
            try database.announce(.pause)
            return try tables.append(row)
        }
    }

    package func append(_ calls: [AuditRecord], epoch: Epoch) async throws(StoreError) {
        let rows = calls.map { DataRow(audit: $0) }
        _ = try await asOwner(epoch) { database in
            for row in rows { try GameMasterTables(database).append(row) }
            return 1
        }
    }

    package func auditLog(
        before number: Int64?, limit: Int
    ) async throws(StoreError) -> AuditPage {
        let rows = try await read {
            try GameMasterTables($0).calls(before: number ?? .max, limit: limit)
        }
        let calls = rows.compactMap { number, row in
            sound { () throws(RowFault) in
                LoggedCall(number: number, call: try row.decode(AuditFormat.read))
            }
        }
        return AuditPage(calls: calls, next: rows.count < limit ? nil : rows.last?.number)
    }

    package func trimAudit(
        before time: WallTime, rows: Int, epoch: Epoch
    ) async throws(StoreError) -> Int {
        Int(
            try await asOwner(epoch) { database in
                Int64(try GameMasterTables(database).trim(before: time, rows: rows))
            })
    }
}
