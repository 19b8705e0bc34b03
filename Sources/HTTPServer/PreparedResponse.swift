internal import Glibc

/// A response in the library's form, for bodies that are sent repeatedly. Any number of connections
/// can send it at once without a copy.
///
/// The library counts its senders, so it may be released while connections still send it. A
/// response that cannot be sent becomes a 500.
package final class PreparedResponse: Sendable {
    package let status: Int
    package let headers: [Response.Header]
    /// Nil if out of memory.
    let library: LibraryResponse?
    /// The address and size of the library's body, which is never modified.
    private let memory: UInt
    private let count: Int

    package convenience init(_ response: Response) {
        self.init(
            status: response.status, headers: response.headers, pieces: [response.body[...]])
    }

    /// Creates a JSON response from a body in pieces.
    package convenience init(json pieces: [ArraySlice<UInt8>], headers: [Response.Header] = []) {
        self.init(status: 200, headers: Response.jsonHeaders + headers, pieces: pieces)
    }

    private init(status: Int, headers: [Response.Header], pieces: [ArraySlice<UInt8>]) {
        var (status, headers, memory) = (status, headers, Self.copy(pieces))
        var library = LibraryResponse(memory, status: status, headers: headers)
        if library == nil {
            let problem = Problem.unsendable.response
            (status, headers, memory) = (
                problem.status, problem.headers, Self.copy([problem.body[...]])
            )
            library = LibraryResponse(memory, status: status, headers: headers)
        }
        self.status = status
        self.headers = headers
        self.memory = UInt(bitPattern: memory.baseAddress)
        count = memory.count
        self.library = library
    }

    /// The body's size in memory, for a cache bounded by bytes.
    package var bodyByteCount: Int { count }

    deinit { library?.destroy() }

    package var body: [UInt8] {
        guard library != nil else { return [] }
        return Array(
            UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: memory), count: count))
    }

    private static func copy(_ pieces: [ArraySlice<UInt8>]) -> UnsafeMutableRawBufferPointer {
        let count = pieces.reduce(0) { $0 + $1.count }
        guard let start = malloc(max(1, count)) else {
            return UnsafeMutableRawBufferPointer(start: nil, count: 0)
        }
        let memory = UnsafeMutableRawBufferPointer(start: start, count: count)
        var end = 0
        for piece in pieces {
            UnsafeMutableRawBufferPointer(rebasing: memory[end...]).copyBytes(from: piece)
            end += piece.count
        }
        return memory
    }
}
