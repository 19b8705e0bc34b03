/// A response as it arrived: fields as bytes, one after the other, so that nobody pays for those
/// that are not read.
package struct HTTP2Answer: Sendable {
    package internal(set) var status = 0
    package internal(set) var body: [UInt8] = []
    /// Name, value, name, value …
    private var bytes: [UInt8] = []
    /// Where each of them ends.
    private var ends: [Int] = []

    private enum Limit {
        /// Room that is kept for the next answer; what was larger is given back.
        static let keptBytes = 1_024
    }

    init() {}

    /// An answer that a test or a script makes up.
    package init(_ response: HTTP2Response) {
        status = response.status
        body = response.body
        for header in response.headers {
            bytes.append(contentsOf: header.name.utf8)
            ends.append(bytes.count)
            bytes.append(contentsOf: header.value.utf8)
            ends.append(bytes.count)
        }
    }

    /// The first value of a field, by its lower-case name, where it lies.
    package func withValue<Result>(
        of name: FieldName, _ read: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        bytes.withUnsafeBufferPointer { all in
            var start = 0
            for field in stride(from: 0, to: ends.count, by: 2) {
                let (nameEnd, valueEnd) = (ends[field], ends[field + 1])
                if name.isSame(as: UnsafeBufferPointer(rebasing: all[start..<nameEnd])) {
                    return read(UnsafeBufferPointer(rebasing: all[nameEnd..<valueEnd]))
                }
                start = valueEnd
            }
            return nil
        }
    }

    /// The first value of a field as text.
    package func value(of name: FieldName) -> String? {
        withValue(of: name) { String(decoding: $0, as: UTF8.self) }
    }

    /// Takes a response header. Informational responses (1xx) are overwritten by the final one.
    mutating func take(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        if FieldName.status.isSame(as: name) {
            // nghttp2 has checked that it is three digits.
            status = value.reduce(0) { $0 * 10 + Int($1) - 48 }
            bytes.removeAll(keepingCapacity: true)
            ends.removeAll(keepingCapacity: true)
        } else {
            bytes.append(contentsOf: name)
            ends.append(bytes.count)
            bytes.append(contentsOf: value)
            ends.append(bytes.count)
        }
    }

    /// Empties it for the next one. Whoever kept a copy keeps it.
    mutating func clear() {
        status = 0
        bytes.removeAll(keepingCapacity: bytes.capacity <= Limit.keptBytes)
        ends.removeAll(keepingCapacity: ends.capacity <= Limit.keptBytes / 16)
        if !body.isEmpty { body.removeAll(keepingCapacity: body.capacity <= Limit.keptBytes) }
    }

    fileprivate var headers: [HTTP2Header] {
        let starts = [0] + ends
        let text = { String(decoding: bytes[starts[$0]..<ends[$0]], as: UTF8.self) }
        return stride(from: 0, to: ends.count, by: 2).map { HTTP2Header(text($0), text($0 + 1)) }
    }
}

extension HTTP2Response {
    /// The same with its fields as text.
    package init(_ answer: HTTP2Answer) {
        self.init(status: answer.status, headers: answer.headers, body: answer.body)
    }
}
