internal import Glibc
internal import Isolation
internal import Synchronization

/// What the watchdog has of a connection: its socket, and the time at which it is cut.
///
/// All else of a connection belongs to the library's thread that serves it.
final class Lifeline: Sendable {
    private struct State {
        /// Open from the library's first notice to its last, which comes before it closes it.
        var descriptor: Int32
        /// The request that waits for its handler.
        var exchange: Exchange?
    }

    /// In `CoarseClock`'s nanoseconds: written twice a request, so without the lock.
    private let deadline: Atomic<Int64>
    private let state: Locked<State>

    init(descriptor: Int32, deadline: Int64) {
        self.deadline = Atomic(deadline)
        state = Locked(State(descriptor: descriptor))
    }

    /// The next step must be done by `deadline`.
    func extend(to deadline: Int64) {
        self.deadline.store(deadline, ordering: .relaxed)
    }

    /// A request waits for its handler, or (nil) no longer does.
    func carries(_ exchange: Exchange?) {
        state.withLock { $0.exchange = exchange }
    }

    /// The library is about to close the socket.
    func closed() {
        state.withLock {
            $0.descriptor = -1
            $0.exchange = nil
        }
    }

    /// Cuts the connection if its time is over; a request that waits for its handler is answered.
    func check(at now: Int64) {
        guard deadline.load(ordering: .relaxed) <= now else { return }
        if let exchange, exchange.giveUp() { return }
        cut()
    }

    /// The request on this connection, if one waits for its handler.
    var exchange: Exchange? { state.withLock { $0.exchange } }

    private func cut() {
        // Under the lock: after `closed()` the number may belong to another socket.
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            shutdown(state.descriptor, Int32(SHUT_RDWR))
        }
    }
}
