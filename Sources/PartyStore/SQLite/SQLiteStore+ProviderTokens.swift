extension SQLiteStore {
    package func save(
        _ token: ProviderTokenRecord, epoch: Epoch
    ) async throws(StoreError) {
        let row = try JSONRow(
            table: "provider_tokens", keys: [token.teamID, token.keyID], encoding: token)
        _ = try await writer.submit { database in
            try database.put(providerToken: row, epoch: epoch.number)
            return 1
        }
    }

    package func providerTokens() async throws(StoreError) -> [ProviderTokenRecord] {
        let rows = try await read { database throws(SQLiteFailure) in
            try database.providerTokens()
        }
        return try rows.map { row throws(StoreError) in
            try sound { () throws(RowFault) in try row.decode(ProviderTokenRecord.self) }
        }
    }
}

/// Provider tokens, in SQL.
extension Database {
    fileprivate func put(providerToken row: JSONRow, epoch: Int64) throws {
        let sql = """
            INSERT OR REPLACE INTO provider_tokens (team, key, json, crc) SELECT ?1, ?2, ?3, ?4
            WHERE (SELECT epoch FROM ownership WHERE id = 1) = ?5
            """
        try requireOwner(changed: try run(sql, row.values + [.integer(epoch)]))
    }

    fileprivate func providerTokens() throws(SQLiteFailure) -> [JSONRow] {
        try rows("SELECT team, key, json, crc FROM provider_tokens ORDER BY team, key") {
            JSONRow($0, table: "provider_tokens", keyCount: 2)
        }
    }
}
