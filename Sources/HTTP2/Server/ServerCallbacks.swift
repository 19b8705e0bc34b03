internal import CNGHTTP2

/// nghttp2's callbacks of a server: plain functions that find their connection in the user data.
enum ServerCallbacks {
    static func install(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
            guard let frame, frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else { return 0 }
            ServerCallbacks.connection(user)?.streams[frame.pointee.hd.stream_id] = ServerStream()
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, frame, name, nameLength, value, valueLength, flags, user in
            guard let frame else { return 0 }
            let isPlain = flags & UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) == 0
            ServerCallbacks.connection(user)?.streams[frame.pointee.hd.stream_id]?.take(
                name: UnsafeBufferPointer(start: name, count: nameLength),
                value: UnsafeBufferPointer(start: value, count: valueLength),
                indexing: isPlain ? .allowed : .never)
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
            _, _, stream, data, length, user in
            ServerCallbacks.connection(user)?.dataArrived(
                stream, UnsafeBufferPointer(start: data, count: length))
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            guard let frame, let connection = ServerCallbacks.connection(user) else { return 0 }
            let kind = UInt32(frame.pointee.hd.type)
            let ends = frame.pointee.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
            guard ends, kind == NGHTTP2_HEADERS.rawValue || kind == NGHTTP2_DATA.rawValue else {
                return 0
            }
            return connection.requestArrived(frame.pointee.hd.stream_id)
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, _, user in
            ServerCallbacks.connection(user)?.streams[stream] = nil
            return 0
        }
    }

    private static func connection(_ user: UnsafeMutableRawPointer?) -> ServerConnection? {
        user.map { Unmanaged<ServerConnection>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// Response bodies as nghttp2 reads them.
enum ResponseBody {
    /// Reads the body of whichever stream is asked for, piece by piece.
    static var provider: nghttp2_data_provider {
        var provider = nghttp2_data_provider()
        provider.read_callback = { _, id, buffer, length, flags, _, user in
            guard let user, let buffer, let flags else {
                return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
            }
            let connection = Unmanaged<ServerConnection>.fromOpaque(user).takeUnretainedValue()
            guard let stream = connection.streams[id] else {
                return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
            }
            let offset = stream.responseOffset
            let count = min(stream.response.count - offset, length)
            stream.response.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: buffer, count: length)
                    .copyBytes(from: $0[offset..<offset + count])
            }
            connection.streams[id]?.responseOffset = offset + count
            if offset + count == stream.response.count {
                flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
            }
            return count
        }
        return provider
    }
}
