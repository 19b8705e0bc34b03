/// A complete, bounded request for a handler, with its own copy of its data.
///
/// Path, query and headers are one array of bytes; strings are created on access.
package struct Request: Sendable {
    package let method: Method
    package let query: Query
    package internal(set) var headers: Headers
    /// Who sent it: the peer of the connection, or the client whom a trusted proxy names.
    package internal(set) var client: ClientAddress
    package internal(set) var sender: RequestOrigin
    package internal(set) var body: [UInt8]
    /// The values of the route's `{…}` parts, set by the router.
    package internal(set) var parameters = Parameters()
    /// The path, followed by the bytes of `query` and `headers`.
    let bytes: [UInt8]
    let pathCount: Int
    private let targetCount: Int

    /// The percent-encoded path, without the query.
    package var path: String { String(decoding: bytes[..<pathCount], as: UTF8.self) }

    /// Path and query, as they arrived.
    var target: ArraySlice<UInt8> { bytes[..<targetCount] }

    /// Creates a request. The names of `headers` are in lower case, the values of `query` decoded.
    package init(
        method: Method, path: String, query: [String: String] = [:],
        headers: [String: String] = [:], body: [UInt8] = [],
        from client: ClientAddress = .loopback, sentBy sender: RequestOrigin = .client
    ) {
        self.client = client
        self.sender = sender
        self.method = method
        pathCount = path.utf8.count
        bytes = Array(path.utf8) + Query(query).target
        targetCount = bytes.count
        self.query = Query(bytes: bytes, range: min(pathCount + 1, targetCount)..<targetCount)
        self.headers = Headers(headers)
        self.body = body
    }

    /// Copies a head that `framing()` has accepted; the body follows later.
    package init(_ head: borrowing RequestHead) throws(Problem) {
        guard head.isWellEncoded else {
            throw .malformed("Path or query is not valid percent-encoded UTF-8: send %HH.")
        }
        guard let method = head.method else { throw .unknownMethod }
        let target = head.target
        let (area, start) = head.headerArea
        var bytes: [UInt8] = []
        bytes.reserveCapacity(target.count + area.count)
        bytes.append(contentsOf: target)
        bytes.append(contentsOf: area)
        self.bytes = bytes
        self.method = method
        client = head.client
        sender = head.sender
        pathCount = head.path.count
        targetCount = target.count
        query = Query(bytes: bytes, range: min(pathCount + 1, target.count)..<target.count)
        headers = Headers(
            bytes: bytes, fields: head.fieldList(movedBy: target.count - start))
        body = []
    }
}

extension RequestHead {
    /// The memory from the first header's name to the last one's value, and its start.
    fileprivate var headerArea: (UnsafeRawBufferPointer, start: Int) {
        guard fields.keptCount > 0 else { return (UnsafeRawBufferPointer(start: nil, count: 0), 0) }
        let start = Int(fields[0].nameStart)
        let last = fields[fields.keptCount - 1]
        let end = Int(last.valueStart) + Int(last.valueCount)
        return (
            UnsafeRawBufferPointer(
                start: methodWord.baseAddress.map { $0 + start }, count: end - start), start
        )
    }

    fileprivate func fieldList(movedBy distance: Int) -> [HeadField] {
        Array(unsafeUninitializedCapacity: fields.keptCount) { list, count in
            for index in 0..<fields.keptCount {
                var field = fields[index]
                field.nameStart = UInt32(Int(field.nameStart) + distance)
                field.valueStart = UInt32(Int(field.valueStart) + distance)
                list.initializeElement(at: index, to: field)
            }
            count = fields.keptCount
        }
    }
}

extension Request {
    /// Passes this request to `body` as a head in place, as if received over a connection, to call
    /// an immediate handler without one.
    package func withHead<Result>(_ body: (borrowing RequestHead) -> Result) -> Result {
        var text = Array("\(method.rawValue) ".utf8)
        let path = text.count..<text.count + target.count
        text += target + Array(" HTTP/1.1".utf8)
        let version = path.upperBound + 1..<text.count
        var fields: [(name: Range<Int>, value: Range<Int>)] = []
        headers.forEach { name, value in
            let start = text.count + 2
            text += Array("\r\n".utf8) + name + Array(": ".utf8) + value
            let end = start + name.count
            fields.append((start..<end, end + 2..<text.count))
        }
        text += Array("\r\n\r\n".utf8)
        return text.withUnsafeBytes { text in
            func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
                UnsafeRawBufferPointer(rebasing: text[range])
            }
            guard let start = text.baseAddress else { preconditionFailure("a head of no bytes") }
            var head = RequestHead(
                method: part(0..<path.lowerBound - 1), path: start + path.lowerBound,
                target: part(path), version: part(version))
            head.client = client
            head.sender = sender
            for field in fields { head.header(part(field.name), part(field.value)) }
            head.ended(after: text.count)
            return body(head)
        }
    }
}
