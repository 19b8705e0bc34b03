package import CNGHTTP2
internal import Glibc

/// A broken HTTP/2 session; the connection must end.
package struct SessionFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Describes a failed operation with its nghttp2 error code.
    init(_ what: String, code: Int32) {
        description = "\(what): \(String(cString: nghttp2_strerror(code)))"
    }
}

/// An nghttp2 session with its input and output.
package final class Session {
    package enum Role {
        case client, server
    }

    package let handle: OpaquePointer
    private let memory = SessionMemory()
    /// The rest of the last chunk; nghttp2 keeps it valid until asked for more.
    private var leftover = UnsafeRawBufferPointer(start: nil, count: 0)

    /// Which side replenishes the peer's flow-control windows.
    package enum Windows {
        /// nghttp2, when bytes are read.
        case replenished
        /// The caller of `nghttp2_session_consume`.
        case consumed
    }

    /// Creates a session. The user data must outlive it; the callbacks receive it unretained.
    package init(
        _ role: Role, userData: UnsafeMutableRawPointer, windows: Windows = .replenished,
        callbacks configure: (OpaquePointer) -> Void
    ) throws(SessionFailure) {
        var callbacks: OpaquePointer?
        try Self.check(nghttp2_session_callbacks_new(&callbacks), "cannot create a session")
        defer { nghttp2_session_callbacks_del(callbacks) }
        if let callbacks { configure(callbacks) }
        var options: OpaquePointer?
        try Self.check(nghttp2_option_new(&options), "cannot create a session's options")
        defer { nghttp2_option_del(options) }
        nghttp2_option_set_no_auto_window_update(options, windows == .consumed ? 1 : 0)
        // Only the priority tree needs closed streams, and nothing uses it.
        nghttp2_option_set_no_closed_streams(options, 1)
        var functions = memory.functions
        var session: OpaquePointer?
        let status =
            switch role {
            case .client:
                nghttp2_session_client_new3(&session, callbacks, userData, options, &functions)
            case .server:
                nghttp2_session_server_new3(&session, callbacks, userData, options, &functions)
            }
        guard status == 0, let session else {
            throw SessionFailure("cannot create a session", code: status)
        }
        handle = session
    }

    deinit { nghttp2_session_del(handle) }

    /// Processes bytes from the peer; callbacks run before it returns. Returns the reason if the
    /// session broke.
    package func receive(_ bytes: UnsafeRawBufferPointer) -> String? {
        let status = nghttp2_session_mem_recv(
            handle, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count)
        guard status < 0 else { return nil }
        return SessionFailure("HTTP/2", code: Int32(status)).description
    }

    /// Writes outgoing frames into the buffer and returns their size.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Result<Int, SessionFailure> {
        var filled = 0
        while filled < buffer.count {
            if leftover.isEmpty {
                var start: UnsafePointer<UInt8>?
                let count = nghttp2_session_mem_send(handle, &start)
                guard count >= 0 else {
                    return .failure(SessionFailure("HTTP/2", code: Int32(count)))
                }
                guard count > 0 else { break }
                leftover = UnsafeRawBufferPointer(start: start, count: count)
            }
            let part = min(leftover.count, buffer.count - filled)
            UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: leftover[..<part]))
            leftover = UnsafeRawBufferPointer(rebasing: leftover[part...])
            filled += part
        }
        return .success(filled)
    }

    /// Whether both sides are done.
    package var isFinished: Bool {
        leftover.isEmpty && nghttp2_session_want_read(handle) == 0
            && nghttp2_session_want_write(handle) == 0
    }

    package func submitSettings(_ settings: [nghttp2_settings_entry]) {
        // Fails only for invalid values or without memory; ours are constants in range.
        nghttp2_submit_settings(
            handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
    }

    /// Sets how much the peer may send on the whole connection before it must wait.
    package func setConnectionWindow(_ bytes: Int32) {
        nghttp2_session_set_local_window_size(
            handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, bytes)
    }

    /// How much we may send on the whole connection now.
    var remoteWindow: Int { Int(nghttp2_session_get_remote_window_size(handle)) }

    /// Sends a PING; nghttp2 handles the response.
    func ping() {
        nghttp2_submit_ping(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// Sends RST_STREAM with an HTTP/2 error code.
    package func reset(_ stream: Int32, code: UInt32) {
        nghttp2_submit_rst_stream(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code)
    }

    /// Sends GOAWAY: streams above this one are ignored; those in flight continue.
    package func goAway(lastStream: Int32, debugData: [UInt8]) {
        nghttp2_submit_goaway(
            handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), lastStream,
            UInt32(NGHTTP2_NO_ERROR.rawValue), debugData, debugData.count)
    }

    private static func check(_ status: Int32, _ what: String) throws(SessionFailure) {
        guard status == 0 else { throw SessionFailure(what, code: status) }
    }
}
