internal import PushPolicy

/// The server's time, in SQL.
struct ClockTable {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    func anchor() throws -> DataRow? {
        try database.row("SELECT id, data, crc FROM clock") {
            DataRow($0, table: DataRow.clock, numberCount: 1)
        }
    }

    /// Returns the newest row of the journal.
    func newest() throws -> JournalRow? {
        try database.row(database.dialect.newestChange, read: JournalRow.init)
    }

    func put(_ anchor: ClockAnchor) throws(SQLFailure) {
        try database.run(
            """
            INSERT INTO clock (id, data, crc) VALUES (?1, ?2, ?3)
            ON CONFLICT (id) DO UPDATE SET data = excluded.data, crc = excluded.crc
            """,
            DataRow(clock: anchor).values)
    }
}

extension TableStore {
    package func clockRecord() async throws(StoreError) -> ClockRecord {
        let rows = try await read { database in
            let table = ClockTable(database)
            let newest = try table.newest().map { row in
                // Checked whole: a damaged time could lie centuries ahead.
                Result { () throws(RowFault) in
                    _ = try row.decode(packs: database.packs)
                    return WallTime(milliseconds: row.at)
                }
            }
            return (anchor: try table.anchor(), newest: newest)
        }
        let anchor = rows.anchor.flatMap { row in
            sound { () throws(RowFault) in try row.decode(ClockAnchorFormat.read) }
        }
        let newest = rows.newest.flatMap { time in
            sound { () throws(RowFault) in try time.get() }
        }
        return ClockRecord(anchor: anchor, newest: newest)
    }

    package func save(_ anchor: ClockAnchor, epoch: Epoch) async throws(StoreError) {
        _ = try await asOwner(epoch) { database in
            try ClockTable(database).put(anchor)
            return 1
        }
    }
}
