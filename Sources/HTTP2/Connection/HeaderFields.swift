/// Received header fields, as bytes in sequence: an unread field costs no `String`, and
/// thousands of messages are received each second.
package struct HeaderFields: Hashable, Sendable {
    /// For each field a `Shape`, the name and the value.
    private var bytes: [UInt8] = []

    /// The lengths of a name and its value.
    private struct Shape {
        let name: UInt32
        let value: UInt32
    }

    /// The memory kept for the next message; more is released.
    private static let keptBytes = 1_024

    package init() {}

    package init(_ headers: [HTTP2Header]) {
        for header in headers { append(header) }
    }

    /// The fields as text; invalid UTF-8 becomes U+FFFD.
    package var texts: [HTTP2Header] {
        var headers: [HTTP2Header] = []
        let end: Void? = first { name, value in
            headers.append(
                HTTP2Header(
                    String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
            return nil
        }
        precondition(end == nil, "no field ends the walk")
        return headers
    }

    /// Returns the first value of a field as text, by its lower-case name.
    package func value(of name: String) -> String? {
        first { field, value in
            field.elementsEqual(name.utf8) ? String(decoding: value, as: UTF8.self) : nil
        }
    }

    private mutating func append(_ header: HTTP2Header) {
        var (name, value) = (header.name, header.value)
        name.withUTF8 { name in value.withUTF8 { append(name, $0) } }
    }

    package mutating func append(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) {
        let shape = Shape(name: UInt32(name.count), value: UInt32(value.count))
        withUnsafeBytes(of: shape) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: value)
    }

    package mutating func removeAll() {
        if !bytes.isEmpty {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytes)
        }
    }

    /// Iterates over names and values until the body returns a result.
    @inline(__always)
    func first<Result>(
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result?
    ) -> Result? {
        bytes.withUnsafeBytes { all in
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
}
