import GameLogic
import PartyStore
import PushPolicy

extension Store {
    /// Writes one party's change in a batch of its own.
    func commit(_ change: PartyCommit, epoch: Epoch) async throws(StoreError) {
        var batch = Batch()
        batch.add(change)
        let result = await write(batch, epoch: epoch)
        try result.parties[0].get()
    }

    /// Writes a batch, and waits for what became of it.
    func write(_ batch: Batch, epoch: Epoch) async -> BatchResult {
        await withCheckedContinuation { continuation in
            write(batch, epoch: epoch) { continuation.resume(returning: $0) }
        }
    }
}

extension StartDevice {
    /// The same one, whatever version the store has given to it.
    var unversioned: StartDevice {
        var same = self
        same.version = 0
        return same
    }
}
