internal import CNGHTTP2

/// Who uses a client connection. Called on the loop's thread.
package protocol ClientConnectionOwner: AnyObject {
    /// There may be room now, or the connection drains. The owner may send, drain and end.
    func connectionTurned(_ connection: ClientConnection)
    /// What was queued has been sent, so `room` may be more than before. Called for each connection
    /// while the loop's turn ends.
    func connectionFlushed(_ connection: ClientConnection)
    /// A request ended without an answer. The owner may only take note: the session may be at
    /// work. `connectionTurned` or `connectionEnded` follows.
    func connection(
        _ connection: ClientConnection, returned submission: Submission, as failure: HTTP2Failure)
    /// It is over; every request has been answered or returned before.
    func connectionEnded(_ connection: ClientConnection, because reason: String)
}

/// One HTTP/2 connection to a server: looks up, connects, verifies, sends, settles. It makes one
/// attempt and is thrown away at its end. Confined to its loop's thread.
package final class ClientConnection {
    package struct Settings: Sendable {
        package var host: String
        package var port: UInt16
        /// What is in between, where nothing else leads out; it looks the host up itself.
        package var proxy: HTTPProxy?
        package var start = StreamAdmission.Start.oneUntilAccepted
        /// Lookup, TCP, TLS and first SETTINGS together.
        package var connectTimeoutMilliseconds = 15_000
        package var pingAfterIdleMilliseconds = 30_000
        package var pingTimeoutMilliseconds = 5_000
        package var stagnation = Stagnation.Limits()
        /// A longer response is cut off and its request's fate unknown.
        package var responseBytesMax = 1 << 20
        /// After REFUSED_STREAM the connection starts nothing for so long.
        package var refusalPauseMilliseconds: Int64 = 100

        package init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }
    }

    private enum Limit {
        /// Requests that are queued before their bytes are sent: a full `send`, and so few that
        /// they are still in the processor's cache.
        static let burst = 100
    }

    package enum Phase: Hashable, Sendable {
        case idle, connecting
        /// Usable, as far as there is room.
        case ready
        /// Nothing new; it closes when what is in flight has ended.
        case draining
        case ended
    }

    package internal(set) var phase = Phase.idle
    /// What it was good for, so far.
    package internal(set) var usefulness = ReconnectBackoff.Usefulness.failed
    /// Any number the owner likes to know it by.
    package let label: Int

    let loop: EventLoop
    let settings: Settings
    let context: TLSContext
    weak var owner: (any ClientConnectionOwner)?
    var wire: Wire?
    var session: Session?
    var admission: StreamAdmission
    var keepAlive: KeepAlive
    var stagnation: Stagnation
    let streams = StreamTable()
    private var head: RequestHead
    /// Requests that were queued since the socket has taken everything.
    var burst = 0
    let connectDeadline: Int64
    /// The host's addresses that have not been tried, the next one last.
    var candidates: [NetworkAddress] = []
    /// When the next address gets its chance.
    var candidateDeadline = Int64.max
    var timer: EventLoop.TimerID?
    /// What the peer's GOAWAY said; the last one counts.
    package internal(set) var goAway: GoAway?

    package init(
        loop: EventLoop, context: TLSContext, settings: Settings, label: Int,
        owner: any ClientConnectionOwner
    ) {
        self.loop = loop
        self.context = context
        self.settings = settings
        self.label = label
        self.owner = owner
        admission = StreamAdmission(settings.start)
        stagnation = Stagnation(settings.stagnation)
        keepAlive = KeepAlive(
            idleMilliseconds: settings.pingAfterIdleMilliseconds,
            timeoutMilliseconds: settings.pingTimeoutMilliseconds, now: loop.now)
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        head = RequestHead(
            authority: settings.port == 443 ? host : "\(host):\(settings.port)")
        connectDeadline = loop.now + Int64(settings.connectTimeoutMilliseconds)
    }

    /// How many requests `send` takes now, as long as there is a window for them.
    package var room: Int {
        guard phase == .ready else { return 0 }
        return min(Limit.burst - burst, admission.room(inFlight: streams.count, at: loop.now))
    }

    /// Whether `send` takes one more. Not while what was taken fills the flow-control window:
    /// nghttp2 would start the stream, let later ones overtake its body, and nobody could say that
    /// a request was never sent whose body never got room.
    package var hasWindow: Bool {
        guard phase == .ready, let session else { return false }
        return streams.bodiesLeft < session.remoteWindow
    }

    package var inFlight: Int { streams.count }

    /// Begins the attempt. `turn` picks among the host's addresses, so that slots and attempts
    /// spread over them.
    package func connect(turn: Int) {
        guard phase == .idle else { return }
        phase = .connecting
        scheduleTick()
        let host = settings.proxy?.host ?? settings.host
        loop.lookUp(host, port: settings.proxy?.port ?? settings.port) { [weak self] answer in
            guard let self, phase == .connecting else { return }
            switch answer {
            case .success(let addresses) where !addresses.isEmpty:
                let first = turn % addresses.count
                candidates = Array((addresses[first...] + addresses[..<first]).reversed())
                openNext()
            case .success:
                end(because: "cannot look up '\(host)': it has no address")
            case .failure(let failure):
                end(because: failure.description)
            }
        }
    }

    /// Queues a request; `flush` sends it at the end of the loop's turn. Only while there is room
    /// and a window, which the caller has asked for.
    package func send(_ submission: Submission) {
        precondition(burst < Limit.burst, "more was sent than there was room for")
        guard let session, phase == .ready else {
            owner?.connection(
                self, returned: submission, as: .neverSent("the connection takes no requests"))
            return
        }
        submission.batch.write(submission.index, to: &head)
        // It would be as bad on any other connection.
        if let problem = head.problem { return submission.fail(as: .notTaken(problem)) }
        let slot = streams.insert(submission)
        var provider = RequestBody.provider(slot)
        let bodyCount = submission.batch.bodyCount(of: submission.index)
        let id = head.block.withFields { fields, count in
            bodyCount > 0
                ? nghttp2_submit_request(session.handle, nil, fields, count, &provider, slot)
                : nghttp2_submit_request(session.handle, nil, fields, count, nil, slot)
        }
        guard id > 0 else {
            streams.release(slot)
            // Stream ids run out after a billion requests: a fresh connection has new ones.
            drain()
            let reason = SessionFailure("cannot submit the request", code: id).description
            owner?.connection(self, returned: submission, as: .neverSent(reason))
            return
        }
        slot.pointee.id = id
        burst += 1
        streams.expectBody(bodyCount, of: slot)
    }

    /// Sends what has been queued.
    package func flush() {
        wire?.flushLater()
    }

    /// Starts nothing any more and ends when nothing is in flight.
    package func drain() {
        switch phase {
        case .idle, .connecting:
            end(because: "the connection is not needed any more")
        case .ready:
            phase = .draining
            // Not at once: the caller may be in one of our callbacks.
            loop.schedule(afterMilliseconds: 0) { [weak self] in self?.endIfDrained() }
        case .draining, .ended:
            break
        }
    }

    /// Ends now; requests in flight are settled by what is known.
    package func end(because reason: String) {
        guard phase != .ended else { return }
        if let wire {
            if phase == .ready || phase == .draining, let session {
                session.goAway(lastStream: 0, debugData: [])
            }
            wire.closePolitely(reason)
        } else {
            finish(because: reason)
        }
    }
}
