internal import Isolation

/// Whether the server takes work, as `/readyz` reports to a load balancer.
package final class Readiness: Sendable {
    package enum State: Sendable {
        case starting, ready, draining
    }

    private let state = Locked(State.starting)

    package init() {}

    package var current: State {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
