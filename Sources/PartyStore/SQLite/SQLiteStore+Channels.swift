package import PushPolicy

extension SQLiteStore {
    /// Reads those of all environments: a row whose key is damaged would not be found by its own.
    package func channels(
        in environment: PushEnvironment
    ) async throws(StoreError) -> [ChannelRecord] {
        try await read { database in
            try database.decoded(
                """
                SELECT environment, id, party, data, crc FROM channels ORDER BY environment, id
                """
            ) { row in
                try DataRow(row, table: DataRow.channels, keyCount: 2, numberCount: 1)
                    .decode(ChannelFormat.read)
            }
        }.filter { $0.environment == environment }
    }

    package func forget(
        _ channels: [ChannelName], in environment: PushEnvironment, epoch: Epoch
    ) async throws(StoreError) {
        _ = try await writer.submit { database in
            try database.require(epoch)
            for channel in channels {
                try database.run(
                    "DELETE FROM channels WHERE environment = ?1 AND id = ?2",
                    [.text(environment.rawValue), .text(channel.rawValue)])
            }
            return Int64(channels.count)
        }
    }
}
