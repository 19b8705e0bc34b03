package import GameLogic
package import PushPolicy

extension SQLiteStore {
    package func put(
        _ device: StartDevice, amongAtMost limit: Int, epoch: Epoch
    ) async throws(StoreError) -> StartDevicePut {
        let changed = try await writer.submit { database in
            Int64(try database.put(device, limit: limit, epoch: epoch.number))
        }
        return changed > 0 ? .written : .noRoom
    }

    /// A row that is damaged is reported and left out: a phone less must not keep the others from
    /// their cards.
    package func startDevices(
        of players: [PlayerID]
    ) async throws(StoreError) -> [StartDevice] {
        let rows = try await read { database throws(SQLiteFailure) in
            try database.reading { () throws(SQLiteFailure) in
                var rows: [StartDeviceRow] = []
                for player in players { rows += try database.startDevices(of: player.rawValue) }
                return rows
            }
        }
        return rows.compactMap { row in
            do throws(RowFault) {
                return try row.record()
            } catch {
                _ = corrupt(error)
                return nil
            }
        }
    }

    package func forgetStartToken(
        of device: DeviceID, player: PlayerID, epoch: Epoch
    ) async throws(StoreError) -> Int {
        Int(
            try await writer.submit { database in
                Int64(
                    try database.forgetStartToken(
                        of: device.rawValue, player: player.rawValue, epoch: epoch.number))
            })
    }

    package func retireStartToken(
        _ token: PushToken, of key: StartDevice.Key, since: WallTime?, epoch: Epoch
    ) async throws(StoreError) {
        _ = try await writer.submit { database in
            Int64(
                try database.retireStartToken(
                    token, of: key, since: since, epoch: epoch.number))
        }
    }

    package func write(
        startsOf devices: [StartDevice], epoch: Epoch
    ) async throws(StoreError) {
        let rows = try devices.map(StartDeviceRow.init)
        _ = try await writer.submit { database in
            guard try database.epoch() == epoch.number else { throw StoreError.notTheOwner }
            for row in rows { try database.write(starts: row) }
            return Int64(rows.count)
        }
    }
}
