internal import CNGHTTP2

/// One client connection of a server. Confined to the loop's thread.
final class ServerConnection {
    let id: HTTP2Server.ConnectionID
    private unowned let engine: ServerEngine
    let loop: EventLoop
    private let handler: HTTP2Server.Handler
    private let bodyBytesMax: Int
    var wire: Wire?
    var session: Session?
    var block = HeaderBlock()
    private var lastHeard: Int64
    private var timer: EventLoop.TimerID?
    /// Requests, from their first header to the stream's end.
    let slots = ServerSlots()
    /// The latest request.
    private(set) var begun: ServerSlots.Slot?
    /// The highest stream passed to a handler.
    private var highestHandled: Int32 = 0
    /// The last stream that GOAWAY promised; later ones are ignored.
    private var lastAccepted = Int32.max
    var fate = Fate.goesOn
    private let reception: HTTP2Server.Reception
    private let windows: Session.Windows
    /// Bytes to send instead of frames, without a session.
    var foreignBytes: [UInt8] = []
    /// The trailers of streams that are still sending their body.
    var trailers: [Int32: [HTTP2Header]] = [:]

    /// What happens to the connection as soon as the session may be left.
    enum Fate: Equatable {
        case goesOn
        /// Close the TCP connection.
        case drop
        case babble([UInt8])
        case fallSilent

        /// Compares no bytes, unlike `==`, because every request checks it.
        var isGoingOn: Bool {
            if case .goesOn = self { true } else { false }
        }
    }

    /// Takes over an accepted descriptor, unless it throws.
    init(
        id: HTTP2Server.ConnectionID, descriptor: Int32, context: TLSContext, engine: ServerEngine,
        reception: HTTP2Server.Reception
    ) throws {
        self.id = id
        self.engine = engine
        self.reception = reception
        windows = reception.replenishing == .atOnce ? .replenished : .consumed
        loop = engine.loop
        handler = engine.handler
        bodyBytesMax = engine.settings.bodyBytesMax
        lastHeard = engine.loop.now
        wire = try Wire(
            loop: engine.loop, descriptor: descriptor, tls: TLSStream(accepting: context),
            start: .accepted, user: self)
        scheduleTick()
    }

    /// Whether GOAWAY was sent.
    var isGoingAway: Bool { lastAccepted != .max }

    var replenishing: HTTP2Server.Replenishing { reception.replenishing }

    func setMaxConcurrentStreams(_ count: UInt32) {
        session?.submitSettings([
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: count)
        ])
        wire?.flushLater()
    }

    /// Accepts no new streams and ends when the current ones have their responses.
    func drain(debugData: [UInt8] = []) {
        guard session != nil else { return end(because: "the server stops") }
        goAway(debugData: debugData)
        wire?.flush()
        endIfFinished()
    }

    func end(because reason: String) {
        wire?.closePolitely(reason)
    }

    private func scheduleTick() {
        let shortest = min(
            engine.settings.handshakeTimeoutMilliseconds, engine.settings.idleTimeoutMilliseconds)
        let interval = Int64(max(5, min(1_000, shortest / 4)))
        timer = loop.schedule(afterMilliseconds: interval) { [weak self] in self?.tick() }
    }

    private func tick() {
        let silence = loop.now - lastHeard
        if session == nil, silence >= Int64(engine.settings.handshakeTimeoutMilliseconds) {
            wire?.close("the handshake took too long")
        } else if session != nil, silence >= Int64(engine.settings.idleTimeoutMilliseconds) {
            drain(debugData: engine.settings.idleDebugData)
            end(because: "idle")
        } else {
            scheduleTick()
        }
    }

    private func endIfFinished() {
        guard session?.isFinished == true, wire?.isFlushed == true else { return }
        end(because: "finished")
    }
}

// MARK: - Requests

extension ServerConnection {
    /// Assigns a slot before a request's first header.
    func begin(_ stream: Int32) -> ServerSlots.Slot {
        let slot = slots.take(for: stream)
        begun = slot
        return slot
    }

    /// Adds data to a request's body.
    func dataArrived(_ piece: UnsafeBufferPointer<UInt8>, in slot: ServerSlots.Slot) {
        if windows == .consumed { replenish(piece.count, of: slot) }
        guard slot.pointee.phase == .arriving else { return }
        if slot.pointee.request.body.count + piece.count <= bodyBytesMax {
            slot.pointee.request.body.append(contentsOf: piece)
        } else {
            // Reads and discards the rest, so that the client can read the response.
            slot.pointee.phase = .handled
            slot.pointee.request.body = []
            respond(HTTP2Response(status: 413), on: slot.pointee.id, in: slot)
        }
    }

