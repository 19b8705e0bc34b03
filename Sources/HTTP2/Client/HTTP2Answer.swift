internal import Glibc

/// A response as it arrived: fields as bytes, one after the other, so that nobody pays for those
/// that are not read.
package struct HTTP2Answer: Hashable, Sendable {
    package internal(set) var status = 0
    package internal(set) var body: [UInt8] = []
    /// For each field a `Shape`, the name, the value.
    private var fields: [UInt8] = []

    /// How long a name and its value are.
    private struct Shape {
        let name: UInt32
        let value: UInt32
    }

    private enum Limit {
        /// Room that is kept for the next answer; what was larger is given back.
        static let keptBytes = 1_024
    }

    init() {}

    /// An answer that a test or a script makes up.
    package init(status: Int, headers: [HTTP2Header] = [], body: [UInt8] = []) {
        self.status = status
        self.body = body
        for header in headers {
            var (name, value) = (header.name, header.value)
            name.withUTF8 { name in value.withUTF8 { append(name, $0) } }
        }
    }

    /// The first value of a field, by its lower-case name, as text.
    package func value(of name: FieldName) -> String? {
        withFields { field, value in
            name.isSame(as: field) ? String(decoding: value, as: UTF8.self) : nil
        }
    }

    /// Judges the first value of a field where it lies; `nil`: there is none. (Not generic: it
    /// would not be specialised for its callers, and every answer comes here.)
    package func checkValue(
        of name: FieldName, _ isGood: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool? {
        withFields { field, value in name.isSame(as: field) ? isGood(value) : nil }
    }

    /// Takes a response header. Informational responses (1xx) are overwritten by the final one.
    mutating func take(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        guard name.first == UInt8(ascii: ":") else { return append(name, value) }
        guard FieldName.status.isSame(as: name) else { return }
        // nghttp2 has checked that it is three digits.
        status = value.reduce(0) { $0 * 10 + Int($1) - 48 }
        fields.removeAll(keepingCapacity: true)
    }

    /// Empties it for the next one. Whoever kept a copy keeps it.
    mutating func clear() {
        status = 0
        if !fields.isEmpty { Self.empty(&fields) }
        if !body.isEmpty { Self.empty(&body) }
    }

    fileprivate var headers: [HTTP2Header] {
        var headers: [HTTP2Header] = []
        let end: Void? = withFields { name, value in
            headers.append(
                HTTP2Header(
                    String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
            return nil
        }
        precondition(end == nil, "no field ends the walk")
        return headers
    }

    /// Walks over names and values until somebody has a result.
    @inline(__always)
    private func withFields<Result>(
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result?
    ) -> Result? {
        fields.withUnsafeBytes { all in
            var offset = 0
            while offset < all.count {
                let shape = all.loadUnaligned(fromByteOffset: offset, as: Shape.self)
                let name = offset + MemoryLayout<Shape>.size
                let value = name + Int(shape.name)
                offset = value + Int(shape.value)
                let bytes = all.assumingMemoryBound(to: UInt8.self)
                let result = body(
                    UnsafeBufferPointer(rebasing: bytes[name..<value]),
                    UnsafeBufferPointer(rebasing: bytes[value..<offset]))
                if let result { return result }
            }
            return nil
        }
    }

    private mutating func append(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) {
        let shape = Shape(name: UInt32(name.count), value: UInt32(value.count))
        withUnsafeBytes(of: shape) { fields.append(contentsOf: $0) }
        fields.append(contentsOf: name)
        fields.append(contentsOf: value)
    }

    private static func empty(_ bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Limit.keptBytes)
    }
}

extension HTTP2Response {
    /// The same with its fields as text.
    package init(_ answer: HTTP2Answer) {
        self.init(status: answer.status, headers: answer.headers, body: answer.body)
    }
}
