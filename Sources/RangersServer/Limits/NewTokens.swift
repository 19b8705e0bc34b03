internal import APNsClient
internal import GameLogic
internal import HTTPServer
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// Holds back first pushes to tokens, as `TokenTrust` decides. A push to a token that APNs has
/// accepted never comes here.
///
/// What it knows is in memory. A restart forgets the bad tokens, but not the pauses that outboxes
/// have because of them (docs/internals/outages-and-budgets.md).
final class NewTokens: Sendable {
    private struct State {
        var trust = TokenTrust()
        var isSharing = false
        var addresses = PlayerAddresses()
    }

    private let state = Locked(State())
    private let clock: ServerClock
    private let limits: RequestLimits
    private let log: Log
    private let accepted: [NumberSeries]
    private let slowed: NumberSeries

    convenience init(_ dependencies: Dependencies, _ limits: RequestLimits) {
        self.init(
            clock: dependencies.clock, limits: limits, metrics: dependencies.metrics,
            log: dependencies.log)
    }

    init(clock: ServerClock, limits: RequestLimits, metrics: Metrics, log: Log) {
        self.clock = clock
        self.limits = limits
        self.log = log
        accepted = PushCounters.acceptedSeries(metrics)
        slowed = metrics.number(.newTokensSlowed)
    }

    /// Returns until when a first push to one of the player's tokens waits; `nil`: it goes now.
    func wait(of player: PlayerID) -> WallTime? {
        let total = accepted.reduce(0) { $0 + Int64($1.value) }
        let key = Self.key(player)
        let address = state.withLock { $0.addresses[key] } ?? .unknown
        // A trusted client takes turns with everybody.
        let network = limits.counted(address).map { Self.key($0.widestNetwork) } ?? key
        let needsShare = update { $0.needsShare(of: key, on: network, at: $1) }
        // Outside the lock. What changes meanwhile concerns one push.
        let hasShare = !needsShare || limits.take(.firstPushes, .address(address)) == nil
        let decision = update { trust, now in
            trust.decide(
                of: key, on: network, hasShare: hasShare, acceptedTotal: total, at: now)
        }
        switch decision {
        case .send: return nil
        case .rest(let milliseconds), .wait(let milliseconds):
            return clock.now().adding(milliseconds: milliseconds)
        }
    }

    /// Notes from where a player sends requests, unless a token of the player was accepted.
    func note(_ player: PlayerID, at address: ClientAddress) {
        let key = Self.key(player)
        state.withLock { state in
            if !state.trust.isProven(key) { state.addresses.note(key, at: address) }
        }
    }

    /// Notes what became of a first push. Most outcomes say nothing of the token.
    func note(_ result: ReportedOutcome.Result, of player: PlayerID) {
        switch result {
        case .reported(.accepted):
            update { $0.noteAccepted(of: Self.key(player), at: $1) }
        case .reported(.refused(let refusal)) where refusal.saysTokenIsUnknown:
            update { $0.noteBad(of: Self.key(player), at: $1) }
        case .reported, .unsendable, .linted, .paused, .noChannels, .noPage,
            .expired, .held:
            break
        }
    }

    /// Notes the players of whom APNs has accepted pushes before the server started.
    func learn(from activities: [LiveActivity]) {
        for index in activities.indices
        where activities[index].outbox?.hasAcceptedPush == true {
            let key = Self.key(activities[index].registration.player)
            state.withLock { $0.trust.prove(key) }
        }
    }

    /// Returns whether a token of the player was ever accepted, as far as is known.
    func isProven(_ player: PlayerID) -> Bool {
        let key = Self.key(player)
        return state.withLock { $0.trust.isProven(key) }
    }

    @discardableResult
    private func update<Value>(_ body: (inout TokenTrust, Int64) -> Value) -> Value {
        // Before the lock is taken.
        let now = clock.uptime() / 1000
        let (value, news) = state.withLock { state in
            let value = body(&state.trust, now)
            let isSharing = state.trust.isSharing(at: now)
            defer { state.isSharing = isSharing }
            return (value, isSharing == state.isSharing ? nil : isSharing)
        }
        if let news { tell(news) }
        return value
    }

    private func tell(_ isSharing: Bool) {
        slowed.set(to: isSharing ? 1 : 0)
        guard isSharing else { return log.info("first pushes are no longer slowed") }
        log.warning("APNs rejects many new tokens: other first pushes are slowed")
    }

    /// A hash with the process's random seed, so that nobody can choose equal ones.
    private static func key(_ value: some Hashable) -> UInt64 {
        UInt64(truncatingIfNeeded: value.hashValue)
    }
}

extension APNsClient.Refusal {
    /// Whether APNs says that there is no such token, at all or in its environment.
    fileprivate var saysTokenIsUnknown: Bool { reason == "BadDeviceToken" }
}

/// From where players without an accepted token have sent their last requests. Bounded: a player who
/// is not remembered counts with all others who are not.
private struct PlayerAddresses: Sendable {
    /// They are kept in two generations: when the newer one is full, the older one is forgotten.
    static let countMax = 1 << 18

    private var newer: [UInt64: ClientAddress] = [:]
    private var older: [UInt64: ClientAddress] = [:]

    subscript(player: UInt64) -> ClientAddress? { newer[player] ?? older[player] }

    mutating func note(_ player: UInt64, at address: ClientAddress) {
        guard newer[player] != address else { return }
        if newer.count >= Self.countMax / 2 {
            older = newer
            newer = [:]
        }
        newer[player] = address
    }
}
