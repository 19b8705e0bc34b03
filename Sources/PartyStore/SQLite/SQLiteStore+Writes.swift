package import GameLogic
internal import PushPolicy

extension SQLiteStore {
    /// Raises the epoch, then migrates a file of an older schema step by step.
    package func takeOwnership() async throws(StoreError) -> Epoch {
        let number = try await writer.submit { database in
            if try Migration.isNeeded(on: database) { try Migration(database).begin() }
            return try database.takeOwnership()
        }
        let epoch = Epoch(number: number)
        try await migrate(epoch)
        try await writer.enforceReferences()
        noteUpToDate()
        return epoch
    }

    /// The number of a migration's steps between two reports.
    private static let stepsUnsaid = 50

    private func migrate(_ epoch: Epoch) async throws(StoreError) {
        var (progress, steps, isSaid) = (Migration.Progress.goesOn, 0, false)
        while progress == .goesOn {
            if steps.isMultiple(of: Self.stepsUnsaid) {
                let left = try await writer.submit { try Migration.partiesLeft(on: $0) }
                if left > 0 {
                    isSaid = true
                    damage.report(.migrating(partiesLeft: Int(left)))
                }
            }
            let step = try await writer.submit { database in
                try database.require(epoch)
                return try Migration(database).step().rawValue
            }
            progress = Migration.Progress(rawValue: step) ?? .done
            steps += 1
        }
        if isSaid { damage.report(.migrated) }
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
