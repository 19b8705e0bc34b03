internal import CNGHTTP2

/// nghttp2's callbacks of a client: plain functions that find their connection in the user data.
enum ClientCallbacks {
    static func install(_ callbacks: OpaquePointer) {
        installFrameCallbacks(callbacks)
        installResponseCallbacks(callbacks)
    }

    /// What begins and ends: frames and streams.
    private static func installFrameCallbacks(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { session, frame, user in
            guard let session, let frame, let connection = ClientCallbacks.connection(user) else {
                return 0
            }
            ClientCallbacks.frameArrived(frame, session, connection)
            return 0
        }
        nghttp2_session_callbacks_set_before_frame_send_callback(callbacks) {
            _, frame, user in
            guard let frame, frame.pointee.hd.type == UInt8(NGHTTP2_HEADERS.rawValue),
                let connection = ClientCallbacks.connection(user),
                let slot = connection.streams.takeUnsent(stream: frame.pointee.hd.stream_id)
            else { return 0 }
            connection.streams.slots[slot].departure = .sent
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) {
            _, frame, code, user in
            guard let frame, frame.pointee.hd.type == UInt8(NGHTTP2_HEADERS.rawValue) else {
                return 0
            }
            ClientCallbacks.connection(user)?.requestNotSent(
                stream: frame.pointee.hd.stream_id, code: code)
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) {
            session, id, code, user in
            guard let connection = ClientCallbacks.connection(user),
                let slot = ClientCallbacks.slot(session, id)
            else { return 0 }
            connection.streamClosed(slot: slot, code: code)
            return 0
        }
    }

    /// What responses are made of: fields and data.
    private static func installResponseCallbacks(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            session, frame, name, nameLength, value, valueLength, _, user in
            guard let frame, let connection = ClientCallbacks.connection(user),
                let slot = ClientCallbacks.slot(session, frame.pointee.hd.stream_id),
                connection.streams.holds(slot)
            else { return 0 }
            let name = UnsafeBufferPointer(start: name, count: nameLength)
            let value = UnsafeBufferPointer(start: value, count: valueLength)
            connection.streams.slots[slot].answer.take(name: name, value: value)
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
            session, _, id, data, length, user in
            guard let connection = ClientCallbacks.connection(user),
                let slot = ClientCallbacks.slot(session, id),
                connection.streams.holds(slot)
            else { return 0 }
            let total = connection.streams.slots[slot].answer.body.count + length
            if total <= connection.settings.responseBytesMax {
                connection.streams.slots[slot].answer.body.append(
                    contentsOf: UnsafeBufferPointer(start: data, count: length))
            } else {
                nghttp2_submit_rst_stream(
                    session, UInt8(NGHTTP2_FLAG_NONE.rawValue), id,
                    UInt32(NGHTTP2_CANCEL.rawValue))
            }
            return 0
        }
    }

    private static func frameArrived(
        _ frame: UnsafePointer<nghttp2_frame>, _ session: OpaquePointer,
        _ connection: ClientConnection
    ) {
        switch UInt32(frame.pointee.hd.type) {
        case NGHTTP2_SETTINGS.rawValue:
            // The ACK of our own settings says nothing of the peer's.
            guard frame.pointee.hd.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 else { return }
            connection.settingsArrived(session)
        case NGHTTP2_GOAWAY.rawValue:
            let goAway = frame.pointee.goaway
            connection.goAwayArrived(
                lastStream: goAway.last_stream_id, code: goAway.error_code,
                debugData: UnsafeRawBufferPointer(
                    start: goAway.opaque_data, count: goAway.opaque_data_len))
        default:
            break
        }
    }

    private static func connection(_ user: UnsafeMutableRawPointer?) -> ClientConnection? {
        user.map { Unmanaged<ClientConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The slot that `send` gave the stream.
    private static func slot(_ session: OpaquePointer?, _ stream: Int32) -> Int? {
        nghttp2_session_get_stream_user_data(session, stream).map { Int(bitPattern: $0) - 1 }
    }
}

/// Request bodies as nghttp2 reads them.
enum RequestBody {
    /// Reads the body of a slot, piece by piece.
    static func provider(slot: Int) -> nghttp2_data_provider {
        var provider = nghttp2_data_provider()
        provider.source.fd = Int32(slot)
        provider.read_callback = { _, _, buffer, length, flags, source, user in
            guard let user, let buffer, let flags, let source else {
                return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
            }
            let connection = Unmanaged<ClientConnection>.fromOpaque(user).takeUnretainedValue()
            let slot = Int(source.pointee.fd)
            // A settled request needs its body no more; its reset is on the way.
            guard connection.streams.holds(slot),
                let body = connection.streams.slots[slot].submission?.body
            else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
            let offset = connection.streams.slots[slot].bodyOffset
            let count = min(body.count - offset, length)
            body.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: buffer, count: length)
                    .copyBytes(from: $0[offset..<offset + count])
            }
            connection.streams.slots[slot].bodyOffset = offset + count
            if offset + count == body.count {
                flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
            }
            return count
        }
        return provider
    }
}
