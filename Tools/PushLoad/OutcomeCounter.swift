package import APNsClient
internal import Isolation
internal import Synchronization

/// Counts outcomes, and wakes the sender when there is room for more. An outcome without a waiting
/// sender costs one subtraction, so that the bench measures the client.
package final class OutcomeCounter: Sendable {
    private struct State {
        var failed = 0
        var firstFailure: String?
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let inFlight = Atomic(0)
    /// The sender waits until this many are in flight; below zero it does not wait.
    private let room = Atomic(-1)
    private let state = Locked(State())

    package init() {}

    /// Adds pushes in flight.
    package func add(_ count: Int) {
        inFlight.add(count, ordering: .sequentiallyConsistent)
    }

    /// Records one push's outcome.
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

    /// Waits until at most this many are in flight. The client's timeout of every push limits the
    /// wait.
    package func wait(until count: Int) async {
        // Checks again: the wakeup may have been for the previous wait.
        while inFlight.load(ordering: .sequentiallyConsistent) > count {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiting = continuation }
                room.store(count, ordering: .sequentiallyConsistent)
                // The count may have fallen before `room` was set.
                if inFlight.load(ordering: .sequentiallyConsistent) <= count { wake() }
            }
        }
    }

    private func wake() {
        guard let waiting = state.withLock({ $0.waiting.take() }) else { return }
        room.store(-1, ordering: .sequentiallyConsistent)
        waiting.resume()
    }

    /// Throws if any push was not accepted: such a run measures something else.
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
