internal import CMicroHTTPD
internal import Glibc

/// A response in the library's form. The creator must destroy it.
struct LibraryResponse: Sendable {
    let status: UInt32
    private let bits: UInt

    var pointer: OpaquePointer? { OpaquePointer(bitPattern: bits) }

    /// Copies the body. Nil if the response cannot be sent: an invalid status, a line break in a
    /// header.
    init?(_ response: Response) {
        let pointer = response.body.withUnsafeBytes { body in
            MHD_create_response_from_buffer(
                body.count, UnsafeMutableRawPointer(mutating: body.baseAddress),
                .RESPMEM_MUST_COPY)
        }
        self.init(pointer, response.status, response.headers)
    }

    /// Takes over `memory` from `malloc`, even on failure.
    init?(_ memory: UnsafeMutableRawBufferPointer, status: Int, headers: [Response.Header]) {
        let pointer = MHD_create_response_from_buffer(
            memory.count, memory.baseAddress, .RESPMEM_MUST_FREE)
        if pointer == nil { free(memory.baseAddress) }
        self.init(pointer, status, headers)
    }

    /// Creates a response whose body the reader provides.
    init?(_ reader: StreamReader, _ response: Response) {
        self.init(reader.libraryResponse(), response.status, response.headers)
    }

    private init?(_ pointer: OpaquePointer?, _ status: Int, _ headers: [Response.Header]) {
        guard let pointer else { return nil }
        bits = UInt(bitPattern: pointer)
        self.status = UInt32(truncatingIfNeeded: status)
        guard 200...599 ~= status, headers.allSatisfy({ Self.add($0, to: pointer) }),
            Response.missing(in: headers).allSatisfy({ Self.add($0, to: pointer) })
        else {
            MHD_destroy_response(pointer)
            return nil
        }
    }

    /// Adds a header, of which the library makes a copy. In place: as arguments, texts would be
    /// copied before.
    private static func add(_ header: Response.Header, to pointer: OpaquePointer) -> Bool {
        guard !header.value.isEmpty else { return true }
        return header.name.withCString { name in
            header.value.withCString { MHD_add_response_header(pointer, name, $0) == .YES }
        }
    }

    /// Releases it; the library frees it after its last sender.
    func destroy() { MHD_destroy_response(pointer) }
}

extension Response {
    /// Headers of every response, unless the handler has set them, or left them out by an empty
    /// value: they prevent storage on the way and the guessing of another type.
    private static let always: [(header: Header, name: StaticString)] = [
        (Header("cache-control", "no-store"), "cache-control"),
        (Header("x-content-type-options", "nosniff"), "x-content-type-options"),
    ]

    static func missing(in headers: [Header]) -> some Sequence<Header> {
        always.lazy.filter { !has($0.name, in: headers) }.map(\.header)
    }

    private static func has(_ name: StaticString, in headers: [Header]) -> Bool {
        headers.contains { header in
            guard header.name.utf8.count == name.utf8CodeUnitCount else { return false }
            var text = header.name
            return text.withUTF8 { UnsafeRawBufferPointer($0).equals(anyCaseOf: name) }
        }
    }

    /// The same response with a closed connection after it.
    var closing: Response {
        var response = self
        response.headers.append(Header("connection", "close"))
        return response
    }

    /// The complete response in HTTP/1.1.
    var onTheWire: [UInt8] {
        var text = "HTTP/1.1 \(status) \(status)\r\ncontent-length: \(body.count)\r\n"
        for header in headers + Self.missing(in: headers) where !header.value.isEmpty {
            text += "\(header.name): \(header.value)\r\n"
        }
        return Array((text + "\r\n").utf8) + body
    }
}
