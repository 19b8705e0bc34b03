internal import CNGHTTP2

/// Implements `HTTP2Server.Trouble`, separate from the normal path.
extension ServerConnection {
    /// Performs the fault for a request.
    func make(_ trouble: HTTP2Server.Trouble, on stream: Int32, in slot: ServerSlots.Slot) {
        switch trouble {
        case .goAwayTwice(let response, let debugData, let pause):
            respond(response, on: stream, in: slot)
            announceGoAway()
            loop.schedule(afterMilliseconds: Int64(pause)) { [weak self] in
                self?.drain(debugData: debugData)
            }
        case .limitStreams(let response, let count):
            respond(response, on: stream, in: slot)
            setMaxConcurrentStreams(count)
        case .trail(let response, let trailers):
            trail(response, trailers, on: stream, in: slot)
        case .babble(let bytes):
            fate = .babble(bytes)
        case .fallSilent:
            fate = .fallSilent
        case .rest(let response, let milliseconds):
            respond(response, on: stream, in: slot)
            wire?.rest()
            loop.schedule(afterMilliseconds: Int64(milliseconds)) { [weak self] in
                self?.wire?.wake()
            }
        }
    }

    /// Performs what ends the connection, called when the session may be left. Returns why the wire
    /// must close.
    func meet(_ fate: Fate) -> String? {
        switch fate {
        case .goesOn:
            break
        case .drop:
            wire?.reset("dropped")
        case .babble(let bytes):
            session = nil
            foreignBytes = bytes
            return "babbled"
        case .fallSilent:
            wire?.fallSilent()
        }
        return nil
    }

    /// Writes the bytes that are not HTTP/2 frames.
    func fillForeign(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, foreignBytes.count)
        buffer.copyBytes(from: foreignBytes.prefix(count))
        foreignBytes.removeFirst(count)
        return count
    }

    /// Replenishes the window as the reception specifies. Called only for sessions created for it.
    func replenish(_ count: Int, of slot: ServerSlots.Slot) {
        guard case .after(let milliseconds) = replenishing else { return }
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

    private func trail(
        _ response: HTTP2Response, _ trailers: [HTTP2Header], on stream: Int32,
        in slot: ServerSlots.Slot
    ) {
        self.trailers[stream] = trailers
        slot.pointee.response = response.body
        guard let session else { return }
        block.begin()
        block.add(":status", String(response.status))
        for header in response.headers { block.add(header) }
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
