internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy
internal import Secrets

/// A cache of the store's devices by bearer token, for the most recent callers. Each look-up of a
/// player is a sighting.
final class KnownPlayers: Sendable {
    /// The most devices cached at a time.
    static let countMax = 65_536
    /// How long another server's end of a token may be unknown here, in milliseconds.
    static let sharedMilliseconds: Int64 = 10_000

    private struct Known {
        let player: PlayerID
        let device: DeviceID
        /// When the player was noted as seen.
        let notedAt: WallTime
        /// When the store was asked.
        let readAt: WallTime
    }

    private struct State {
        var cache = RecencyCache<TokenHash, Known>(costMax: countMax)
        /// How often tokens have ended. What was read before is not cached after it.
        var endings = 0
    }

    private let store: any Store
    let epoch: Epoch
    /// Whether other servers may end tokens too.
    private let isShared: Bool
    private let clock: ServerClock
    private let sightings: PlayerSightings
    private let streams: PartyStreams
    private let pages: PageStreams
    /// By the token's SHA-256; the tokens themselves are not kept.
    private let state = Locked(State())

    init(
        _ dependencies: Dependencies, epoch: Epoch, sightings: PlayerSightings,
        streams: PartyStreams, pages: PageStreams, isShared: Bool
    ) {
        self.isShared = isShared
        store = dependencies.store
        clock = dependencies.clock
        self.epoch = epoch
        self.sightings = sightings
        self.streams = streams
        self.pages = pages
    }

    /// Returns the player with this token, in UTF-8, if it is cached.
    func known(_ token: UnsafeRawBufferPointer) -> PlayerID? {
        known(TokenHash(sha256: Digest.sha256(token)))?.player
    }

    /// Returns the player and the device with this token. The first use of a new token ends the old
    /// one.
    func caller(with token: Secret) async throws -> DeviceRecord.Key? {
        let sha256 = Digest.sha256(token.revealed.utf8)
        let hash = TokenHash(sha256: sha256)
        if let found = known(hash) {
            return DeviceRecord.Key(player: found.player, device: found.device)
        }
        let endings = state.withLock { $0.endings }
        guard let device = try await store.device(withTokenHash: sha256) else { return nil }
        let now = clock.now()
        sightings.note(device.key.player, at: now)
        if device.nextTokenHash == sha256 {
            try await change(.useNext(sha256), keeping: nil)
            return device.key
        }
        let found = Known(
            player: device.key.player, device: device.key.device, notedAt: now, readAt: now)
        state.withLock { state in
            guard state.endings == endings else { return }
            state.cache.set(hash, to: found, cost: 1)
        }
        return device.key
    }

    /// Changes an account, and forgets the tokens that end with it, with the streams that they have
    /// opened.
    @discardableResult
    func change(
        _ account: AccountChange, keeping request: KeptRequest?
    ) async throws(StoreError) -> AccountOutcome {
        let outcome = try await store.change(account, keeping: request, epoch: epoch)
        guard !outcome.endedTokens.isEmpty else { return outcome }
        end(Set(outcome.endedTokens))
        return outcome
    }

    /// Removes accounts that are still unused, and forgets their tokens. Returns how many there were.
    func removeUnused(
        _ players: [PlayerID], registeredBefore time: WallTime
    ) async throws(StoreError) -> Int {
        let ended = try await store.removeUnused(players, registeredBefore: time, epoch: epoch)
        guard !ended.isEmpty else { return 0 }
        end(Set(ended.values.joined()))
        return ended.count
    }

    /// Closes the streams that tokens have opened which another server has ended. Every token is
    /// looked up again from now on: first of all, so that none of them opens a stream unseen.
    func closeEnded() async throws(StoreError) {
        state.withLock { state in
            state.endings += 1
            state.cache.removeAll()
        }
        var ended: Set<[UInt8]> = []
        for token in streams.tokens.union(pages.bearers)
        where try await store.device(withTokenHash: token) == nil { ended.insert(token) }
        end(ended)
    }

    /// Forgets tokens, and closes the streams that they have opened.
    private func end(_ tokens: Set<[UInt8]>) {
        guard !tokens.isEmpty else { return }
        state.withLock { state in
            state.endings += 1
            for sha256 in tokens { state.cache.remove(TokenHash(sha256: sha256)) }
        }
        streams.close(tokens: tokens)
        pages.close(tokens: tokens)
    }

    private func known(_ hash: TokenHash) -> Known? {
        guard let found = state.withLock({ $0.cache.use(hash) }) else { return nil }
        let now = clock.now()
        if isShared, now.milliseconds - found.readAt.milliseconds >= Self.sharedMilliseconds {
            return nil
        }
        let age = now.milliseconds - found.notedAt.milliseconds
        if age >= PlayerSightings.resolutionMilliseconds { note(found, hash, at: now) }
        return found
    }

    private func note(_ found: Known, _ hash: TokenHash, at now: WallTime) {
        let noted = Known(
            player: found.player, device: found.device, notedAt: now, readAt: found.readAt)
        state.withLock { state in
            // Its token may have ended meanwhile.
            guard state.cache.value(hash) != nil else { return }
            state.cache.set(hash, to: noted, cost: 1)
        }
        sightings.note(found.player, at: now)
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
