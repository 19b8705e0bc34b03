internal import CMicroHTTPD
internal import Glibc

/// Passes a stream's bytes to the library. It belongs to the thread that serves the connection.
final class StreamReader {
    /// What the kernel keeps for a client that does not read, in bytes; it doubles the number.
    static let sendBufferBytes: Int32 = 64 * 1024
    /// How long a client may leave bytes unacknowledged, in milliseconds: one whose network is gone
    /// would otherwise keep its stream for a quarter of an hour.
    static let acknowledgementMilliseconds: Int32 = 30_000
    /// The library's buffer for HTTP/1.0; chunks are written in the connection's own.
    private static let blockBytes = 1024

    private let body: StreamBody
    private let handle: MHDConnection
    private let watch: ConnectionWatch
    private let core: ServerCore
    private var rest: ArraySlice<UInt8> = []
    /// When the stream is cut off if it waits, in nanoseconds of `CoarseClock`.
    private let deadline: Int64

    init(_ body: StreamBody, on handle: MHDConnection, _ watch: ConnectionWatch, _ core: ServerCore)
    {
        self.body = body
        self.handle = handle
        self.watch = watch
        self.core = core
        deadline =
            body.stream.secondsMax.map { CoarseClock.now + Int64($0) * 1_000_000_000 } ?? .max
        handle.set(IPPROTO_TCP, TCP_USER_TIMEOUT, to: Self.acknowledgementMilliseconds)
        handle.set(SOL_SOCKET, SO_SNDBUF, to: Self.sendBufferBytes)
    }

    /// Returns the library's response, which keeps the reader; nil if out of memory.
    func libraryResponse() -> OpaquePointer? {
        let context = Unmanaged.passRetained(self).toOpaque()
        // `UInt64.max` stands for an unknown size.
        let response = MHD_create_response_from_callback(
            .max, Self.blockBytes, Self.read, context, Self.free)
        if response == nil { Self.free(context) }
        return response
    }

    private static let read: MHD_ContentReaderCallback = { context, _, buffer, count in
        guard let context, let buffer else { return endOfStream }
        let reader = Unmanaged<StreamReader>.fromOpaque(context).takeUnretainedValue()
        return reader.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
    }

    private static let free: MHD_ContentReaderFreeCallback = { context in
        guard let context else { return }
        Unmanaged<StreamReader>.fromOpaque(context).release()
    }

    /// `MHD_CONTENT_READER_END_OF_STREAM`, a macro that Swift does not import.
    private static let endOfStream = -1

    /// Called when the client has taken everything so far. Returns how many bytes follow.
    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if rest.isEmpty {
            guard !handle.hasClientLeft else { return Self.endOfStream }
            switch body.stream.next() {
            case .bytes(let bytes): rest = bytes[...]
            case .wait: return wait()
            case .end: return Self.endOfStream
            }
        }
        watch.extend(to: core.requestDeadline)
        let count = min(buffer.count, rest.count)
        buffer.copyBytes(from: rest.prefix(count))
        rest.removeFirst(count)
        if rest.isEmpty { rest = [] }
        return count
    }

    /// Suspends the connection until the stream is woken. The library calls `read` again then.
    private func wait() -> Int {
        guard core.traffic.mayWaitForStream() else { return Self.endOfStream }
        watch.extend(to: deadline)
        handle.suspend()
        let suspended = SuspendedConnection(handle: handle, traffic: core.traffic)
        if !body.stream.suspended(suspended) { suspended.resume() }
        return 0
    }
}
