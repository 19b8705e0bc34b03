/// A request as a handler sees it: whole, bounded, its own copy of all that it needs.
///
/// Path, query and headers are one array of bytes; a text is made of them where one is asked for.
package struct Request: Sendable {
    package let method: Method
    package let query: Query
    package let headers: Headers
    package internal(set) var body: [UInt8]
    /// The values of the route's `{…}` parts; filled in by the router.
    package internal(set) var parameters = Parameters()
    /// The path, and behind it what `query` and `headers` share.
    let bytes: [UInt8]
    let pathCount: Int

    /// As it came, without the query: percent-encoded.
    package var path: String { String(decoding: bytes[..<pathCount], as: UTF8.self) }

    /// The names of `headers` are in lower case, the values of `query` decoded.
    package init(
        method: Method, path: String, query: [String: String] = [:],
        headers: [String: String] = [:], body: [UInt8] = []
    ) {
        self.method = method
        self.query = Query(query)
        self.headers = Headers(headers)
        self.body = body
        bytes = Array(path.utf8)
        pathCount = bytes.count
    }

    /// Copies a head, once `framing()` has found nothing wrong; the body is still to come.
    package init(_ head: borrowing RequestHead) throws(Problem) {
        guard head.isWellEncoded else {
            throw .malformed("Path or query is not well percent-encoded: send UTF-8 as %HH.")
        }
        guard let method = head.method else { throw .methodNotAllowed(Method.allCases) }
        let target = head.target
        let (area, start) = head.headerArea
        var bytes: [UInt8] = []
        bytes.reserveCapacity(target.count + area.count)
        bytes.append(contentsOf: target)
        bytes.append(contentsOf: area)
        self.bytes = bytes
        self.method = method
        pathCount = head.path.count
        query = Query(bytes: bytes, range: min(pathCount + 1, target.count)..<target.count)
        headers = Headers(
            bytes: bytes, fields: head.fieldList(movedBy: target.count - start))
        body = []
    }
}

extension RequestHead {
    /// The memory from the first header's name to the last one's value, and where it begins.
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
