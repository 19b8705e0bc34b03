/// A received request: all of its bytes in one array, with the position of each part. A server
/// reuses it, so that requests need no allocation.
package struct HTTP2Arrival: Sendable {
    /// A header field as ranges in `bytes`.
    package struct Field: Sendable {
        package let name: Range<Int>
        package let value: Range<Int>
        package let indexing: HTTP2Header.Indexing
    }

    /// The names, values and body, in sequence.
    package private(set) var bytes: [UInt8] = []
    package private(set) var method = 0..<0
    package private(set) var path = 0..<0
    /// The fields without pseudo-headers, in order of arrival.
    package private(set) var fields: [Field] = []
    package private(set) var body = 0..<0

    private enum Limit {
        /// Memory beyond this is released: most requests are far smaller.
        static let keptBytes = 16 * 1_024
    }

    init() {}

    /// Creates an arrival as if the request had been received.
    package init(_ request: HTTP2Request) {
        method = append(request.method.utf8)
        path = append(request.path.utf8)
        for header in request.headers {
            let name = append(header.name.utf8)
            let value = append(header.value.utf8)
            fields.append(Field(name: name, value: value, indexing: header.indexing))
        }
        body = append(request.body)
    }

    /// Clears the request and keeps its memory.
    mutating func clear() {
        if bytes.capacity > Limit.keptBytes {
            bytes = []
        } else {
            bytes.removeAll(keepingCapacity: true)
        }
        fields.removeAll(keepingCapacity: true)
        (method, path, body) = (0..<0, 0..<0, 0..<0)
    }

    /// Adds a header. Drops the pseudo-headers that handlers do not need.
    mutating func take(
        name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>,
        indexing: HTTP2Header.Indexing
    ) {
        guard name.first == UInt8(ascii: ":") else {
            let nameRange = append(name)
            let valueRange = append(value)
            fields.append(Field(name: nameRange, value: valueRange, indexing: indexing))
            return
        }
        // nghttp2 allows only valid pseudo-headers, so the second letter identifies them.
        switch (name.count, name[1]) {
        case (5, UInt8(ascii: "p")): path = append(value)
        case (7, UInt8(ascii: "m")): method = append(value)
        default: break
        }
    }

    /// Adds a piece of the body, which lies between the headers and any trailers.
    mutating func takeBody(_ piece: UnsafeBufferPointer<UInt8>) {
        let added = append(piece)
        body = body.isEmpty ? added : body.lowerBound..<added.upperBound
    }

    private mutating func append(_ part: some Collection<UInt8>) -> Range<Int> {
        let start = bytes.count
        bytes.append(contentsOf: part)
        return start..<bytes.count
    }

    /// Returns a range as text; invalid UTF-8 becomes U+FFFD.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

extension HTTP2Request {
    /// Copies the request into separate values, for handlers that are not time-critical.
    package init(_ arrival: HTTP2Arrival) {
        self.init(
            method: arrival.text(arrival.method), path: arrival.text(arrival.path),
            headers: arrival.fields.map {
                HTTP2Header(
                    arrival.text($0.name), arrival.text($0.value), indexing: $0.indexing)
            },
            body: Array(arrival.bytes[arrival.body]))
    }
}
