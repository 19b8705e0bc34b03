internal import Glibc
internal import Isolation
internal import Synchronization

/// The watchdog's part of a connection: its socket and its deadline.
///
/// The rest of a connection belongs to the library's thread that serves it.
final class ConnectionWatch: Sendable {
    private struct State {
        /// Open from the first callback to the last, which precedes its closing.
        var descriptor: Int32
        /// The request that waits for its handler.
        var request: WaitingRequest?
        /// The stream that the connection sends.
        var stream: ResponseStream?
    }

    /// In nanoseconds of `CoarseClock`. Written twice per request, so without the lock.
    private let deadline: Atomic<Int64>
    private let state: Locked<State>

    init(descriptor: Int32, deadline: Int64) {
        self.deadline = Atomic(deadline)
        state = Locked(State(descriptor: descriptor))
    }

    /// Sets the deadline of the next step.
    func extend(to deadline: Int64) {
        self.deadline.store(deadline, ordering: .relaxed)
    }

    /// Sets the request that waits for its handler; nil: none.
    func setWaiting(_ request: WaitingRequest?) {
        state.withLock { $0.request = request }
    }

    /// Sets the stream that the connection sends; nil: none.
    func setStream(_ stream: ResponseStream?) {
        state.withLock { $0.stream = stream }
    }

    /// Ends the connection's stream.
    func endStream() { state.withLock { $0.stream }?.end() }

    /// Records that the library is about to close the socket.
    func closed() {
        state.withLock {
            $0.descriptor = -1
            $0.request = nil
            $0.stream = nil
        }
    }

    /// Closes an overdue connection; a request that waits for its handler gets a response.
    func check(at now: Int64) {
        guard deadline.load(ordering: .relaxed) <= now || isAbandoned else { return }
        if let request, request.giveUp() { return }
        // The library looks at a connection that waits only when it is resumed.
        endStream()
        cut()
    }

    /// Whether the client of a stream with a limit of time has gone. Nothing is sent to find out, as a
    /// heartbeat does for other streams.
    private var isAbandoned: Bool {
        state.withLock { state in
            guard state.descriptor >= 0, state.stream?.secondsMax != nil else { return false }
            return MHDConnection.hasClientLeft(state.descriptor)
        }
    }

    /// The request on this connection that waits for its handler.
    var request: WaitingRequest? { state.withLock { $0.request } }

    func cut() {
        // Under the lock: after `closed()` the number may belong to another socket.
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            shutdown(state.descriptor, Int32(SHUT_RDWR))
        }
    }
}
