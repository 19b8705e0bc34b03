internal import CMicroHTTPD
internal import Glibc

/// Sends a problem in place of each page of HTML with which the library refuses a request by itself.
///
/// The library has no setting for these pages. But it queues them with its own exported function,
/// and the dynamic linker finds this one of the same name first; our own responses go to the
/// library's function directly. It reports a failure, because the library then closes the
/// connection, which it would do anyway, and because version 0.9.75 sends the head of some refusals
/// twice. If another version did not call it, the tests of refused requests would fail.
@_cdecl("MHD_queue_response")
public func sendLibraryRefusal(
    _ connection: OpaquePointer?, _ status: UInt32, _ response: OpaquePointer?
) -> UInt32 {
    if let connection {
        MHDConnection(connection).sendPastLibrary(LibraryRefusal.bytes(status: Int(status)))
    }
    return MHD_Result.NO.rawValue
}

/// The library's refusals of requests that it cannot read.
enum LibraryRefusal {
    private typealias Queue =
        @convention(c) (OpaquePointer?, UInt32, OpaquePointer?) -> MHD_Result

    /// The library's own function: the next one of its name.
    private static let libraryQueue: Queue? = {
        // `RTLD_NEXT`, a macro that Swift does not import.
        let next = UnsafeMutableRawPointer(bitPattern: -1)
        return dlsym(next, "MHD_queue_response").map { unsafeBitCast($0, to: Queue.self) }
    }()

    /// Queues one of our own responses.
    static func queue(
        _ connection: OpaquePointer?, _ status: UInt32, _ response: OpaquePointer?
    ) -> MHD_Result {
        libraryQueue?(connection, status, response) ?? .NO
    }

    /// Returns the complete response.
    static func bytes(status: Int) -> [UInt8] { prepared[status] ?? Self.make(status: status) }

    /// The statuses that the library uses; they are made once, because requests that it refuses cost
    /// a client nothing.
    private static let prepared = Dictionary(
        uniqueKeysWithValues: [400, 413, 414, 431, 500, 501, 503, 505].map {
            ($0, make(status: $0))
        })

    private static func make(status: Int) -> [UInt8] {
        problem(status: status).response.closing.onTheWire
    }

    private static func problem(status: Int) -> Problem {
        switch status {
        case 413:
            Problem(
                status: 413, title: "Body too large", detail: "A chunk of the body is too large.")
        case 414:
            Problem(
                status: 414, title: "URI too long",
                detail: "The limit is \(RequestHead.targetBytesMax) bytes.")
        case 431:
            Problem(
                status: 431, title: "Headers too large",
                detail: "The limit is \(RequestHead.headerBytesMax) bytes.")
        case 505:
            Problem(
                status: 505, title: "HTTP version not supported",
                detail: "The protocol is neither HTTP/1.1 nor HTTP/1.0.")
        case 400..<500:
            .malformed("The request is not HTTP/1.1 as RFC 9112 defines it.", status: status)
        default:
            Problem(
                status: status, title: "Internal server error",
                detail: "The server cannot handle this request.")
        }
    }
}
