internal import APNsClient
internal import Isolation

/// Counts outcomes as they come, and tells the sender when there is room for more.
final class OutcomeCounter: Sendable {
    private struct State {
        var inFlight = 0
        var failed = 0
        var firstFailure: String?
        var waiting: (room: Int, continuation: CheckedContinuation<Void, Never>)?

        /// The sender, if it waited for this.
        mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
            guard let waiting, inFlight <= waiting.room else { return nil }
            self.waiting = nil
            return waiting.continuation
        }
    }

    private let state = Locked(State())

    /// So many more are on their way.
    func add(_ count: Int) {
        state.withLock { $0.inFlight += count }
    }

    /// One push has met its fate.
    func note(_ outcome: APNsClient.Outcome) {
        let failure = Self.failure(outcome)
        let waiting = state.withLock { state in
            state.inFlight -= 1
            if let failure {
                state.failed += 1
                state.firstFailure = state.firstFailure ?? failure
            }
            return state.takeWaiting()
        }
        waiting?.resume()
    }

    /// Returns when at most so many are on their way. Every push has a timeout of the client's
    /// own, which bounds this.
    func wait(until count: Int) async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                state.waiting = (count, continuation)
                return state.takeWaiting()
            }
            ready?.resume()
        }
    }

    /// Throws if a single push was not accepted: such a run measures something else.
    func requireAllAccepted() throws(BenchError) {
        let (failed, first) = state.withLock { ($0.failed, $0.firstFailure) }
        guard failed == 0 else {
            throw BenchError("\(failed) pushes were not accepted; the first: \(first ?? "")")
        }
    }

    private static func failure(_ outcome: APNsClient.Outcome) -> String? {
        switch outcome {
        case .accepted: nil
        case .refused(let refusal): "refused with \(refusal.status) \(refusal.reason)"
        case .notSent(let why), .heldBack(let why, _): "not sent: \(why)"
        case .unknown(let why): "unknown: \(why)"
        }
    }
}
