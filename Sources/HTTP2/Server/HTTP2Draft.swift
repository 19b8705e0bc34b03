internal import CNGHTTP2

/// A response of headers only, which a handler writes in place without allocation.
package struct HTTP2Draft: ~Copyable {
    private enum Limit {
        static let bytes = 1_024
        static let fields = 8
    }

    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let vectors: UnsafeMutableBufferPointer<nghttp2_nv>
    private var byteCount = 0
    private var fieldCount = 0

    package init() {
        bytes = .allocate(capacity: Limit.bytes)
        vectors = .allocate(capacity: Limit.fields)
    }

    deinit {
        bytes.deallocate()
        vectors.deallocate()
    }

    /// Begins a response and discards a previous one. The status has three digits.
    package mutating func begin(status: StaticString) {
        (byteCount, fieldCount) = (0, 0)
        vectors.initializeElement(
            at: 0,
            to: nghttp2_nv(
                name: Self.mutable(":status"), value: Self.mutable(status), namelen: 7,
                valuelen: status.utf8CodeUnitCount,
                flags: Self.staticName | UInt8(NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue)))
        fieldCount = 1
    }

    /// Adds a non-indexed field of this size, which `write` fills in.
    package mutating func add(
        _ name: StaticString, count: Int, write: (UnsafeMutableBufferPointer<UInt8>) -> Void
    ) {
        precondition(
            fieldCount < Limit.fields && byteCount + count <= Limit.bytes,
            "an answer has room for \(Limit.fields) fields and \(Limit.bytes) bytes")
        let value = UnsafeMutableBufferPointer(rebasing: bytes[byteCount..<byteCount + count])
        write(value)
        vectors.initializeElement(
            at: fieldCount,
            to: nghttp2_nv(
                name: Self.mutable(name), value: value.baseAddress,
                namelen: name.utf8CodeUnitCount, valuelen: count,
                flags: Self.staticName | Self.neverIndexed))
        byteCount += count
        fieldCount += 1
    }

    /// A copy of the response.
    package var response: HTTP2Response {
        let headers = fields.map { field in
            HTTP2Header(
                Self.text(field.name, field.namelen), Self.text(field.value, field.valuelen),
                indexing: field.flags & Self.neverIndexed == 0 ? .allowed : .never)
        }
        return HTTP2Response(
            status: headers.first.flatMap { Int($0.value) } ?? 0,
            headers: Array(headers.dropFirst()))
    }

    private static func text(_ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int) -> String {
        String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The fields for nghttp2, which copies all that is not static.
    var fields: UnsafeBufferPointer<nghttp2_nv> {
        UnsafeBufferPointer(rebasing: vectors[..<fieldCount])
    }

    private static let staticName = UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue)
    private static let neverIndexed = UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue)

    /// Returns a mutable pointer, as nghttp2 requires; nghttp2 never writes to it.
    private static func mutable(_ text: StaticString) -> UnsafeMutablePointer<UInt8> {
        UnsafeMutablePointer(mutating: text.utf8Start)
    }
}
