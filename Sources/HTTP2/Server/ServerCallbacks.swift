internal import CNGHTTP2

/// nghttp2's callbacks of a server: plain functions that find their connection in the user data.
enum ServerCallbacks {
    static func install(_ callbacks: OpaquePointer) {
        installRequestCallbacks(callbacks)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { session, frame, user in
            guard let frame else { return 0 }
            let kind = UInt32(frame.pointee.hd.type)
            let ends = frame.pointee.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
            let id = frame.pointee.hd.stream_id
            guard ends, kind == NGHTTP2_HEADERS.rawValue || kind == NGHTTP2_DATA.rawValue,
                let connection = ServerCallbacks.connection(user),
                let slot = ServerCallbacks.slot(session, id)
            else { return 0 }
            return connection.requestArrived(id, in: slot)
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) {
            session, id, _, user in
            guard let slot = ServerCallbacks.slot(session, id) else { return 0 }
            ServerCallbacks.connection(user)?.streams.remove(slot)
            return 0
        }
    }

    private static func installRequestCallbacks(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { session, frame, user in
            guard let frame, frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST,
                let connection = ServerCallbacks.connection(user)
            else { return 0 }
            let id = frame.pointee.hd.stream_id
            let slot = connection.streams.insert(ServerStream(id: id))
            // 0 means no user data, so slots count from 1.
            nghttp2_session_set_stream_user_data(
                session, id, UnsafeMutableRawPointer(bitPattern: slot + 1))
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            session, frame, name, nameLength, value, valueLength, flags, user in
            guard let frame, let connection = ServerCallbacks.connection(user),
                let slot = ServerCallbacks.slot(session, frame.pointee.hd.stream_id)
            else { return 0 }
            let isPlain = flags & UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) == 0
            connection.streams.slots[slot]?.take(
                name: UnsafeBufferPointer(start: name, count: nameLength),
                value: UnsafeBufferPointer(start: value, count: valueLength),
                indexing: isPlain ? .allowed : .never)
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
            session, _, id, data, length, user in
            guard let slot = ServerCallbacks.slot(session, id) else { return 0 }
            ServerCallbacks.connection(user)?.dataArrived(
                slot, UnsafeBufferPointer(start: data, count: length))
            return 0
        }
    }

    private static func connection(_ user: UnsafeMutableRawPointer?) -> ServerConnection? {
        user.map { Unmanaged<ServerConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The slot that the stream got with its first header.
    private static func slot(_ session: OpaquePointer?, _ stream: Int32) -> Int? {
        nghttp2_session_get_stream_user_data(session, stream).map { Int(bitPattern: $0) - 1 }
    }
}

/// Response bodies as nghttp2 reads them.
enum ResponseBody {
    /// Reads the body of a slot, piece by piece.
    static func provider(slot: Int) -> nghttp2_data_provider {
        var provider = nghttp2_data_provider()
        provider.source.fd = Int32(slot)
        provider.read_callback = { _, id, buffer, length, flags, source, user in
            guard let user, let buffer, let flags, let source else {
                return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
            }
            let connection = Unmanaged<ServerConnection>.fromOpaque(user).takeUnretainedValue()
            let slot = Int(source.pointee.fd)
            guard connection.streams.holds(id, in: slot),
                let body = connection.streams.slots[slot]?.response,
                let offset = connection.streams.slots[slot]?.responseOffset
            else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
            let count = min(body.count - offset, length)
            body.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: buffer, count: length)
                    .copyBytes(from: $0[offset..<offset + count])
            }
            connection.streams.slots[slot]?.responseOffset = offset + count
            if offset + count == body.count {
                flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
            }
            return count
        }
        return provider
    }
}
