extension SQLiteStore {
    package func takeOwnership() async throws(StoreError) -> Epoch {
        do throws(StoreError) {
            return Epoch(number: try await writer.submit { try $0.takeOwnership() })
        } catch {
            guard case .unavailable = error else { throw error }
            return try await takeOwnershipLater()
        }
    }

    /// Starts on a full disk, or on a busy file: reads work, and the first write that succeeds
    /// takes ownership.
    private func takeOwnershipLater() async throws(StoreError) -> Epoch {
        await writer.takeLater(above: try await readFile { try $0.epoch() })
    }

    package func write(
        _ batch: Batch, epoch: Epoch, done: @escaping @Sendable (BatchResult) -> Void
    ) {
        writer.write(batch, epoch: epoch, done: done)
    }
}
