/// A request as it came: all of its bytes in one array, and where in it each part lies. A server
/// uses one again and again, so that a request costs no allocation.
package struct HTTP2Arrival: Sendable {
    /// A header field: places in `bytes`.
    package struct Field: Sendable {
        package let name: Range<Int>
        package let value: Range<Int>
        package let indexing: HTTP2Header.Indexing
    }

    /// Names, values and the body, one behind the other.
    package private(set) var bytes: [UInt8] = []
    package private(set) var method = 0..<0
    package private(set) var path = 0..<0
    /// Without pseudo-headers, in the order of their coming.
    package private(set) var fields: [Field] = []
    package private(set) var body = 0..<0

    private enum Limit {
        /// Room beyond this is given back: most requests are far smaller.
        static let keptBytes = 16 * 1_024
    }

    init() {}

    /// As if the request had come over the wire.
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

    /// Forgets the request and keeps its room.
    mutating func clear() {
        if bytes.capacity > Limit.keptBytes {
            bytes = []
        } else {
            bytes.removeAll(keepingCapacity: true)
        }
        fields.removeAll(keepingCapacity: true)
        (method, path, body) = (0..<0, 0..<0, 0..<0)
    }

    /// Takes a header. The pseudo-headers that a handler has no use for are dropped.
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
        // nghttp2 lets through those that there are, so the second letter tells them apart.
        switch (name.count, name[1]) {
        case (5, UInt8(ascii: "p")): path = append(value)
        case (7, UInt8(ascii: "m")): method = append(value)
        default: break
        }
    }

    /// Takes a piece of the body. All of it comes after the headers and before trailers.
    mutating func takeBody(_ piece: UnsafeBufferPointer<UInt8>) {
        let added = append(piece)
        body = body.isEmpty ? added : body.lowerBound..<added.upperBound
    }

    private mutating func append(_ part: some Collection<UInt8>) -> Range<Int> {
        let start = bytes.count
        bytes.append(contentsOf: part)
        return start..<bytes.count
    }

    /// What lies there, as text; what is no UTF-8 is replaced by U+FFFD.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

extension HTTP2Request {
    /// The request in values of its own, for handlers that have time.
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
