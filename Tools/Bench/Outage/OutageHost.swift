internal import APNsClient
internal import HTTP2
internal import Isolation
internal import Playtest
internal import PushPolicy

/// APNs in virtual time, behind a real client: it responds after a while, or accepts nothing.
final class OutageHost: PushTransport {
    enum Conduct: Hashable, Sendable {
        case accepts
        /// It refuses every push.
        case refuses(status: Int, reason: String)
        /// No connection opens: requests wait in the client's queue as long as they may.
        case unreachable
    }

    private struct Pending {
        let batch: any HTTP2Batch
        let index: Int
        let at: Int64
        let response: HTTP2Response?
    }

    private struct State {
        var conduct = Conduct.accepts
        /// Answers on their way, and requests that wait for a connection: each in order.
        var answered: [Pending] = []
        var waiting: [Pending] = []
        var tries: [Int64] = []
    }

    /// From a request to its response.
    private static let roundTrip: Int64 = 50

    private let clock: VirtualClock
    private let queueWait: Int64
    private let state = Locked(State())

    init(clock: VirtualClock, queueWaitMilliseconds: Int) {
        self.clock = clock
        queueWait = Int64(queueWaitMilliseconds)
    }

    var goAways: [String: Int] { [:] }

    /// When each request came while the host did not accept it, in milliseconds.
    var tries: [Int64] { state.withLock { $0.tries } }

    func be(_ conduct: Conduct) { state.withLock { $0.conduct = conduct } }

    func send(_ batch: any HTTP2Batch) {
        let now = clock.now.milliseconds
        state.withLock { state in
            for index in 0..<batch.count {
                if state.conduct != .accepts { state.tries.append(now) }
                switch state.conduct {
                case .unreachable:
                    state.waiting.append(
                        Pending(batch: batch, index: index, at: now + queueWait, response: nil))
                case .accepts, .refuses:
                    state.answered.append(
                        Pending(
                            batch: batch, index: index, at: now + Self.roundTrip,
                            response: Self.response(of: state.conduct)))
                }
            }
        }
    }

    private static func response(of conduct: Conduct) -> HTTP2Response {
        switch conduct {
        case .accepts, .unreachable: HTTP2Response(status: 200)
        case .refuses(let status, let reason):
            HTTP2Response(status: status, body: Array(#"{"reason":"\#(reason)"}"#.utf8))
        }
    }

    /// When the next answer or timeout is due.
    var nextAt: Int64? {
        state.withLock { state in
            [state.answered.first?.at, state.waiting.first?.at].compactMap(\.self).min()
        }
    }

    /// Answers what is due. Once a connection opens again, what waited for it leaves.
    func deliver() {
        let now = clock.now.milliseconds
        let due = state.withLock { state -> [Pending] in
            if state.conduct != .unreachable {
                state.answered += state.waiting.map {
                    Pending(
                        batch: $0.batch, index: $0.index, at: now + Self.roundTrip,
                        response: Self.response(of: state.conduct))
                }
                state.waiting = []
            }
            return Self.takeDue(&state.answered, at: now) + Self.takeDue(&state.waiting, at: now)
        }
        for pending in due {
            if let response = pending.response {
                pending.batch.completed(pending.index, with: response)
            } else {
                pending.batch.failed(
                    pending.index, as: HTTP2Failure.neverSent("connection refused"))
            }
        }
    }

    private static func takeDue(_ queue: inout [Pending], at now: Int64) -> [Pending] {
        let count = queue.firstIndex { $0.at > now } ?? queue.count
        guard count < queue.count else {
            // Its room would be measured as the server's.
            defer { queue = [] }
            return queue
        }
        defer { queue.removeFirst(count) }
        return Array(queue[..<count])
    }

    func renew() {}
    func shutdown(graceMilliseconds: Int) async {}
}
