extension SQLiteStore {
    /// Raises the epoch, then migrates a file of an older schema step by step.
    package func takeOwnership() async throws(StoreError) -> Epoch {
        let number: Int64
        do throws(StoreError) {
            number = try await writer.submit { database in
                if try Migration.isNeeded(on: database) { try Migration(database).begin() }
                return try database.takeOwnership()
            }
        } catch {
            guard case .unavailable = error, !readers.isOutdated else { throw error }
            return try await takeOwnershipLater()
        }
        let epoch = Epoch(number: number)
        try await migrate(epoch)
        try await writer.enforceReferences()
        readers.noteUpToDate()
        return epoch
    }

    /// Starts on a full disk, or on a busy file: reads work, and the first write that succeeds takes ownership.
    private func takeOwnershipLater() async throws(StoreError) -> Epoch {
        let epoch = await writer.takeLater(above: try await readFile { try $0.epoch() })
        try await writer.enforceReferences()
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
}
