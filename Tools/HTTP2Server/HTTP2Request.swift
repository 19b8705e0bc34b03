package import HTTP2

/// A received request. Its fields stay bytes until they are read, so that a bench's server is
/// faster than any client.
package struct HTTP2Request: Hashable, Sendable {
    package private(set) var body: [UInt8] = []
    /// With the pseudo-headers.
    private var fields = HeaderFields()

    /// The memory kept for the next body; more is released.
    private static let keptBytes = 16 * 1_024

    package init(method: String, path: String, headers: [HTTP2Header], body: [UInt8]) {
        fields = HeaderFields(
            [HTTP2Header(":method", method), HTTP2Header(":path", path)] + headers)
        self.body = body
    }

    init() {}

    /// Creates the request that a server receives for a head and a body.
    package init(_ head: borrowing HTTP2RequestHead, body: [UInt8]) {
        fields = HeaderFields(head.fields)
        self.body = body
    }

    package var method: String { fields.value(of: ":method") ?? "" }
    package var path: String { fields.value(of: ":path") ?? "" }

    /// The fields without pseudo-headers. How the client had them indexed is not kept.
    package var headers: [HTTP2Header] { fields.texts.filter { !$0.name.hasPrefix(":") } }

    /// Returns the first value of a header, by its lower-case name.
    package func header(_ name: String) -> String? { fields.value(of: name) }

    /// Adds a received field.
    mutating func take(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        fields.append(name, value)
    }

    /// Adds a piece of the body.
    mutating func takeBody(_ piece: UnsafeBufferPointer<UInt8>) {
        body.append(contentsOf: piece)
    }

    /// Empties it for the next request. Copies are unaffected.
    mutating func clear() {
        fields.removeAll()
        if !body.isEmpty { body.removeAll(keepingCapacity: body.capacity <= Self.keptBytes) }
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
