internal import CMicroHTTPD

/// An answer in the library's form; its maker must destroy it.
struct LibraryResponse {
    let pointer: OpaquePointer
    let status: UInt32

    /// Nil if the answer cannot be put on the wire: a status that is none, a line break in a
    /// header.
    init?(_ response: Response) {
        guard 200...599 ~= response.status,
            let pointer = response.body.withUnsafeBytes({ body in
                MHD_create_response_from_buffer(
                    body.count, UnsafeMutableRawPointer(mutating: body.baseAddress),
                    .RESPMEM_MUST_COPY)
            })
        else { return nil }
        for header in response.headers + response.missingHeaders
        where MHD_add_response_header(pointer, header.name, header.value) != .YES {
            MHD_destroy_response(pointer)
            return nil
        }
        self.pointer = pointer
        status = UInt32(response.status)
    }
}

extension Response {
    /// What every answer of an interface carries, unless the handler has set it: nothing is
    /// stored on the way, and no browser guesses another type.
    private static let always = [
        Header("cache-control", "no-store"), Header("x-content-type-options", "nosniff"),
    ]

    var missingHeaders: [Header] {
        Self.always.filter { standard in
            !headers.contains { $0.name.lowercased() == standard.name }
        }
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
        for header in headers + missingHeaders {
            text += "\(header.name): \(header.value)\r\n"
        }
        return Array((text + "\r\n").utf8) + body
    }
}