    /// Handles a complete request. Returns whether the session may continue.
    func requestArrived(in slot: ServerSlots.Slot) -> Int32 {
        let stream = slot.pointee.id
        guard fate.isGoingOn, stream <= lastAccepted, slot.pointee.phase == .arriving else {
            return 0
        }
        slot.pointee.phase = .handled
        perform(handler(slot.pointee.request, id), on: stream, in: slot)
        return fate.isGoingOn ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
    }

    private func perform(_ action: HTTP2Server.Action, on stream: Int32, in slot: ServerSlots.Slot)
    {
        switch action {
        case .respond(let response, let delay) where delay > 0:
            loop.schedule(afterMilliseconds: Int64(delay)) { [weak self] in
                self?.respond(response, on: stream, in: slot)
                self?.wire?.flushLater()
            }
        case .respond(let response, _):
            respond(response, on: stream, in: slot)
        case .resetStream(let code):
            session?.reset(stream, code: code)
        case .goAway(let response?, let debugData):
            respond(response, on: stream, in: slot)
            goAway(debugData: debugData)
        case .goAway(nil, let debugData):
            goAway(refusing: stream, debugData: debugData)
            return
        case .dropConnection:
            fate = .drop
        case .ignore:
            break
        case .trouble(let trouble):
            make(trouble, on: stream, in: slot)
        }
        highestHandled = max(highestHandled, stream)
    }

    /// Sends GOAWAY; started streams are still served.
    private func goAway(debugData: [UInt8]) {
        guard let session else { return }
        let last = nghttp2_session_get_last_proc_stream_id(session.handle)
        lastAccepted = min(lastAccepted, last)
        session.goAway(lastStream: lastAccepted, debugData: debugData)
    }

    /// Sends GOAWAY; this stream and later ones count as not processed, unless one was accepted.
    private func goAway(refusing stream: Int32, debugData: [UInt8]) {
        guard let session else { return }
        if stream < highestHandled {
            session.reset(stream, code: UInt32(NGHTTP2_REFUSED_STREAM.rawValue))
        }
        lastAccepted = min(lastAccepted, highestHandled)
        session.goAway(lastStream: lastAccepted, debugData: debugData)
    }

    func respond(_ response: HTTP2Response, on stream: Int32, in slot: ServerSlots.Slot) {
        guard let session, slot.pointee.id == stream else { return }
        let isSendable = response.headers.allSatisfy { $0.problem == nil }
        let response = isSendable ? response : HTTP2Response(status: 500)
        block.begin()
        block.add(":status", String(response.status))
        for header in response.headers { block.add(header) }
        var provider = ResponseBody.provider(slot)
        let hasBody = !response.body.isEmpty
        slot.pointee.response = response.body
        let status = block.withFields { fields, count in
            hasBody
                ? nghttp2_submit_response(session.handle, stream, fields, count, &provider)
                : nghttp2_submit_response(session.handle, stream, fields, count, nil)
        }
        if status != 0 { session.reset(stream, code: UInt32(NGHTTP2_INTERNAL_ERROR.rawValue)) }
    }
}

// MARK: - Calls from the wire

extension ServerConnection: WireUser {
    func wireBecameSecure() {
        if case .strange(let bytes) = reception.opening { return foreignBytes = bytes }
        do {
            let session = try Session(
                .server, userData: Unmanaged.passUnretained(self).toOpaque(),
                windows: windows,
                callbacks: ServerCallbacks.install)
            let settings = engine.settings
            let window = reception.initialWindowSize ?? settings.initialWindowSize
            session.submitSettings([
                nghttp2_settings_entry(
                    settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
                    value: reception.maxConcurrentStreams ?? settings.maxConcurrentStreams),
                nghttp2_settings_entry(
                    settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue),
                    value: window),
                // Without priorities nghttp2 need not maintain the tree of RFC 7540.
                nghttp2_settings_entry(
                    settings_id: Int32(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES.rawValue), value: 1),
            ])
            session.setConnectionWindow(Int32(clamping: window))
            self.session = session
            lastHeard = loop.now
        } catch {
            wire?.close(error.description)
        }
    }

    func wireReceived(_ bytes: UnsafeRawBufferPointer) -> String? {
        lastHeard = loop.now
        let reason = session?.receive(bytes)
        return fate.isGoingOn ? reason : meet(fate)
    }

    func wireFills(_ buffer: UnsafeMutableRawBufferPointer) -> Result<Int, SessionFailure> {
        session?.fill(buffer) ?? .success(fillForeign(buffer))
    }

    func wireTurned() {
        wire?.flush()
        endIfFinished()
    }

    func wireFlushed() {
        endIfFinished()
    }

    func wireClosed(_ reason: String) {
        if let timer { loop.cancel(timer) }
        wire = nil
        session = nil
        engine.connectionEnded(id)
    }
}
