internal import GameLogic
internal import PushPolicy

/// The table of requests that players may repeat. All methods run in the writer's transaction,
/// except `request(with:)`.
struct KeptRequestTable {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    /// Writes the row of a request, in the transaction of its change. Refused with
    /// `.requestIsKept` when the player has used the key in the last day.
    func keep(_ row: DataRow) throws {
        let player = SQLValue.text(row.keys[0])
        let since = KeptRequest.keptSince(WallTime(milliseconds: row.numbers[0])).milliseconds
        try database.run(
            "DELETE FROM requests WHERE player = ?1 AND at <= ?2", [player, .integer(since)])
        do throws(SQLFailure) {
            try database.run(database.dialect.keepRequest, row.values)
        } catch {
            throw error.isDuplicate ? StoreError.requestIsKept : error as any Error
        }
        // All rows beyond an offset: PostgreSQL and SQLite agree on no shorter limit.
        try database.run(
            """
            DELETE FROM requests WHERE player = ?1 AND id IN (
                SELECT id FROM requests WHERE player = ?1 ORDER BY id DESC LIMIT 1000000 OFFSET ?2)
            """, [player, .limit(KeptRequest.countMax)])
    }

    func request(with key: RequestKey) throws -> KeptRequest? {
        let row = try database.row(
            "SELECT player, key, at, data, crc FROM requests WHERE player = ?1 AND key = ?2",
            [.text(key.player.rawValue), .text(key.key)], read: Self.row)
        return try row.map { row in try Self.request(row) }
    }

    /// Removes at most `rows` rows of requests at `time` and before. Returns how many there were.
    func forget(upTo time: WallTime, rows: Int) throws(SQLFailure) -> Int {
        try database.run(
            database.dialect.forgetRequests, [.integer(time.milliseconds), .limit(rows)])
    }

    /// Reads the columns player, key, at, data, crc.
    static func row(_ row: any SQLRow) -> DataRow {
        DataRow(row, table: DataRow.requests, keyCount: 2, numberCount: 1)
    }

    static func request(_ row: DataRow) throws(RowFault) -> KeptRequest {
        try row.decode {
            try KeptRequestFormat.read(
                $0, player: row.keys[0], key: row.keys[1], at: row.numbers[0])
        }
    }
}
