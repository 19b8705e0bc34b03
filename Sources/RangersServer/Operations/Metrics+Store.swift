package import PartyStore

extension Metrics {
    /// Counts the corrupt rows that a store finds: those of a party once, until the party reads well
    /// again, and any other each time.
    package func note(_ event: StoreEvent) {
        switch event {
        case .partyIsCorrupt, .rowIsCorrupt: add(.corruptRows)
        case .historyDiffers, .fileChecked, .changesLost, .writingStopped, .writingResumed,
            .ballastFreed, .ballastMade, .checkpointFailed:
            break
        }
    }
}
