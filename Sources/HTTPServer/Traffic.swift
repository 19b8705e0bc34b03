internal import Isolation

/// The open connections and the count of what is in flight: what `stop` waits for.
final class Traffic: Sendable {
    /// How far stopping has come.
    enum Phase: Sendable {
        case serving
        /// No new connections; each answer closes its connection.
        case draining
        /// No handler is waited for any more.
        case stopping
    }

    private struct State {
        var phase = Phase.serving
        var connections: [ObjectIdentifier: Connection] = [:]
        /// Requests whose headers have come in and whose answer has not gone out.
        var requests = 0
        /// Connections between suspending and the return of resuming: the library aborts the
        /// process if it is stopped while there is one.
        var suspended = 0
    }

    private let state = Locked(State())

    var phase: Phase { state.withLock { $0.phase } }
    var requestsInFlight: Int { state.withLock { $0.requests } }
    var connectionsSuspended: Int { state.withLock { $0.suspended } }
    var connectionCount: Int { state.withLock { $0.connections.count } }
    var connections: [Connection] { state.withLock { Array($0.connections.values) } }

    func enter(_ phase: Phase) { state.withLock { $0.phase = phase } }

    func opened(_ connection: Connection) {
        state.withLock { $0.connections[ObjectIdentifier(connection)] = connection }
    }

    func closed(_ connection: Connection) {
        state.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    func requestBegan() { state.withLock { $0.requests += 1 } }
    func requestEnded() { state.withLock { $0.requests -= 1 } }

    /// Counts one more suspended connection, unless the server no longer waits for handlers.
    func maySuspend() -> Bool {
        state.withLock { state in
            guard state.phase != .stopping else { return false }
            state.suspended += 1
            return true
        }
    }

    func resumed() { state.withLock { $0.suspended -= 1 } }
}
