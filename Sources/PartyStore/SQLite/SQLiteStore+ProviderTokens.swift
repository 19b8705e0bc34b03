extension SQLiteStore {
    package func save(
        _ token: ProviderTokenRecord, epoch: Epoch
    ) async throws(StoreError) {
        let row = DataRow(providerToken: token)
        _ = try await writer.submit { database in
            try database.require(epoch)
            return Int64(
                try database.run(
                    """
                    INSERT OR REPLACE INTO provider_tokens (team, key, data, crc)
                    VALUES (?1, ?2, ?3, ?4)
                    """, row.values))
        }
    }

    package func providerTokens() async throws(StoreError) -> [ProviderTokenRecord] {
        try await read { database in
            try database.decoded(
                "SELECT team, key, data, crc FROM provider_tokens ORDER BY team, key"
            ) { row in
                try DataRow(row, table: DataRow.providerTokens, keyCount: 2)
                    .decode(ProviderTokenFormat.read)
            }
        }
    }
}
