internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy
internal import Secrets

/// A cache of the store's players by bearer token, for the most recent callers. Each look-up of a
/// player is a sighting.
final class KnownPlayers: Sendable {
    /// The most players cached at a time.
    static let countMax = 65_536

    private struct Known {
        let player: PlayerID
        /// When the player was noted as seen.
        let notedAt: WallTime
    }

    private let store: any Store
    private let clock: ServerClock
    private let sightings: PlayerSightings
    /// By the token's SHA-256; the tokens themselves are not kept.
    private let known = Locked(RecencyCache<TokenHash, Known>(costMax: countMax))

    init(_ store: any Store, clock: ServerClock, sightings: PlayerSightings) {
        self.store = store
        self.clock = clock
        self.sightings = sightings
    }

    /// Returns the player with this token, in UTF-8, if it is cached.
    func known(_ token: UnsafeRawBufferPointer) -> PlayerID? {
        player(with: TokenHash(sha256: Digest.sha256(token)))
    }

    func player(with token: Secret) async throws(StoreError) -> PlayerID? {
        let sha256 = Digest.sha256(token.revealed.utf8)
        let hash = TokenHash(sha256: sha256)
        if let player = player(with: hash) { return player }
        guard let record = try await store.player(withTokenHash: sha256) else { return nil }
        note(record.id, hash, at: clock.now())
        return record.id
    }

    private func player(with hash: TokenHash) -> PlayerID? {
        guard let found = known.withLock({ $0.use(hash) }) else { return nil }
        let now = clock.now()
        let age = now.milliseconds - found.notedAt.milliseconds
        if age >= PlayerSightings.resolutionMilliseconds { note(found.player, hash, at: now) }
        return found.player
    }

    private func note(_ player: PlayerID, _ hash: TokenHash, at now: WallTime) {
        known.withLock { $0.set(hash, to: Known(player: player, notedAt: now), cost: 1) }
        sightings.note(player, at: now)
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
