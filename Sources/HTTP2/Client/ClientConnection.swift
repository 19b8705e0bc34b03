internal import CNGHTTP2
internal import Glibc

/// Who uses a client connection. Called on the loop's thread.
package protocol ClientConnectionOwner: AnyObject {
    /// There may be room now, or the connection drains. The owner may send, drain and end.
    func connectionTurned(_ connection: ClientConnection)
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
        package var start = StreamAdmission.Start.oneUntilAccepted
        /// Lookup, TCP, TLS and first SETTINGS together.
        package var connectTimeoutMilliseconds = 10_000
        package var pingAfterIdleMilliseconds = 30_000
        package var pingTimeoutMilliseconds = 5_000
        /// A longer response is cut off and its request's fate unknown.
        package var responseBytesMax = 1 << 20
        /// After REFUSED_STREAM the connection starts nothing for so long.
        package var refusalPauseMilliseconds: Int64 = 100

        package init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }
    }

    package enum Phase: Hashable, Sendable {
        case idle, connecting
        /// Usable, as far as there is room.
        case ready
        /// Nothing new; it closes when what is in flight has ended.
        case draining
        case ended
    }

    package private(set) var phase = Phase.idle
    /// What it was good for, so far.
    package internal(set) var usefulness = ReconnectBackoff.Usefulness.failed
    /// Any number the owner likes to know it by.
    package let label: Int

    let loop: EventLoop
    let settings: Settings
    private let context: TLSContext
    private weak var owner: (any ClientConnectionOwner)?
    private var wire: Wire?
    private var session: Session?
    var admission: StreamAdmission
    var keepAlive: KeepAlive
    var streams = StreamTable()
    private var block = HeaderBlock()
    private let authority: String
    private let connectDeadline: Int64
    private var timer: EventLoop.TimerID?
    /// What GOAWAY said, for the words of failures.
    var goAwayText: String?

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
        keepAlive = KeepAlive(
            idleMilliseconds: settings.pingAfterIdleMilliseconds,
            timeoutMilliseconds: settings.pingTimeoutMilliseconds, now: loop.now)
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        authority = settings.port == 443 ? host : "\(host):\(settings.port)"
        connectDeadline = loop.now + Int64(settings.connectTimeoutMilliseconds)
    }

    /// How many requests `send` takes now.
    package var room: Int {
        guard phase == .ready else { return 0 }
        return admission.room(inFlight: streams.count, at: loop.now)
    }

    package var inFlight: Int { streams.count }

    /// Begins the attempt. `turn` picks among the host's addresses, so that slots and attempts
    /// spread over them.
    package func connect(turn: Int) {
        guard phase == .idle else { return }
        phase = .connecting
        scheduleTick()
        loop.lookUp(settings.host, port: settings.port) { [weak self] answer in
            guard let self, phase == .connecting else { return }
            switch answer {
            case .success(let addresses) where !addresses.isEmpty:
                open(addresses[turn % addresses.count])
            case .success:
                end(because: "cannot look up '\(settings.host)': it has no address")
            case .failure(let failure):
                end(because: failure.description)
            }
        }
    }

    /// Queues a request; `flush` sends it. Only while there is room.
    package func send(_ submission: Submission) {
        guard let session, room > 0 else {
            owner?.connection(
                self, returned: submission, as: .neverSent("no room on the connection"))
            return
        }
        let request = submission.exchange.request
        fill(request)
        let slot = streams.insert(submission)
        // 0 means no user data, so slots count from 1.
        let userData = UnsafeMutableRawPointer(bitPattern: slot + 1)
        var provider = RequestBody.provider(slot: slot)
        let hasBody = !request.body.isEmpty
        let id = block.withFields { fields, count in
            hasBody
                ? nghttp2_submit_request(session.handle, nil, fields, count, &provider, userData)
                : nghttp2_submit_request(session.handle, nil, fields, count, nil, userData)
        }
        guard id > 0 else {
            streams.release(slot)
            // Stream ids run out after a billion requests: a fresh connection has new ones.
            drain()
            let reason = SessionFailure("cannot submit the request", code: id).description
            owner?.connection(self, returned: submission, as: .neverSent(reason))
            return
        }
        streams.slots[slot].id = id
    }

    /// Sends what has been queued.
    package func flush() {
        wire?.flush()
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

    private func fill(_ request: HTTP2Request) {
        block.begin()
        block.add(":method", request.method)
        block.add(":scheme", "https")
        block.add(":authority", authority)
        block.add(":path", request.path, indexing: .never)
        for header in request.headers { block.add(header) }
    }
}

// MARK: - Connecting and ending

extension ClientConnection {
    private func open(_ address: NetworkAddress) {
        do {
            let tls = try TLSStream(connecting: context, host: settings.host)
            let descriptor = try ClientSocket.connect(to: address)
            do {
                wire = try Wire(
                    loop: loop, descriptor: descriptor, tls: tls, start: .connecting, user: self)
            } catch {
                close(descriptor)
                throw error
            }
        } catch {
            end(because: "\(error)")
        }
    }

    private func scheduleTick() {
        let shortest = min(
            settings.connectTimeoutMilliseconds, settings.pingAfterIdleMilliseconds,
            settings.pingTimeoutMilliseconds)
        let interval = Int64(max(5, min(250, shortest / 4)))
        timer = loop.schedule(afterMilliseconds: interval) { [weak self] in self?.tick() }
    }

