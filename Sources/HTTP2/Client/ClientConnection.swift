internal import CNGHTTP2

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

    /// Tests set it too.
    package internal(set) var phase = Phase.idle
    /// What this connection has achieved so far.
    package private(set) var usefulness = ReconnectBackoff.Usefulness.failed
    /// An arbitrary number for the owner's use.
    package let label: Int

    let settings: Settings
    let streams = StreamTable()
    private let loop: EventLoop
    private let context: TLSContext
    private weak var owner: (any ClientConnectionOwner)?
    private var wire: Wire?
    private var session: Session?
    private var admission: StreamAdmission
    private var keepAlive: KeepAlive
    private var stall: StallDetector
    private var head: HTTP2RequestHead
    /// Requests queued since the socket last took everything.
    private var burst = 0
    private var addresses: AddressAttempts
    private var timer: EventLoop.TimerID?
    /// The peer's latest GOAWAY.
    package private(set) var goAway: GoAway?

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
        addresses = AddressAttempts(
            timeoutMilliseconds: Int64(settings.connectTimeoutMilliseconds), now: loop.now)
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
        loop.lookUp(host, port: settings.proxy?.port ?? settings.port) { [weak self] result in
            guard let self, phase == .connecting else { return }
            switch result {
            case .success(let found) where !found.isEmpty:
                addresses.begin(found, turn: turn)
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
        precondition(burst < Limit.burst, "send was called without room")
        guard let session, phase == .ready else {
            owner?.connection(
                self, returned: submission, as: .neverSent("the connection accepts no requests"))
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
            end(because: "the connection is no longer needed")
        case .ready:
            phase = .draining
            // Deferred, because the caller may be in one of our callbacks.
            loop.schedule(afterMilliseconds: 0) { [weak self] in self?.endIfDrained() }
        case .draining, .ended: break
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

// MARK: - Connecting, timeouts and the end

extension ClientConnection {
    /// Tries the next address.
    private func openNext() {
        guard let address = addresses.next(at: loop.now) else { return }
        wire = nil
        do {
            let tls = try TLSStream(connecting: context, host: settings.host)
            let tunnel = settings.proxy.map {
                ProxyTunnel(through: $0, to: settings.host, port: settings.port)
            }
            wire = try Wire(
                loop: loop, connectingTo: address, through: tunnel, tls: tls, user: self)
        } catch {
            mayTryNext() ? openNext() : end(because: "\(error)")
        }
    }

    /// Returns whether to try another address, because nothing responded at the last one.
    private func mayTryNext() -> Bool {
        phase == .connecting && wire?.reach != .peer && addresses.hasNext(at: loop.now)
    }

    private func scheduleTick() {
        let shortest = min(
            settings.connectTimeoutMilliseconds, settings.pingAfterIdleMilliseconds,
            settings.pingTimeoutMilliseconds)
        let interval = Int64(max(5, min(250, shortest / 4)))
        timer = loop.schedule(afterMilliseconds: interval) { [weak self] in self?.tick() }
    }

    /// Checks the timeouts of the attempt, of requests and of the peer.
    private func tick() {
        switch phase {
        case .idle, .ended: return
        case .connecting where addresses.isTimeOver(at: loop.now):
            return end(
                because: "no connection within \(settings.connectTimeoutMilliseconds) ms")
        case .connecting:
            if addresses.isAttemptOver(at: loop.now), mayTryNext() { wire?.close("no response") }
        case .ready, .draining:
            cancelOverdue()
            if phase != .ended { checkLife() }
            guard phase != .ended else { return }
            checkProgress()
            owner?.connectionTurned(self)
            endIfDrained()
        }
        if phase != .ended { scheduleTick() }
    }

    private func checkLife() {
        switch keepAlive.tick(at: loop.now, expecting: streams.count > 0 ? .responses : .nothing) {
        case .nothing: break
        case .sendPing:
            session?.ping()
            flush()
        case .declareDead:
            wire?.reset("no response to PING within \(settings.pingTimeoutMilliseconds) ms")
        }
    }

    /// Drains a stalled connection: requests in flight may still succeed, new ones use another.
    private func checkProgress() {
        guard phase == .ready, let session else { return }
        let window = session.remoteWindow > 0 ? StallDetector.Window.open : .shut
        if stall.look(at: window, now: loop.now) == .giveUp { drain() }
    }

    private func cancelOverdue() {
        let overdue = streams.overdue(at: loop.now)
        guard !overdue.isEmpty else { return }
        if overdue.contains(where: { $0.pointee.departure == .sent }) { stall.timedOut() }
        for slot in overdue {
            guard let settled = streams.settle(slot) else { continue }
            session?.reset(settled.id, code: UInt32(NGHTTP2_CANCEL.rawValue))
            owner?.connection(
                self, returned: settled.submission,
                as: settled.failure(
                    ifQueued: "it could not be sent before its deadline",
                    ifSent: "no response before the request's deadline"))
        }
        flush()
    }

    private func endIfDrained() {
        guard phase == .draining, streams.count == 0 else { return }
        end(because: goAway?.description ?? "drained")
    }

    /// Settles the remaining requests by what is known of each.
    private func finish(because reason: String) {
        phase = .ended
        if let timer { loop.cancel(timer) }
        wire = nil
        session = nil
        for settled in streams.takeAll() {
            owner?.connection(
                self, returned: settled.submission,
                as: settled.failure(ifQueued: reason, ifSent: reason))
        }
        owner?.connectionEnded(self, because: reason)
    }
}

// MARK: - Calls from the wire

extension ClientConnection: WireUser {
    package func wireBecameSecure() {
        do {
            let session = try Session(
                .client, userData: Unmanaged.passUnretained(self).toOpaque(),
                callbacks: ClientCallbacks.install)
            session.submitSettings([
                nghttp2_settings_entry(
                    settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0)
            ])
            self.session = session
            usefulness = .opened
            keepAlive.record(at: loop.now)
        } catch {
            wire?.close(error.description)
        }
    }

    package func wireReceived(_ bytes: UnsafeRawBufferPointer) -> String? {
        keepAlive.record(at: loop.now)
        return session?.receive(bytes)
    }

    package func wireFills(_ buffer: UnsafeMutableRawBufferPointer) -> Result<Int, SessionFailure> {
        session?.fill(buffer) ?? .success(0)
    }

    package func wireTurned() {
        owner?.connectionTurned(self)
        if session?.isFinished == true {
            return end(because: goAway?.description ?? "the session ended")
        }
        endIfDrained()
    }

    package func wireFlushed() {
        guard burst > 0, wire?.isFlushed == true else { return }
        burst = 0
        owner?.connectionFlushed(self)
    }

    package func wireClosed(_ reason: String) {
        guard !mayTryNext() else { return openNext() }
        finish(because: goAway.map { "\($0); \(reason)" } ?? reason)
    }
}

// MARK: - Calls from the session

extension ClientConnection {
    func settingsArrived(_ session: OpaquePointer) {
        admission.peerAllows(
            nghttp2_session_get_remote_settings(
                session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
        if phase == .connecting { phase = .ready }
    }

    func goAwayArrived(lastStream: Int32, code: UInt32, debugData: UnsafeRawBufferPointer) {
        goAway = GoAway(errorCode: code, lastStream: lastStream, debugData: debugData)
        if phase == .ready || phase == .connecting { phase = .draining }
    }

    /// Handles a stream's end: a response, a reset or a GOAWAY.
    func streamClosed(_ slot: StreamTable.Slot, code: UInt32) {
        let status = slot.pointee.response.status
        if code == NGHTTP2_NO_ERROR.rawValue, status != 0, slot.pointee.isTaken {
            usefulness = .responded
            stall.responded()
            admission.responded(status: status)
            return streams.complete(slot)
        }
        defer { streams.release(slot) }
        guard let settled = streams.settle(slot) else { return }
        owner?.connection(
            self, returned: settled.submission, as: failure(of: settled, code: code))
    }

    /// Handles a request that nghttp2 could not send, so the peer never saw it.
    func requestNotSent(stream id: Int32, code: Int32) {
        guard let slot = streams.slot(ofStream: id) else { return }
        defer { streams.release(slot) }
        guard let settled = streams.settle(slot) else { return }
        let reason = SessionFailure("not sent", code: code).description
        owner?.connection(
            self, returned: settled.submission, as: .neverSent(goAway?.description ?? reason))
    }

    private func failure(of request: StreamTable.Settled, code: UInt32) -> HTTP2Failure {
        let name = String(cString: nghttp2_http2_strerror(code))
        if code == NGHTTP2_REFUSED_STREAM.rawValue {
            if goAway == nil {
                admission.streamWasRefused(
                    at: loop.now, pauseMilliseconds: settings.refusalPauseMilliseconds)
            }
            return .refused(goAway?.description ?? "the peer refused the stream")
        }
        return request.failure(
            ifQueued: "the stream ended before it was sent: \(name)",
            ifSent: "the stream was reset: \(name)")
    }
}
