internal import CMicroHTTPD
internal import Glibc

/// The library's connection, as a number so that it can be handed from thread to thread.
///
/// Only `resume` may be called from other threads, and only between `suspend` and the one
/// `resume`: the library frees a connection that is not suspended whenever it likes.
struct MHDConnection: Sendable {
    private let bits: UInt

    init(_ pointer: OpaquePointer) { bits = UInt(bitPattern: pointer) }

    private var pointer: OpaquePointer? { OpaquePointer(bitPattern: bits) }

    func suspend() { MHD_suspend_connection(pointer) }
    func resume() { MHD_resume_connection(pointer) }

    /// Our object for this connection, put there when the connection was accepted.
    var context: UnsafeMutableRawPointer? { MHD_shim_socket_context(pointer) }
    var descriptor: Int32 { MHD_shim_socket(pointer) }

    /// The request's headers in their order, repeated ones too.
    var headers: [RequestHead.Header] {
        let collector = HeaderCollector()
        let context = Unmanaged.passUnretained(collector).toOpaque()
        let collect: MHD_KeyValueIteratorN = { context, _, key, keySize, value, valueSize in
            guard let context else { return .NO }
            let collector = Unmanaged<HeaderCollector>.fromOpaque(context).takeUnretainedValue()
            collector.headers.append(
                RequestHead.Header(
                    name: text(key, keySize), value: text(value, valueSize)))
            return .YES
        }
        withExtendedLifetime(collector) {
            _ = MHD_get_connection_values_n(pointer, .HEADER_KIND, collect, context)
        }
        return collector.headers
    }

    /// Hands the answer to the library, which sends it.
    func queue(_ response: Response) -> MHD_Result {
        guard let queued = LibraryResponse(response) ?? LibraryResponse(Problem.unsendable.response)
        else { return .NO }
        defer { MHD_destroy_response(queued.pointer) }
        return MHD_queue_response(pointer, queued.status, queued.pointer)
    }

    /// Writes an answer straight to the socket, where the library takes none: in the middle of a
    /// body. The connection must be closed at once.
    func sendPastLibrary(_ response: Response) {
        let bytes = response.onTheWire
        // What does not fit into the socket's buffer is lost with the connection.
        _ = bytes.withUnsafeBytes { bytes in
            Glibc.send(
                descriptor, bytes.baseAddress, bytes.count,
                Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
    }
}

/// Where the library's iterator puts headers.
private final class HeaderCollector {
    var headers: [RequestHead.Header] = []
}

/// Bytes as text; broken UTF-8 is replaced, which no header that is trusted may contain anyway.
private func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
    guard let bytes else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
}
