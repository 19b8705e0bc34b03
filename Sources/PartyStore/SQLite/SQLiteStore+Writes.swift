package import GameLogic
internal import PushPolicy

extension SQLiteStore {
    /// Raises the epoch, then brings a file of an older schema up to date, step by step.
    package func takeOwnership() async throws(StoreError) -> Epoch {
        let number = try await writer.submit { database in
            if try Migration.isNeeded(on: database) { try Migration(database).begin() }
            return try database.takeOwnership()
        }
        let epoch = Epoch(number: number)
        var progress = Migration.Progress.goesOn
        while progress == .goesOn {
            let step = try await writer.submit { database in
                try database.require(epoch)
                return try Migration(database).step().rawValue
            }
            progress = Migration.Progress(rawValue: step) ?? .done
        }
        try await writer.enforceReferences()
        noteUpToDate()
        return epoch
    }

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
