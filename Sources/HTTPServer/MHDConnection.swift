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

    /// Reads what the library has kept of a request's head, which is in one piece of memory.
    func head(
        method: UnsafePointer<CChar>, path: UnsafePointer<CChar>, target: String,
        version: UnsafePointer<CChar>
    ) -> RequestHead {
        let scan = HeadScan(
            RequestHead(
                method: String(cString: method), target: target,
                version: String(cString: version)))
        scan.passed(method, strlen(method), separator: 0)
        scan.passed(path, target.utf8.count, separator: 1)
        scan.passed(version, strlen(version), separator: 1)
        let context = Unmanaged.passUnretained(scan).toOpaque()
        let collect: MHD_KeyValueIteratorN = { context, _, name, nameSize, value, valueSize in
            guard let context, let name, let value else { return .NO }
            Unmanaged<HeadScan>.fromOpaque(context).takeUnretainedValue()
                .header(name, nameSize, value, valueSize)
            return .YES
        }
        withExtendedLifetime(scan) {
            _ = MHD_get_connection_values_n(pointer, .HEADER_KIND, collect, context)
        }
        scan.ended(after: MHD_shim_header_size(pointer), from: method)
        return scan.head
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
