package import GameLogic
package import PushPolicy

extension SQLiteStore {
    package func put(
        _ device: StartDevice, amongAtMost limit: Int, epoch: Epoch
    ) async throws(StoreError) -> StartDevicePut {
        let changed = try await writer.submit { database in
            try database.require(epoch)
            return Int64(try database.put(device, limit: limit))
        }
        return changed > 0 ? .written : .noRoom
    }

    /// Returns devices. A damaged row is reported and omitted, so that other devices still get
    /// their activities.
    package func startDevices(
        of players: [PlayerID]
    ) async throws(StoreError) -> [StartDevice] {
        let rows = try await read { database in
            try database.reading {
                try players.flatMap { try database.startDevices(of: $0.rawValue) }
            }
        }
        return rows.compactMap { row in
            do throws(RowFault) {
                return try row.record()
            } catch {
                _ = damage.corrupt(error)
                return nil
            }
        }
    }

    package func forgetStartToken(
        of device: DeviceID, player: PlayerID, epoch: Epoch
    ) async throws(StoreError) -> Int {
        Int(
            try await writer.submit { database in
                try database.require(epoch)
                return Int64(
                    try database.forgetStartToken(of: device.rawValue, player: player.rawValue))
            })
    }

    package func retireStartToken(
        _ token: PushToken, of key: StartDevice.Key, since: WallTime?, epoch: Epoch
    ) async throws(StoreError) {
        _ = try await writer.submit { database in
            try database.require(epoch)
            return Int64(try database.retireStartToken(token, of: key, since: since))
        }
    }

    package func write(
        startsOf devices: [StartDevice], epoch: Epoch
    ) async throws(StoreError) {
        let rows = devices.map(StartDeviceRow.init)
        _ = try await writer.submit { database in
            try database.require(epoch)
            for row in rows { try database.write(starts: row) }
            return Int64(rows.count)
        }
    }
}
