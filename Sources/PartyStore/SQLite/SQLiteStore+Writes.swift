package import GameLogic
internal import PushPolicy

extension SQLiteStore {
    package func write(
        _ batch: Batch, epoch: Epoch, done: @escaping @Sendable (BatchResult) -> Void
    ) {
        writer.write(batch, epoch: epoch, done: done)
    }

    package func insert(_ player: PlayerRecord, epoch: Epoch) async throws(StoreError) {
        let row = PlayerRow(player)
        _ = try await writer.submit { database in
            try database.require(epoch)
            try database.insert(row)
            return 1
        }
    }

    package func insert(_ hero: Hero, epoch: Epoch) async throws(StoreError) {
        let row = DataRow(hero: hero)
        _ = try await writer.submit { database in
            try database.require(epoch)
            try database.insert(hero: row)
            return 1
        }
    }
}
