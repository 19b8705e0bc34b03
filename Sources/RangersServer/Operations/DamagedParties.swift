internal import GameLogic
package import PartyStore

/// The parties that the store's check of all rows finds damaged: they are set aside, so that an
/// operator sees all of them, even those that nobody reads.
package final class DamagedParties: Sendable {
    /// Further ones are only in the log.
    private static let waitingMax = 10_000

    private struct Found: Sendable {
        let party: PartyID
        let fault: String
    }

    private let found: AsyncStream<Found>
    private let continuation: AsyncStream<Found>.Continuation

    package init() {
        (found, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.waitingMax))
    }

    package func note(_ event: StoreEvent) {
        guard case .partyIsCorrupt(let party, let detail) = event else { return }
        continuation.yield(Found(party: party, fault: detail))
    }

    /// Sets the found parties aside, until `stop`.
    func run(in shards: Shards) async {
        for await found in found { await shards.setAside(found.party, because: found.fault) }
    }

    func stop() { continuation.finish() }
}
