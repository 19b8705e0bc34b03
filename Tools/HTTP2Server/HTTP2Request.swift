package import HTTP2

/// A received request. `headers` has no pseudo-header.
package struct HTTP2Request: Hashable, Sendable {
    package private(set) var method = ""
    package private(set) var path = ""
    package private(set) var headers: [HTTP2Header] = []
    package internal(set) var body: [UInt8] = []

    package init(method: String, path: String, headers: [HTTP2Header], body: [UInt8]) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    init() {}

    /// Creates the request that a server receives for a head and a body.
    package init(_ head: borrowing HTTP2RequestHead, body: [UInt8]) {
        self.body = body
        for field in head.fields {
            switch field.name {
            case ":method": method = field.value
            case ":path": path = field.value
            case ":scheme", ":authority": break
            default: headers.append(field)
            }
        }
    }

    /// Returns the first value of a header, by its lower-case name.
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// Adds a received field; invalid UTF-8 becomes U+FFFD. Drops the pseudo-headers that handlers
    /// do not need.
    mutating func take(
        name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>,
        indexing: HTTP2Header.Indexing
    ) {
        let text = String(decoding: value, as: UTF8.self)
        if name.first != UInt8(ascii: ":") {
            let name = String(decoding: name, as: UTF8.self)
            headers.append(HTTP2Header(name, text, indexing: indexing))
        } else if name.elementsEqual(":path".utf8) {
            path = text
        } else if name.elementsEqual(":method".utf8) {
            method = text
        }
    }
}

extension HTTP2Batch {
    /// Returns a request as a server of this authority receives it, for tests.
    package func request(_ index: Int, authority: String = "localhost") -> HTTP2Request {
        var head = HTTP2RequestHead(authority: authority)
        write(index, to: &head)
        var body = [UInt8](repeating: 0, count: bodyCount(of: index))
        body.withUnsafeMutableBytes { copyBody(of: index, from: 0, to: $0) }
        return HTTP2Request(head, body: body)
    }
}
