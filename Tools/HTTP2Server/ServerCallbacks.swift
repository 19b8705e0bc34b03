internal import CNGHTTP2

/// nghttp2's callbacks for a server: plain functions that find their connection in the user data.
/// They borrow it, because reference counting would cost more than most of them do.
enum ServerCallbacks {
    static func install(_ callbacks: OpaquePointer) {
        installRequestCallbacks(callbacks)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { session, frame, user in
            guard let frame, let user else { return 0 }
            let kind = UInt32(frame.pointee.hd.type)
            let ends = frame.pointee.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
            guard ends, kind == NGHTTP2_HEADERS.rawValue || kind == NGHTTP2_DATA.rawValue,
                let slot = ServerCallbacks.slot(session, frame.pointee.hd.stream_id)
            else { return 0 }
            return ServerCallbacks.borrow(user) { $0.requestArrived(in: slot) }
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) {
            session, id, _, user in
            guard let user, let slot = ServerCallbacks.slot(session, id) else { return 0 }
            ServerCallbacks.borrow(user) { $0.slots.release(slot) }
            return 0
        }
    }

    private static func installRequestCallbacks(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { session, frame, user in
            guard let frame, frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST, let user else {
                return 0
            }
            let id = frame.pointee.hd.stream_id
            let slot = ServerCallbacks.borrow(user) { $0.begin(id) }
            nghttp2_session_set_stream_user_data(session, id, slot)
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            session, frame, name, nameLength, value, valueLength, _, user in
            guard let frame, let user else { return 0 }
            let id = frame.pointee.hd.stream_id
            // Header blocks do not interleave, so the latest stream is nearly always the right one.
            let begun = ServerCallbacks.borrow(user) { $0.begun }
            guard let slot = begun?.pointee.id == id ? begun : ServerCallbacks.slot(session, id)
            else { return 0 }
            slot.pointee.request.take(
                name: UnsafeBufferPointer(start: name, count: nameLength),
                value: UnsafeBufferPointer(start: value, count: valueLength))
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
            session, _, id, data, length, user in
            guard let user, let slot = ServerCallbacks.slot(session, id) else { return 0 }
            let piece = UnsafeBufferPointer(start: data, count: length)
            ServerCallbacks.borrow(user) { $0.dataArrived(piece, in: slot) }
            return 0
        }
    }

    private static func borrow<Result>(
        _ user: UnsafeMutableRawPointer, _ body: (ServerConnection) -> Result
    ) -> Result {
        Unmanaged<ServerConnection>.fromOpaque(user)._withUnsafeGuaranteedRef(body)
    }

    /// Returns the slot assigned with the stream's first header.
    private static func slot(_ session: OpaquePointer?, _ stream: Int32) -> ServerSlots.Slot? {
        nghttp2_session_get_stream_user_data(session, stream)?
            .assumingMemoryBound(to: ServerStream.self)
    }
}

/// Response bodies for nghttp2.
enum ResponseBody {
    /// Returns a provider that reads a slot's body in pieces.
    static func provider(_ slot: ServerSlots.Slot) -> nghttp2_data_provider {
        var provider = nghttp2_data_provider()
        provider.source.ptr = UnsafeMutableRawPointer(slot)
        provider.read_callback = { _, id, buffer, length, flags, source, _ in
            guard let buffer, let flags,
                let slot = source?.pointee.ptr?.assumingMemoryBound(to: ServerStream.self),
                slot.pointee.id == id
            else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
            let room = UnsafeMutableRawBufferPointer(start: buffer, count: length)
            let (count, isLast) = slot.pointee.readResponse(into: room)
            if isLast { flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
            return count
        }
        return provider
    }
}
