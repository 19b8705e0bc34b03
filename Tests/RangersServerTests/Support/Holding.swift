@testable import PartyStore

extension FaultyStore {
    /// Which writes wait until `release`.
    enum Holding {
        case all
        /// Those with rows that other nodes write too.
        case shared
        /// Those that only one node makes at a time.
        case turns

        /// Those that hold a write of no batch.
        static let usual: Set<Holding> = [.all, .shared]
    }
}

extension Batch {
    var holdings: Set<FaultyStore.Holding> {
        var holdings: Set<FaultyStore.Holding> = [.all]
        if hasFurtherRows { holdings.insert(.shared) }
        if takesTurn { holdings.insert(.turns) }
        return holdings
    }
}
