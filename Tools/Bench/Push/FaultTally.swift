internal import APNsClient
internal import Isolation
internal import PushLoad

/// Counts outcomes of pushes during faults, and the time without acceptances.
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

        /// Returns the number of pushes reported as accepted but missing, accepted but reported as
        /// not sent, or never reported. `known` is the number that APNs accepted.
        func lost(known: Int) -> Int {
            max(0, accepted - known) + max(0, known - accepted - unknown)
                + (submitted - responses - unknown - notSent)
        }
    }

    struct State: Sendable {
        var count = Count()
        /// When the latest push was accepted, or the time of `begin`, in seconds of the steady clock.
        var lastAcceptance = 0.0
        /// Whether a push was accepted since the last `begin`.
        var isAccepting = false
        /// The longest time between two acceptances since the last `begin`.
        var longestGap = 0.0
    }

    private let room = OutcomeCounter()
    private let state = Locked(State())

    var now: State { state.withLock { $0 } }

    /// Begins to measure gaps; returns what was measured before.
    @discardableResult
    func begin(at now: Double) -> State {
        state.withLock { state in
            defer { state = State(count: state.count, lastAcceptance: now) }
            return state
        }
    }

    /// Adds pushes in flight.
    func add(_ count: Int) {
        state.withLock { $0.count.submitted += count }
        room.add(count)
    }

    /// Waits until at most this many are in flight, limited by the client's timeouts.
    func wait(until count: Int) async { await room.wait(until: count) }

    func note(_ outcome: APNsClient.Outcome, at now: Double) {
        state.withLock { state in
            switch outcome {
            case .accepted:
                state.count.accepted += 1
                state.isAccepting = true
                state.longestGap = max(state.longestGap, now - state.lastAcceptance)
                state.lastAcceptance = now
            case .refused: state.count.refused += 1
            case .unknown: state.count.unknown += 1
            case .notSent, .heldBack: state.count.notSent += 1
            }
        }
        room.note(outcome)
    }
}
