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
    private let known = Locked(RecencyCache<TokenHash, PlayerID>(costMax: countMax))

    init(_ store: any Store) { self.store = store }

    /// Returns the player with this token, in UTF-8, if it is cached.
    func known(_ token: UnsafeRawBufferPointer) -> PlayerID? {
        let hash = TokenHash(sha256: Digest.sha256(token))
        return known.withLock { $0.use(hash) }
    }

    func player(with token: Secret) async throws(StoreError) -> PlayerID? {
        let sha256 = Digest.sha256(token.revealed.utf8)
        let hash = TokenHash(sha256: sha256)
        if let player = known.withLock({ $0.use(hash) }) { return player }
        guard let record = try await store.player(withTokenHash: sha256) else { return nil }
        known.withLock { $0.set(hash, to: record.id, cost: 1) }
        return record.id
    }
}

/// A SHA-256 as a key. It lies in the cache's own memory; an array would lie elsewhere, and every
/// request would fetch it into the processor's caches.
private struct TokenHash: Hashable {
    private let words: SIMD4<UInt64>

    /// - Parameter sha256: 32 bytes.
    init(sha256: [UInt8]) {
        words = sha256.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
    }

    /// Any part of a SHA-256 is as good a hash as the whole.
    func hash(into hasher: inout Hasher) { hasher.combine(words.x) }
}
