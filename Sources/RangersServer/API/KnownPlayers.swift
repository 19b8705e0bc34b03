internal import GameLogic
internal import Isolation
internal import PartyStore
internal import Secrets

/// Who has which bearer token: the store's answer, kept for those who called last.
final class KnownPlayers: Sendable {
    /// Players who are remembered at a time.
    static let countMax = 65_536

    private let store: any Store
    /// By the token's SHA-256; the tokens themselves are nowhere.
    private let known = Locked(RecencyCache<[UInt8], PlayerID>(costMax: countMax))

    init(_ store: any Store) { self.store = store }

    /// The player with this token, if the store need not be asked.
    func known(_ token: Secret) -> PlayerID? {
        let hash = Digest.sha256(token.revealed.utf8)
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
