internal import Isolation
internal import Synchronization

/// The open connections and the counts of work in flight, which `stop` waits for.
///
/// Counters that every request updates are atomic; connections and waiting handlers use the lock.
final class Traffic: Sendable {
    /// The phases of stopping.
    enum Phase: Int, Sendable {
        case serving
        /// No new connections; each response closes its connection.
        case draining
        /// Handlers are no longer waited for.
        case stopping
    }

    private struct State {
        var connections: [ObjectIdentifier: ConnectionWatch] = [:]
        /// How many each client has, of those whose connections are counted.
        var ofClient: [ClientAddress: Int] = [:]
        /// Connections between suspend and the return of resume: the library aborts the process if
        /// it is stopped while there is one.
        var suspended = 0
        var phase = Phase.serving
    }

    private let state = Locked(State())
    private let phaseNumber = Atomic(Phase.serving.rawValue)
    /// Requests with received headers and an unsent response.
    private let requests = Atomic(0)
    /// Open streams: requests with a response that goes on.
    private let streams = Atomic(0)
    /// Running handlers, including abandoned ones.
    private let handling = Atomic(0)

    var phase: Phase { Phase(rawValue: phaseNumber.load(ordering: .acquiring)) ?? .stopping }
    var requestsInFlight: Int { requests.load(ordering: .acquiring) }
    var streamCount: Int { streams.load(ordering: .acquiring) }
    var connectionsSuspended: Int { state.withLock { $0.suspended } }
    var connectionCount: Int { state.withLock { $0.connections.count } }
    func connectionCount(of client: ClientAddress) -> Int {
        state.withLock { $0.ofClient[client, default: 0] }
    }
    var connections: [ConnectionWatch] { state.withLock { Array($0.connections.values) } }

    func enter(_ phase: Phase) {
        state.withLock { $0.phase = phase }
        phaseNumber.store(phase.rawValue, ordering: .releasing)
    }

    func opened(_ connection: ConnectionWatch, by client: ClientAddress?) {
        state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = connection
            if let client { state.ofClient[client, default: 0] += 1 }
        }
    }

    func closed(_ connection: ConnectionWatch, by client: ClientAddress?) {
        state.withLock { state in
            _ = state.connections.removeValue(forKey: ObjectIdentifier(connection))
            guard let client else { return }
            let others = state.ofClient[client, default: 1] - 1
            state.ofClient[client] = others > 0 ? others : nil
        }
    }

    func requestBegan() { requests.add(1, ordering: .relaxed) }
    func requestEnded() { requests.subtract(1, ordering: .releasing) }

    /// Counts a request as a stream from now on.
    func streamBegan() {
        streams.add(1, ordering: .relaxed)
        requestEnded()
    }

    func streamEnded() { streams.subtract(1, ordering: .releasing) }

    /// Counts one more request for the handler, unless there are `limit`.
    func mayHandle(limit: Int) -> Bool {
        let (_, count) = handling.add(1, ordering: .relaxed)
        if count <= limit { return true }
        handled()
        return false
    }

    func handled() { handling.subtract(1, ordering: .relaxed) }

    /// Counts one more suspended connection, unless the server no longer waits for handlers.
    func maySuspend() -> Bool { suspend { $0 != .stopping } }

    /// Counts one more suspended connection, unless the server ends its streams.
    func mayWaitForStream() -> Bool { suspend { $0 == .serving } }

    private func suspend(_ isAllowed: (Phase) -> Bool) -> Bool {
        state.withLock { state in
            guard isAllowed(state.phase) else { return false }
            state.suspended += 1
            return true
        }
    }

    func resumed() { state.withLock { $0.suspended -= 1 } }
}
