internal import GameLogic
internal import Isolation
internal import PartyStore
internal import Secrets

/// A cache of the store's players by bearer token, for the most recent callers.
final class KnownPlayers: Sendable {
    /// The most players cached at a time.
    static let countMax = 65_536

    private let store: any Store
    /// By the token's SHA-256; the tokens themselves are not kept.
    private let known = Locked(RecencyCache<[UInt8], PlayerID>(costMax: countMax))

    init(_ store: any Store) { self.store = store }

    /// Returns the player with this token, in UTF-8, if it is cached.
    func known(_ token: UnsafeRawBufferPointer) -> PlayerID? {
        let hash = Digest.sha256(token)
        return known.withLock { $0.use(hash) }
    }

    func player(with token: Secret) async throws(StoreError) -> PlayerID? {
        let hash = Digest.sha256(token.revealed.utf8)
        if let player = known.withLock({ $0.use(hash) }) { return player }
        guard let record = try await store.player(withTokenHash: hash) else { return nil }
        known.withLock { $0.set(hash, to: record.id, cost: 1) }
        return record.id
    }
}
