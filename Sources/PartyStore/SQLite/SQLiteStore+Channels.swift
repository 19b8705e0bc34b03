package import PushPolicy

extension SQLiteStore {
    package func channels(
        in environment: PushEnvironment
    ) async throws(StoreError) -> [ChannelRecord] {
        let rows = try await read { database throws(SQLiteFailure) in
            try database.channels()
        }
        let channels = try rows.map { row throws(StoreError) in
            do throws(RowFault) {
                return try row.decode(ChannelRecord.self)
            } catch {
                throw corrupt(error)
            }
        }
        return channels.filter { $0.environment == environment }
    }

    package func forget(
        _ channels: [ChannelName], in environment: PushEnvironment, epoch: Epoch
    ) async throws(StoreError) {
        _ = try await writer.submit { database in
            guard try database.epoch() == epoch.number else { throw StoreError.notTheOwner }
            for channel in channels { try database.forget(channel: channel, in: environment) }
            return Int64(channels.count)
        }
    }
}
