internal import CNGHTTP2

/// The owner of a client connection. Called on the loop's thread.
package protocol ClientConnectionOwner: AnyObject {
    /// There may be room now, or the connection drains. The owner may send, drain and end.
    func connectionTurned(_ connection: ClientConnection)
    /// Queued requests were sent, so `room` may have grown. Called for each connection at the end
    /// of the loop's turn.
    func connectionFlushed(_ connection: ClientConnection)
    /// A request ended without a response. The owner may only record it, because the session may be
    /// active. `connectionTurned` or `connectionEnded` follows.
    func connection(
        _ connection: ClientConnection, returned submission: Submission, as failure: HTTP2Failure)
    /// The connection has ended; every request was answered or returned before.
    func connectionEnded(_ connection: ClientConnection, because reason: String)
}

/// One HTTP/2 connection to a server: resolves, connects, verifies, sends, settles. It makes one
/// attempt and is then discarded. Confined to its loop's thread.
package final class ClientConnection {
    package struct Settings: Sendable {
        package var host: String
        package var port: UInt16
        /// The HTTP proxy for networks without a direct route; it resolves the host itself.
        package var proxy: HTTPProxy?
        package var start = StreamAdmission.Start.oneUntilAccepted
        /// The limit for lookup, TCP, TLS and the first SETTINGS together.
        package var connectTimeoutMilliseconds = 15_000
        package var pingAfterIdleMilliseconds = 30_000
        package var pingTimeoutMilliseconds = 5_000
        package var stall = StallDetector.Limits()
        /// A longer response is cut off, and its request's outcome is unknown.
        package var responseBytesMax = 1 << 20
        /// The pause in starting requests after REFUSED_STREAM.
        package var refusalPauseMilliseconds: Int64 = 100

        package init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }
    }

    private enum Limit {
        /// The requests queued before their bytes are sent: enough for a full `send`, and few
        /// enough to stay in the processor's cache.
        static let burst = 100
    }

    package enum Phase: Hashable, Sendable {
        case idle, connecting
        /// Usable while there is room.
        case ready
        /// Accepts nothing new; closes when the requests in flight have ended.
        case draining
        case ended
    }

    package internal(set) var phase = Phase.idle
    /// What this connection has achieved so far.
    package internal(set) var usefulness = ReconnectBackoff.Usefulness.failed
    /// An arbitrary number for the owner's use.
    package let label: Int

    let loop: EventLoop
    let settings: Settings
    let context: TLSContext
    weak var owner: (any ClientConnectionOwner)?
    var wire: Wire?
    var session: Session?
    var admission: StreamAdmission
    var keepAlive: KeepAlive
    var stall: StallDetector
    let streams = StreamTable()
    private var head: HTTP2RequestHead
    /// Requests queued since the socket last took everything.
    var burst = 0
    let connectDeadline: Int64
    /// The host's untried addresses, the next one last.
    var candidates: [NetworkAddress] = []
    /// When to try the next address.
    var candidateDeadline = Int64.max
    var timer: EventLoop.TimerID?
    /// The peer's latest GOAWAY.
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
        stall = StallDetector(settings.stall)
        keepAlive = KeepAlive(
            idleMilliseconds: settings.pingAfterIdleMilliseconds,
            timeoutMilliseconds: settings.pingTimeoutMilliseconds, now: loop.now)
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        head = HTTP2RequestHead(
            authority: settings.port == 443 ? host : "\(host):\(settings.port)")
        connectDeadline = loop.now + Int64(settings.connectTimeoutMilliseconds)
    }

    /// How many requests `send` takes now, if the window allows.
    package var room: Int {
        guard phase == .ready else { return 0 }
        return min(Limit.burst - burst, admission.room(inFlight: streams.count, at: loop.now))
    }

    /// Whether `send` takes one more. It does not while accepted requests fill the flow-control
    /// window: nghttp2 would start the stream and let later ones overtake its body, so a request
    /// whose body never fitted could not be reported as not sent.
    package var hasWindow: Bool {
        guard phase == .ready, let session else { return false }
        return streams.bodiesLeft < session.remoteWindow
    }

    package var inFlight: Int { streams.count }

    /// Begins the attempt. `turn` selects among the host's addresses, to spread slots and attempts
    /// over them.
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

    /// Queues a request; `flush` sends it at the end of the loop's turn. The caller must check room
    /// and window first.
    package func send(_ submission: Submission) {
        precondition(burst < Limit.burst, "more was sent than there was room for")
        guard let session, phase == .ready else {
            owner?.connection(
                self, returned: submission, as: .neverSent("the connection takes no requests"))
            return
        }
        submission.batch.write(submission.index, to: &head)
        // It would fail on any other connection too.
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
            // Stream ids run out after a billion requests; a fresh connection has new ones.
            drain()
            let reason = SessionFailure("cannot submit the request", code: id).description
            owner?.connection(self, returned: submission, as: .neverSent(reason))
            return
        }
        slot.pointee.id = id
        burst += 1
        streams.expectBody(bodyCount, of: slot)
    }

    /// Sends the queued requests.
    package func flush() {
        wire?.flushLater()
    }

    /// Starts no more requests, and ends when none is in flight.
    package func drain() {
        switch phase {
        case .idle, .connecting:
            end(because: "the connection is not needed any more")
        case .ready:
            phase = .draining
            // Deferred, because the caller may be in one of our callbacks.
            loop.schedule(afterMilliseconds: 0) { [weak self] in self?.endIfDrained() }
        case .draining, .ended:
            break
        }
    }

    /// Ends now; settles requests in flight by what is known.
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
