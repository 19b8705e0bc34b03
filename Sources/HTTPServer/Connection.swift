internal import Glibc
internal import Isolation

/// A client's TCP connection, with the time at which it is cut.
final class Connection: Sendable {
    private struct State {
        /// Open from the library's first notice to its last, which comes before it closes it.
        var descriptor: Int32
        var deadline: ContinuousClock.Instant
        var exchange: Exchange?
    }

    /// Whether there was room for it.
    enum Standing: Sendable {
        case welcome
        /// Its first request is answered with 503: the server has all the connections it may.
        case surplus
    }

    let standing: Standing
    private let state: Locked<State>

    init(descriptor: Int32, deadline: ContinuousClock.Instant, standing: Standing) {
        self.standing = standing
        state = Locked(State(descriptor: descriptor, deadline: deadline))
    }

    /// A request has begun, or (nil) has been answered; the next step must be done by `deadline`.
    func carries(_ exchange: Exchange?, until deadline: ContinuousClock.Instant) {
        state.withLock {
            $0.exchange = exchange
            $0.deadline = deadline
        }
    }

    func extend(to deadline: ContinuousClock.Instant) {
        state.withLock { $0.deadline = deadline }
    }

    /// The library is about to close the socket.
    func closed() {
        state.withLock {
            $0.descriptor = -1
            $0.exchange = nil
        }
    }

    /// Cuts the connection if its time is over; a request that waits for its handler is answered.
    func check(at now: ContinuousClock.Instant) {
        let (isLate, exchange) = state.withLock { ($0.deadline <= now, $0.exchange) }
        guard isLate else { return }
        if let exchange, exchange.giveUp() { return }
        cut()
    }

    /// The request on this connection, if one is there.
    var exchange: Exchange? { state.withLock { $0.exchange } }

    private func cut() {
        // Under the lock: after `closed()` the number may belong to another socket.
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            shutdown(state.descriptor, Int32(SHUT_RDWR))
        }
    }
}
