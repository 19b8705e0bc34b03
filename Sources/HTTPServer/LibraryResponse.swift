internal import CMicroHTTPD
internal import Glibc

/// An answer in the library's form; its maker must destroy it.
struct LibraryResponse: Sendable {
    let status: UInt32
    private let bits: UInt

    var pointer: OpaquePointer? { OpaquePointer(bitPattern: bits) }

    /// Copies the body. Nil if the answer cannot be put on the wire: a status that is none, a line
    /// break in a header.
    init?(_ response: Response) {
        let pointer = response.body.withUnsafeBytes { body in
            MHD_create_response_from_buffer(
                body.count, UnsafeMutableRawPointer(mutating: body.baseAddress),
                .RESPMEM_MUST_COPY)
        }
        self.init(pointer, response.status, response.headers)
    }

    /// Takes over `memory` from `malloc`, also where it fails.
    init?(_ memory: UnsafeMutableRawBufferPointer, status: Int, headers: [Response.Header]) {
        let pointer = MHD_create_response_from_buffer(
            memory.count, memory.baseAddress, .RESPMEM_MUST_FREE)
        if pointer == nil { free(memory.baseAddress) }
        self.init(pointer, status, headers)
    }

    private init?(_ pointer: OpaquePointer?, _ status: Int, _ headers: [Response.Header]) {
        guard let pointer else { return nil }
        bits = UInt(bitPattern: pointer)
        self.status = UInt32(truncatingIfNeeded: status)
        guard 200...599 ~= status, Self.add(headers, to: pointer),
            Self.add(Response.missing(in: headers), to: pointer)
        else {
            MHD_destroy_response(pointer)
            return nil
        }
    }

    private static func add(_ headers: [Response.Header], to pointer: OpaquePointer) -> Bool {
        headers.allSatisfy { MHD_add_response_header(pointer, $0.name, $0.value) == .YES }
    }

    /// The library frees it when its last sender is done.
    func destroy() { MHD_destroy_response(pointer) }
}

extension Response {
    /// What every answer of an interface carries, unless the handler has set it: nothing is
    /// stored on the way, and no browser guesses another type.
    private static let always: [(header: Header, name: StaticString)] = [
        (Header("cache-control", "no-store"), "cache-control"),
        (Header("x-content-type-options", "nosniff"), "x-content-type-options"),
    ]
    private static let alwaysHeaders = always.map(\.header)

    static func missing(in headers: [Header]) -> [Header] {
        func has(_ name: StaticString) -> Bool {
            headers.contains { header in
                var text = header.name
                return text.withUTF8 { UnsafeRawBufferPointer($0).equals(anyCaseOf: name) }
            }
        }
        guard always.contains(where: { has($0.name) }) else { return alwaysHeaders }
        return always.filter { !has($0.name) }.map(\.header)
    }

    /// The same answer, after which the connection is closed.
    var closing: Response {
        var response = self
        response.headers.append(Header("connection", "close"))
        return response
    }

    /// The whole answer in HTTP/1.1.
    var onTheWire: [UInt8] {
        var text = "HTTP/1.1 \(status) \(status)\r\ncontent-length: \(body.count)\r\n"
        for header in headers + Self.missing(in: headers) {
            text += "\(header.name): \(header.value)\r\n"
        }
        return Array((text + "\r\n").utf8) + body
    }
}
