internal import CNGHTTP2

/// nghttp2's callbacks for a client: plain functions that find their connection in the user data.
/// They borrow it, because reference counting would cost more than most of them do.
enum ClientCallbacks {
    static func install(_ callbacks: OpaquePointer) {
        installFrameCallbacks(callbacks)
        installResponseCallbacks(callbacks)
    }

    /// Installs the callbacks for frames and streams.
    private static func installFrameCallbacks(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { session, frame, user in
            guard let session, let frame, let user else { return 0 }
            ClientCallbacks.frameArrived(frame, session, user)
            return 0
        }
        nghttp2_session_callbacks_set_before_frame_send_callback(callbacks) {
            session, frame, user in
            guard let frame, frame.pointee.hd.type == UInt8(NGHTTP2_HEADERS.rawValue), let user
            else { return 0 }
            let id = frame.pointee.hd.stream_id
            // The stream should be open by now; otherwise the table still has its slot.
            let slot =
                ClientCallbacks.slot(session, id)
                ?? ClientCallbacks.borrow(user) { $0.streams.slot(ofStream: id) }
            slot?.pointee.departure = .sent
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) {
            _, frame, code, user in
            guard let frame, frame.pointee.hd.type == UInt8(NGHTTP2_HEADERS.rawValue), let user
            else { return 0 }
            let id = frame.pointee.hd.stream_id
            ClientCallbacks.borrow(user) { $0.requestNotSent(stream: id, code: code) }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) {
            session, id, code, user in
            guard let user, let slot = ClientCallbacks.slot(session, id), slot.pointee.id == id
            else { return 0 }
            ClientCallbacks.borrow(user) { $0.streamClosed(slot, code: code) }
            return 0
        }
    }

    /// Installs the callbacks for response fields and data.
    private static func installResponseCallbacks(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            session, frame, name, nameLength, value, valueLength, _, _ in
            guard let frame, let slot = ClientCallbacks.slot(session, frame.pointee.hd.stream_id),
                slot.pointee.isTaken
            else { return 0 }
            slot.pointee.response.take(
                name: UnsafeBufferPointer(start: name, count: nameLength),
                value: UnsafeBufferPointer(start: value, count: valueLength))
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
            session, _, id, data, length, user in
            guard let user, let slot = ClientCallbacks.slot(session, id), slot.pointee.isTaken
            else { return 0 }
            let total = slot.pointee.response.body.count + length
            if total <= ClientCallbacks.borrow(user, { $0.settings.responseBytesMax }) {
                slot.pointee.response.body.append(
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
        _ user: UnsafeMutableRawPointer
    ) {
        switch UInt32(frame.pointee.hd.type) {
        case NGHTTP2_SETTINGS.rawValue:
            // The ACK of our own settings contains nothing about the peer's.
            guard frame.pointee.hd.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 else { return }
            borrow(user) { $0.settingsArrived(session) }
        case NGHTTP2_GOAWAY.rawValue:
            let goAway = frame.pointee.goaway
            let debugData = UnsafeRawBufferPointer(
                start: goAway.opaque_data, count: goAway.opaque_data_len)
            borrow(user) {
                $0.goAwayArrived(
                    lastStream: goAway.last_stream_id, code: goAway.error_code,
                    debugData: debugData)
            }
        default:
            break
        }
    }

    fileprivate static func borrow<Result>(
        _ user: UnsafeMutableRawPointer, _ body: (ClientConnection) -> Result
    ) -> Result {
        Unmanaged<ClientConnection>.fromOpaque(user)._withUnsafeGuaranteedRef(body)
    }

    /// Returns the slot that `send` assigned to the stream.
    private static func slot(_ session: OpaquePointer?, _ stream: Int32) -> StreamTable.Slot? {
        nghttp2_session_get_stream_user_data(session, stream)?
            .assumingMemoryBound(to: StreamTable.Stream.self)
    }
}

/// Request bodies for nghttp2.
enum RequestBody {
    /// Returns a provider that reads a slot's body in pieces.
    static func provider(_ slot: StreamTable.Slot) -> nghttp2_data_provider {
        var provider = nghttp2_data_provider()
        provider.source.ptr = UnsafeMutableRawPointer(slot)
        provider.read_callback = { _, id, buffer, length, flags, source, user in
            // A settled request no longer needs its body; its reset is in flight.
            guard let buffer, let flags, let user,
                let slot = source?.pointee.ptr?.assumingMemoryBound(to: StreamTable.Stream.self),
                slot.pointee.id == id, slot.pointee.isTaken
            else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
            let count = min(slot.pointee.bodyLeft, length)
            slot.pointee.copyBody(
                to: UnsafeMutableRawBufferPointer(start: buffer, count: count))
            ClientCallbacks.borrow(user) { $0.streams.bodyLeaves(count, of: slot) }
            if slot.pointee.bodyLeft == 0 {
                flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
            }
            return count
        }
        return provider
    }
}
