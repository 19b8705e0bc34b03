internal import CNGHTTP2
internal import HTTP2

/// One client connection of a server. Confined to the loop's thread.
final class ServerConnection {
    let id: HTTP2Server.ConnectionID
    private unowned let engine: ServerEngine
    private let loop: EventLoop
    private let handler: HTTP2Server.Handler
    private let bodyBytesMax: Int
    private var wire: Wire?
    private(set) var session: Session?
    private var block = HeaderBlock()
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
    private var ending = Ending.none
    private let reception: HTTP2Server.Reception
    private let windows: Session.Windows
    /// Bytes to send instead of frames, without a session.
    private var foreignBytes: [UInt8] = []
    /// The trailers of streams that are still sending their body.
    private var trailers: [Int32: [HTTP2Header]] = [:]

    /// How the connection ends as soon as the session may be left.
    private enum Ending {
        case none
        /// Close the TCP connection.
        case drop
        case invalidBytes([UInt8])
        case silence

        var isNone: Bool {
            if case .none = self { true } else { false }
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
            loop: engine.loop, accepted: descriptor, tls: TLSStream(accepting: context),
            user: self)
        scheduleTick()
    }

    /// Whether GOAWAY was sent.
    var isGoingAway: Bool { lastAccepted != .max }

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
            slot.pointee.request.takeBody(piece)
        } else {
            // Reads and discards the rest, so that the client can read the response.
            slot.pointee.phase = .handled
            slot.pointee.request.clear()
            respond(HTTP2Response(status: 413), on: slot.pointee.id, in: slot)
        }
    }

    /// Handles a complete request. Returns whether the session may continue.
    func requestArrived(in slot: ServerSlots.Slot) -> Int32 {
        let stream = slot.pointee.id
        guard ending.isNone, stream <= lastAccepted, slot.pointee.phase == .arriving else {
            return 0
        }
        slot.pointee.phase = .handled
        perform(handler(slot.pointee.request, id), on: stream, in: slot)
        return ending.isNone ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
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
            ending = .drop
        case .ignore:
            break
        case .fault(let fault):
            perform(fault, on: stream, in: slot)
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

    private func respond(_ response: HTTP2Response, on stream: Int32, in slot: ServerSlots.Slot) {
        guard let session, slot.pointee.id == stream else { return }
        let headers = response.headers
        let isSendable = headers.allSatisfy { $0.problem == nil }
        block.begin()
        block.add(":status", String(isSendable ? response.status : 500))
        // Values such as ids change with every response and would fill the table.
        for header in isSendable ? headers : [] {
            block.add(header.name, header.value, indexing: .never)
        }
        var provider = ResponseBody.provider(slot)
        let hasBody = isSendable && !response.body.isEmpty
        slot.pointee.response = response.body
        let status = block.withFields { fields, count in
            hasBody
                ? nghttp2_submit_response(session.handle, stream, fields, count, &provider)
                : nghttp2_submit_response(session.handle, stream, fields, count, nil)
        }
        if status != 0 { session.reset(stream, code: UInt32(NGHTTP2_INTERNAL_ERROR.rawValue)) }
    }
}

// MARK: - Faults

extension ServerConnection {
    /// Performs the fault for a request.
    private func perform(_ fault: HTTP2Server.Fault, on stream: Int32, in slot: ServerSlots.Slot) {
        switch fault {
        case .goAwayTwice(let response, let debugData, let pause):
            respond(response, on: stream, in: slot)
            announceGoAway()
            loop.schedule(afterMilliseconds: Int64(pause)) { [weak self] in
                self?.drain(debugData: debugData)
            }
        case .limitStreams(let response, let count):
            respond(response, on: stream, in: slot)
            setMaxConcurrentStreams(count)
        case .respondWithTrailers(let response, let trailers):
            respond(response, trailers, on: stream, in: slot)
        case .sendInvalidBytes(let bytes):
            ending = .invalidBytes(bytes)
        case .stopResponding:
            ending = .silence
        case .suspend(let response, let milliseconds):
            respond(response, on: stream, in: slot)
            wire?.suspend()
            loop.schedule(afterMilliseconds: Int64(milliseconds)) { [weak self] in
                self?.wire?.resume()
            }
        }
    }

    /// Performs what ends the connection, called when the session may be left. Returns why the wire
    /// must close.
    private func perform(_ ending: Ending) -> String? {
        switch ending {
        case .none:
            break
        case .drop:
            wire?.reset("dropped")
        case .invalidBytes(let bytes):
            session = nil
            foreignBytes = bytes
            return "sent invalid bytes"
        case .silence:
            wire?.stopForGood()
        }
        return nil
    }

    /// Writes the bytes that are not HTTP/2 frames.
    private func fillForeign(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, foreignBytes.count)
        buffer.copyBytes(from: foreignBytes.prefix(count))
        foreignBytes.removeFirst(count)
        return count
    }

    /// Replenishes the window as the reception specifies. Called only for sessions created for it.
    private func replenish(_ count: Int, of slot: ServerSlots.Slot) {
        guard case .after(let milliseconds) = reception.replenishing else { return }
        let id = slot.pointee.id
        loop.schedule(afterMilliseconds: Int64(milliseconds)) { [weak self] in
            guard let self, let session else { return }
            nghttp2_session_consume(session.handle, id, count)
            wire?.flushLater()
        }
    }

    private func announceGoAway() {
        guard let session else { return }
        nghttp2_submit_shutdown_notice(session.handle)
    }

    private func respond(
        _ response: HTTP2Response, _ trailers: [HTTP2Header], on stream: Int32,
        in slot: ServerSlots.Slot
    ) {
        self.trailers[stream] = trailers
        slot.pointee.response = response.body
        guard let session else { return }
        block.begin()
        block.add(":status", String(response.status))
        for header in response.headers { block.add(header.name, header.value, indexing: .never) }
        var provider = ResponseBody.provider(slot)
        provider.read_callback = { session, id, buffer, length, flags, source, user in
            guard let user, let buffer, let flags,
                let slot = source?.pointee.ptr?.assumingMemoryBound(to: ServerStream.self)
            else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
            let connection = Unmanaged<ServerConnection>.fromOpaque(user).takeUnretainedValue()
            let room = UnsafeMutableRawBufferPointer(start: buffer, count: length)
            let (count, isLast) = slot.pointee.readResponse(into: room)
            guard isLast else { return count }
            flags.pointee |=
                UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
                | UInt32(NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue)
            connection.sendTrailers(of: id)
            return count
        }
        _ = block.withFields { fields, count in
            nghttp2_submit_response(session.handle, stream, fields, count, &provider)
        }
    }

    private func sendTrailers(of stream: Int32) {
        guard let session, let fields = trailers.removeValue(forKey: stream) else { return }
        block.begin()
        for field in fields { block.add(field) }
        _ = block.withFields { nghttp2_submit_trailer(session.handle, stream, $0, $1) }
    }
}

// MARK: - Calls from the wire

extension ServerConnection: WireUser {
    func wireBecameSecure() {
        if case .invalidBytes(let bytes) = reception.opening { return foreignBytes = bytes }
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
        return ending.isNone ? reason : perform(ending)
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
