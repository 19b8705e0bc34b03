internal import APNsClient
internal import HTTP2
internal import Isolation

/// What APNs does in an outage.
package enum OutageKind: String, CaseIterable, Sendable {
    /// No connection opens: requests wait in the client's queue as long as they may.
    case unreachable
    case forbidden, tooManyRequests, unavailable

    /// `nil`: there is none.
    fileprivate var response: HTTP2Response? {
        switch self {
        case .unreachable: nil
        case .forbidden: Self.refusal(403, "Forbidden")
        case .tooManyRequests: Self.refusal(429, "TooManyRequests")
        case .unavailable: Self.refusal(503, "ServiceUnavailable")
        }
    }

    private static func refusal(_ status: Int, _ reason: String) -> HTTP2Response {
        HTTP2Response(status: status, body: Array(#"{"reason":"\#(reason)"}"#.utf8))
    }
}

/// APNs in virtual time, behind a real client: it responds after a while, or accepts nothing.
final class OutageApple: PushTransport {
    private struct Waiting {
        let batch: any HTTP2Batch
        let index: Int
    }

    private struct State {
        /// `nil`: it accepts everything.
        var outage: OutageKind?
        /// Requests that wait for a connection, by number.
        var waiting: [Int: Waiting] = [:]
        var count = 0
        var tries: [Int64] = []
    }

    /// From a request to its response, in milliseconds.
    private static let roundTrip: Int64 = 50

    private let scheduler: Scheduler
    private let life: LifeID
    private let queueWait: Int64
    private let state = Locked(State())

    /// Serves the life that makes it.
    init(_ scheduler: Scheduler, queueWaitMilliseconds: Int) {
        self.scheduler = scheduler
        life = scheduler.life
        queueWait = Int64(queueWaitMilliseconds)
    }

    var goAways: [String: Int] { [:] }

    /// When each request came while APNs accepted none, in milliseconds.
    var tries: [Int64] { state.withLock { $0.tries } }

    /// Begins an outage; `nil`: ends it. What waited for a connection then leaves.
    func be(_ outage: OutageKind?) {
        let waiting = state.withLock { state in
            state.outage = outage
            guard outage != .unreachable else { return [] as [(key: Int, value: Waiting)] }
            defer { state.waiting = [:] }
            return state.waiting.sorted { $0.key < $1.key }
        }
        for (_, request) in waiting { respond(to: request, in: outage) }
    }

    func send(_ batch: any HTTP2Batch) {
        let now = scheduler.now
        let outage = state.withLock { state in
            if state.outage != nil { state.tries += batch.indices.map { _ in now } }
            return state.outage
        }
        for index in batch.indices {
            let request = Waiting(batch: batch, index: index)
            if outage == .unreachable { hold(request) } else { respond(to: request, in: outage) }
        }
    }

    private func respond(to request: Waiting, in outage: OutageKind?) {
        let response = outage?.response ?? HTTP2Response(status: 200)
        scheduler.after(Self.roundTrip, as: life) {
            request.batch.completed(request.index, with: response)
        }
    }

    private func hold(_ request: Waiting) {
        let number = state.withLock { state in
            state.count += 1
            state.waiting[state.count] = request
            return state.count
        }
        scheduler.after(queueWait) { [self] in
            let request = state.withLock { $0.waiting.removeValue(forKey: number) }
            guard let request else { return }
            request.batch.failed(request.index, as: HTTP2Failure.neverSent("connection refused"))
        }
    }

    func renew() {}
    func shutdown(graceMilliseconds: Int) async {}
}

extension HTTP2Batch {
    fileprivate var indices: Range<Int> { 0..<count }
}
