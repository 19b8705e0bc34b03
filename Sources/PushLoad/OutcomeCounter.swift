package import APNsClient
internal import Isolation
internal import Synchronization

/// Counts outcomes as they come, and tells the sender when there is room for more. An outcome that
/// nobody waits for costs one subtraction, so that the bench measures the client.
package final class OutcomeCounter: Sendable {
    private struct State {
        var failed = 0
        var firstFailure: String?
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let inFlight = Atomic(0)
    /// The sender waits until so many are on their way; below zero nobody waits.
    private let room = Atomic(-1)
    private let state = Locked(State())

    package init() {}

    /// So many more are on their way.
    package func add(_ count: Int) {
        inFlight.add(count, ordering: .sequentiallyConsistent)
    }

    /// One push has met its fate.
    package func note(_ outcome: APNsClient.Outcome) {
        if let failure = Self.failure(outcome) {
            state.withLock { state in
                state.failed += 1
                state.firstFailure = state.firstFailure ?? failure
            }
        }
        let left = inFlight.subtract(1, ordering: .sequentiallyConsistent).newValue
        if left == room.load(ordering: .sequentiallyConsistent) { wake() }
    }

    /// Returns when at most so many are on their way. Every push has a timeout of the client's
    /// own, which bounds this.
    package func wait(until count: Int) async {
        // Asked again: what wakes may have been meant for the wait before.
        while inFlight.load(ordering: .sequentiallyConsistent) > count {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiting = continuation }
                room.store(count, ordering: .sequentiallyConsistent)
                // They may have become so few before anybody looked.
                if inFlight.load(ordering: .sequentiallyConsistent) <= count { wake() }
            }
        }
    }

    private func wake() {
        guard let waiting = state.withLock({ $0.waiting.take() }) else { return }
        room.store(-1, ordering: .sequentiallyConsistent)
        waiting.resume()
    }

    /// Throws if a single push was not accepted: such a run measures something else.
    package func requireAllAccepted() throws(BenchError) {
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
