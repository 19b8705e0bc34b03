internal import Glibc

/// An answer in the library's form, for bodies that are sent again and again: any number of
/// connections may send it at the same time, and none copies it.
///
/// The library counts its senders, so letting go of it while connections still send is safe. An
/// answer that cannot be put on the wire becomes a 500.
package final class PreparedResponse: Sendable {
    package let status: Int
    package let headers: [Response.Header]
    /// Nil where there was no memory for it.
    let library: LibraryResponse?
    /// Where the library has the body, which nobody writes again, and how long it is.
    private let memory: UInt
    private let count: Int

    package init(_ response: Response) {
        var (response, memory) = (response, Self.copy(response.body))
        var library = LibraryResponse(memory, status: response.status, headers: response.headers)
        if library == nil {
            response = Problem.unsendable.response
            memory = Self.copy(response.body)
            library = LibraryResponse(memory, status: response.status, headers: response.headers)
        }
        status = response.status
        headers = response.headers
        self.memory = UInt(bitPattern: memory.baseAddress)
        count = memory.count
        self.library = library
    }

    /// What its body takes of memory, for a cache that is bounded by bytes.
    package var bodyByteCount: Int { count }

    deinit { library?.destroy() }

    package var body: [UInt8] {
        guard library != nil else { return [] }
        return Array(
            UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: memory), count: count))
    }

    private static func copy(_ body: [UInt8]) -> UnsafeMutableRawBufferPointer {
        guard let start = malloc(max(1, body.count)) else {
            return UnsafeMutableRawBufferPointer(start: nil, count: 0)
        }
        let memory = UnsafeMutableRawBufferPointer(start: start, count: body.count)
        memory.copyBytes(from: body)
        return memory
    }
}
