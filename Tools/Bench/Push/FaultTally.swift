internal import APNsClient
internal import Isolation
internal import PushLoad

/// Counts outcomes of pushes during faults, and measures their latency.
final class FaultTally: Sendable {
    /// Counts of outcomes.
    struct Count: Hashable, Sendable {
        var submitted = 0
        var accepted = 0
        var refused = 0
        var unknown = 0
        var notSent = 0

        /// Pushes with a response from APNs.
        var responses: Int { accepted + refused }
        var ended: Int { responses + unknown + notSent }
    }

    struct State {
        var count = Count()
        /// The latency of accepted pushes, in microseconds.
        fileprivate var waits: [UInt32] = []
        /// When the latest push was accepted, or the time of `begin`, in seconds of the steady clock.
        var lastAcceptance = 0.0
        /// When the first push since the last `begin` was accepted.
        var firstAcceptance: Double?
        /// The longest time between two acceptances since the last `begin`.
        var longestGap = 0.0
    }

    /// The limit of latencies kept in one phase; later pushes are only counted.
    fileprivate static let waitsMax = 2_000_000

    private let room = OutcomeCounter()
    private let state = Locked(State())

    subscript<Value: Sendable>(path: KeyPath<State, Value>) -> Value {
        state.withLock { $0[keyPath: path] }
    }

    /// Begins a phase of latencies and gaps.
    func begin(at now: Double) {
        state.withLock { state in
            state.waits.removeAll(keepingCapacity: true)
            state.lastAcceptance = now
            state.firstAcceptance = nil
            state.longestGap = 0
        }
    }

    /// Adds pushes in flight.
    func add(_ count: Int) {
        state.withLock { $0.count.submitted += count }
        room.add(count)
    }

    /// Waits until at most this many are in flight, limited by the client's timeouts.
    func wait(until count: Int) async { await room.wait(until: count) }

    func note(_ outcome: APNsClient.Outcome, submittedAt start: Double) {
        let now = Usage.now
        state.withLock { $0.note(outcome, waited: now - start, at: now) }
        room.note(outcome)
    }

    /// The 99th percentile of this phase's latency, in milliseconds.
    var slowestPercent: Double? {
        var waits = state.withLock { $0.waits }
        guard !waits.isEmpty else { return nil }
        waits.sort()
        return Double(waits[waits.count * 99 / 100]) / 1_000
    }
}

extension FaultTally.State {
    fileprivate mutating func note(_ outcome: APNsClient.Outcome, waited: Double, at now: Double) {
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