    /// Timeouts of the attempt, of requests, and of the peer's patience.
    private func tick() {
        switch phase {
        case .idle, .ended:
            return
        case .connecting where loop.now >= connectDeadline:
            return end(
                because: "no connection within \(settings.connectTimeoutMilliseconds) ms")
        case .connecting:
            break
        case .ready, .draining:
            cancelOverdue()
            guard phase != .ended, checkLife() == .alive else { return }
            owner?.connectionTurned(self)
            endIfDrained()
        }
        if phase != .ended { scheduleTick() }
    }

    private enum Life {
        case alive, dead
    }

    private func checkLife() -> Life {
        switch keepAlive.tick(at: loop.now, waitingForAnswers: streams.count > 0) {
        case .nothing:
            return .alive
        case .sendPing:
            session?.ping()
            flush()
            return phase == .ended ? .dead : .alive
        case .declareDead:
            wire?.reset("no answer to PING in \(settings.pingTimeoutMilliseconds) ms")
            return .dead
        }
    }

    private func cancelOverdue() {
        let overdue = streams.overdue(at: loop.now)
        guard !overdue.isEmpty else { return }
        for slot in overdue {
            guard let settled = streams.settle(slot) else { continue }
            session?.reset(settled.stream.id, code: UInt32(NGHTTP2_CANCEL.rawValue))
            let failure: HTTP2Failure =
                switch settled.stream.departure {
                case .queued: .neverSent("it could not leave before its deadline")
                case .sent: .unknown("no answer before the request's deadline")
                }
            owner?.connection(self, returned: settled.submission, as: failure)
        }
        flush()
    }

    private func endIfDrained() {
        guard phase == .draining, streams.count == 0 else { return }
        end(because: goAwayText ?? "drained")
    }

    /// Settles what is left, by what is known of each request.
    private func finish(because reason: String) {
        phase = .ended
        if let timer { loop.cancel(timer) }
        wire = nil
        session = nil
        for settled in streams.takeAll() {
            let failure: HTTP2Failure =
                switch settled.stream.departure {
                case .queued: .neverSent(reason)
                case .sent: .unknown(reason)
                }
            owner?.connection(self, returned: settled.submission, as: failure)
        }
        owner?.connectionEnded(self, because: reason)
    }
}

// MARK: - The wire's reports

extension ClientConnection: WireUser {
    func wireBecameSecure() {
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
            keepAlive.heard(at: loop.now)
        } catch {
            wire?.close(error.description)
        }
    }

    func wireReceived(_ bytes: UnsafeRawBufferPointer) -> String? {
        keepAlive.heard(at: loop.now)
        return session?.receive(bytes)
    }

    func wireFills(_ buffer: UnsafeMutableRawBufferPointer) -> Result<Int, SessionFailure> {
        session?.fill(buffer) ?? .success(0)
    }

    func wireTurned() {
        owner?.connectionTurned(self)
        flush()
        if session?.isFinished == true { return end(because: goAwayText ?? "the session ended") }
        endIfDrained()
    }

    func wireClosed(_ reason: String) {
        finish(because: goAwayText.map { "\($0); \(reason)" } ?? reason)
    }
}

// MARK: - The session's reports

extension ClientConnection {
    func settingsArrived(_ session: OpaquePointer) {
        admission.peerAllows(
            nghttp2_session_get_remote_settings(
                session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
        if phase == .connecting { phase = .ready }
    }

    func goAwayArrived(lastStream: Int32, code: UInt32, debugData: UnsafeRawBufferPointer) {
        // What a peer writes ends in our log: short, and printable only.
        let text = String(
            decoding: debugData.prefix(200).filter { $0 >= 32 && $0 < 127 }, as: UTF8.self)
        goAwayText = "GOAWAY with error \(code) after stream \(lastStream): \(text)"
        if phase == .ready || phase == .connecting { phase = .draining }
    }

    /// The stream is over: answered, reset, or cut by GOAWAY.
    func streamClosed(slot: Int, code: UInt32) {
        defer { streams.release(slot) }
        guard let settled = streams.settle(slot) else { return }
        let stream = settled.stream
        if code == NGHTTP2_NO_ERROR.rawValue, stream.status != 0 {
            usefulness = .answered
            admission.answered(status: stream.status)
            settled.submission.exchange.completion(
                .success(
                    HTTP2Response(
                        status: stream.status, headers: stream.headers, body: stream.body)))
            return
        }
        owner?.connection(
            self, returned: settled.submission, as: failure(of: stream, code: code))
    }

    /// nghttp2 could not send the request, so the peer never saw it.
    func requestNotSent(stream id: Int32, code: Int32) {
        guard let slot = streams.slot(ofStream: id) else { return }
        defer { streams.release(slot) }
        guard let settled = streams.settle(slot) else { return }
        let reason = SessionFailure("not sent", code: code).description
        owner?.connection(
            self, returned: settled.submission, as: .neverSent(goAwayText ?? reason))
    }

    private func failure(of stream: StreamTable.Stream, code: UInt32) -> HTTP2Failure {
        let name = String(cString: nghttp2_http2_strerror(code))
        if code == NGHTTP2_REFUSED_STREAM.rawValue {
            if goAwayText == nil {
                admission.streamWasRefused(
                    at: loop.now, pauseMilliseconds: settings.refusalPauseMilliseconds)
            }
            return .refused(goAwayText ?? "the peer refused the stream")
        }
        switch stream.departure {
        case .queued: return .neverSent("the stream ended before it was sent: \(name)")
        case .sent: return .unknown("the stream was reset: \(name)")
        }
    }
}
