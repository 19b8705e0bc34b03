internal import CMicroHTTPD
internal import Glibc

/// The library's connection as a number, so that it can cross threads.
///
/// Other threads may only call `resume`, and only once after `suspend`: the library may free a
/// connection that is not suspended at any time.
struct MHDConnection: Sendable {
    private let bits: UInt

    init(_ pointer: OpaquePointer) { bits = UInt(bitPattern: pointer) }

    private var pointer: OpaquePointer? { OpaquePointer(bitPattern: bits) }

    func suspend() { MHD_suspend_connection(pointer) }
    func resume() { MHD_resume_connection(pointer) }

    /// Our object for this connection, set when it was accepted.
    var context: UnsafeMutableRawPointer? { MHD_shim_socket_context(pointer) }
    var descriptor: Int32 { MHD_shim_socket(pointer) }

    /// The address at the other end of the socket.
    var peer: ClientAddress? { MHD_shim_client(pointer).flatMap { ClientAddress($0) } }

    /// Adds the library's headers to `head`; they share one block of memory with the first line.
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

    /// Sets an option of the socket; a kernel without it does without.
    func set(_ level: some BinaryInteger, _ option: Int32, to value: Int32) {
        var value = value
        setsockopt(
            descriptor, Int32(level), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Whether the client has closed its side. The library does not look at a suspended connection,
    /// and the first bytes after the close would count as sent.
    var hasClientLeft: Bool { Self.hasClientLeft(descriptor) }

    static func hasClientLeft(_ descriptor: Int32) -> Bool {
        // Unlike a look at the next byte, this finds the end behind bytes that nobody has read.
        var event = pollfd(fd: descriptor, events: peerClosed, revents: 0)
        return poll(&event, 1, 0) > 0
    }

    /// `POLLRDHUP`, a GNU extension that Swift does not import.
    private static let peerClosed: Int16 = 0x2000

    /// Queues the response for sending.
    func queue(_ response: Response) -> MHD_Result {
        if let prepared = response.prepared?.library {
            return LibraryRefusal.queue(pointer, UInt32(response.status), prepared.pointer)
        }
        guard let made = LibraryResponse(response) ?? LibraryResponse(Problem.unsendable.response)
        else { return .NO }
        defer { made.destroy() }
        return queue(made)
    }

    func queue(_ response: LibraryResponse) -> MHD_Result {
        LibraryRefusal.queue(pointer, response.status, response.pointer)
    }

    /// Writes a complete response directly to the socket, where the library accepts none. Close the
    /// connection at once afterwards.
    func sendPastLibrary(_ bytes: [UInt8]) {
        // Bytes beyond the socket's buffer are lost with the connection.
        _ = bytes.withUnsafeBytes { bytes in
            Glibc.send(
                descriptor, bytes.baseAddress, bytes.count,
                Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
    }
}
