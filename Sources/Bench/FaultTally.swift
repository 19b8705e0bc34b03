internal import APNsClient
internal import Isolation
internal import PushLoad

/// Counts outcomes of pushes while faults come and go, and how long each took.
final class FaultTally: Sendable {
    /// What became of pushes.
    struct Count: Hashable, Sendable {
        var handedIn = 0
        var accepted = 0
        var refused = 0
        var unknown = 0
        var notSent = 0

        /// Pushes that Apple's side has answered.
        var answered: Int { accepted + refused }
        var ended: Int { answered + unknown + notSent }
    }

    fileprivate struct State {
        var count = Count()
        /// Microseconds from handing in to acceptance, of those that were accepted.
        var waits: [UInt32] = []
        var lastAcceptance = 0.0
        var firstAcceptance: Double?
        var longestGap = 0.0
    }

    /// Acceptances of one phase whose waits are kept; later ones are only counted.
    fileprivate static let waitsMax = 2_000_000

    private let room = OutcomeCounter()
    private let state = Locked(State())

    var count: Count { state.withLock { $0.count } }

    /// When a push was accepted first since the last `begin`, in seconds of the steady clock.
    var firstAcceptance: Double? { state.withLock { $0.firstAcceptance } }

    /// When a push was accepted last; before that, when `begin` was called.
    var lastAcceptance: Double { state.withLock { $0.lastAcceptance } }

    /// The longest time between two acceptances since the last `begin`.
    var longestGap: Double { state.withLock { $0.longestGap } }

    /// A new phase: waits and gaps are measured from now.
    func begin(at now: Double) {
        state.withLock { state in
            state.waits.removeAll(keepingCapacity: true)
            state.lastAcceptance = now
            state.firstAcceptance = nil
            state.longestGap = 0
        }
    }

    /// So many more are on their way.
    func add(_ count: Int) {
        state.withLock { $0.count.handedIn += count }
        room.add(count)
    }

    /// Returns when at most so many are on their way; the client's timeouts bound it.
    func wait(until count: Int) async { await room.wait(until: count) }

    func note(_ outcome: APNsClient.Outcome, handedInAt start: Double) {
        let now = Usage.now
        state.withLock { $0.note(outcome, waited: now - start, at: now) }
        room.note(outcome)
    }

    /// The time that 99 of 100 accepted pushes of this phase did not exceed, in milliseconds.
    var slowestPercent: Double? {
        var waits = state.withLock { $0.waits }
        guard !waits.isEmpty else { return nil }
        waits.sort()
        return Double(waits[waits.count * 99 / 100]) / 1_000
    }
}

extension FaultTally.State {
    fileprivate mutating func note(
        _ outcome: APNsClient.Outcome, waited: Double, at now: Double
    ) {
        switch outcome {
        case .accepted:
            count.accepted += 1
            firstAcceptance = firstAcceptance ?? now
            longestGap = max(longestGap, now - lastAcceptance)
            lastAcceptance = now
            if waits.count < FaultTally.waitsMax { waits.append(UInt32(waited * 1e6)) }
        case .refused: count.refused += 1
        case .unknown: count.unknown += 1
        case .notSent, .heldBack: count.notSent += 1
        }
    }
}
