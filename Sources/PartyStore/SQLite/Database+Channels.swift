internal import PushPolicy

/// Broadcast channels, in SQL.
extension Database {
    /// Of all environments: a row whose key is damaged would not be found by its environment.
    func channels() throws(SQLiteFailure) -> [JSONRow] {
        let sql = "SELECT environment, id, party, json, crc FROM channels ORDER BY environment, id"
        return try rows(sql) {
            JSONRow($0, table: JSONRow.channels, keyCount: 3)
        }
    }

    /// A channel is one party's for ever; of the rest only its end can be new.
    func put(channel: JSONRow) throws {
        let sql = """
            INSERT INTO channels (environment, id, party, json, crc) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (environment, id) DO UPDATE SET json = excluded.json, crc = excluded.crc
            WHERE channels.party = excluded.party
            """
        guard try run(sql, channel.values) == 1 else {
            throw StoreError.exists("channel \(channel.keys[1]) of another party")
        }
    }

    func forget(channel: ChannelName, in environment: PushEnvironment) throws(SQLiteFailure) {
        try run(
            "DELETE FROM channels WHERE environment = ?1 AND id = ?2",
            [.text(environment.rawValue), .text(channel.rawValue)])
    }
}
