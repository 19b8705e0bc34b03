internal import Glibc

/// A response. Its fields stay bytes in sequence, as received, so that the client reads thousands
/// of them without a `String` each.
package struct HTTP2Response: Hashable, Sendable {
    package internal(set) var status = 0
    package internal(set) var body: [UInt8] = []
    /// For each field a `Shape`, the name and the value.
    private var fields: [UInt8] = []

    /// The lengths of a name and its value.
    private struct Shape {
        let name: UInt32
        let value: UInt32
    }

    private enum Limit {
        /// The memory kept for the next response; more is released.
        static let keptBytes = 1_024
    }

    init() {}

    /// Creates a response for a server or a test.
    package init(status: Int, headers: [HTTP2Header] = [], body: [UInt8] = []) {
        self.status = status
        self.body = body
        for header in headers {
            var (name, value) = (header.name, header.value)
            name.withUTF8 { name in value.withUTF8 { append(name, $0) } }
        }
    }

    /// Returns the first value of a field, by its lower-case name.
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// Returns the first value of a field as text, by a name known at compile time.
    package func value(of name: FieldName) -> String? {
        withFields { field, value in
            name.isSame(as: field) ? String(decoding: value, as: UTF8.self) : nil
        }
    }

    /// Checks the first value of a field in place; `nil`: it is absent. (Not generic: it would not
    /// be specialised for its callers, and every response uses it.)
    package func checkValue(
        of name: FieldName, _ isGood: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool? {
        withFields { field, value in name.isSame(as: field) ? isGood(value) : nil }
    }

    /// Adds a response header. The final response overwrites informational ones (1xx).
    mutating func take(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        guard name.first == UInt8(ascii: ":") else { return append(name, value) }
        guard FieldName.status.isSame(as: name) else { return }
        // nghttp2 has verified the three digits.
        status = value.reduce(0) { $0 * 10 + Int($1) - 48 }
        fields.removeAll(keepingCapacity: true)
    }

    /// Empties it for the next response. Copies are unaffected.
    mutating func clear() {
        status = 0
        if !fields.isEmpty { Self.empty(&fields) }
        if !body.isEmpty { Self.empty(&body) }
    }

    /// The fields as text. How the peer had them indexed is not kept.
    package var headers: [HTTP2Header] {
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

    /// Iterates over names and values until the body returns a result.
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
