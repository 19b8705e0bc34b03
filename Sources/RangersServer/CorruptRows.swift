internal import Isolation
internal import PartyStore

/// The parties that a store's lists omitted because their rows are corrupt.
final class CorruptRows: Sendable {
    private let found = Locked<[String]>([])

    var descriptions: [String] { found.withLock { $0 } }

    func note(_ event: StoreEvent) {
        switch event {
        case .partyIsCorrupt(let party, let detail):
            found.withLock { $0.append("party \(party) is corrupt: \(detail)") }
        case .rowIsCorrupt, .historyDiffers, .fileChecked, .changesLost, .writingStopped,
            .writingResumed, .ballastFreed, .ballastMade, .checkpointFailed:
            break
        }
    }
}
