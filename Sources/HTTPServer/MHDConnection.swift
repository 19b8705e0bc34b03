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

    /// Shows `head` the headers that the library has kept, in one piece of memory with the first
    /// line.
    func readHeaders(into head: inout RequestHead) {
        let collect: MHD_KeyValueIteratorN = { context, _, name, nameSize, value, valueSize in
            guard let context, let name, let value else { return .NO }
            context.assumingMemoryBound(to: RequestHead.self).pointee.header(
                UnsafeRawBufferPointer(start: name, count: nameSize),
                UnsafeRawBufferPointer(start: value, count: valueSize))
            return .YES
        }
        withUnsafeMutablePointer(to: &head) { head in
            _ = MHD_get_connection_values_n(pointer, .HEADER_KIND, collect, head)
        }
        head.ended(after: MHD_shim_header_size(pointer))
    }

    /// Hands the answer to the library, which sends it.
    func queue(_ response: Response) -> MHD_Result {
        if let prepared = response.prepared?.library { return queue(prepared) }
        guard let made = LibraryResponse(response) ?? LibraryResponse(Problem.unsendable.response)
        else { return .NO }
        defer { made.destroy() }
        return queue(made)
    }

    private func queue(_ response: LibraryResponse) -> MHD_Result {
        MHD_queue_response(pointer, response.status, response.pointer)
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
