import Isolation

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

extension FaultyStore {
    /// Whose readers a test can keep waiting while something else happens.
    enum Rows {
        case memberships
        case blocks
        case packs
        case sessions
        case events
    }

    /// Lets this happen once, after these rows were read and before their reader gets them.
    func afterReading(_ rows: Rows, _ body: @escaping @Sendable () async -> Void) {
        lateReads.withLock { $0[rows] = body }
    }

    func late<Value>(_ rows: Rows, _ value: Value) async -> Value {
        await lateReads.withLock { $0.removeValue(forKey: rows) }?()
        return value
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
