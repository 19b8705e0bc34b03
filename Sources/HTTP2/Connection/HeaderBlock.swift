package import CNGHTTP2
internal import Glibc

/// Header fields for nghttp2: a buffer of bytes and the fields that point into it, both reused for
/// the next message. Plain memory, because every request writes a head.
package struct HeaderBlock: ~Copyable {
    private enum Limit {
        /// The initial sizes; both grow.
        static let bytes = 1_024
        static let fields = 16
    }

    private var bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Limit.bytes)
    private var byteCount = 0
    private var vectors = UnsafeMutableBufferPointer<nghttp2_nv>.allocate(capacity: Limit.fields)
    private var fieldCount = 0
    /// Whether all names are static.
    private(set) var namesAreFixed = true

    package init() {}

    deinit {
        bytes.deallocate()
        vectors.deallocate()
    }

    /// Empties the block and keeps its memory.
    package mutating func begin() {
        byteCount = 0
        fieldCount = 0
        namesAreFixed = true
    }

    package mutating func add(
        _ name: String, _ value: String, indexing: HTTP2Header.Indexing = .allowed
    ) {
        namesAreFixed = false
        let nameStart = byteCount
        append(name)
        let valueStart = byteCount
        append(value)
        // Last, because the bytes may have moved.
        addField(
            name: start.map { $0 + nameStart }, nameCount: valueStart - nameStart,
            valueFrom: valueStart,
            flags: Self.flags(indexing))
    }

    /// Adds a field. Credentials are never indexed.
    package mutating func add(_ header: HTTP2Header) {
        let isSecret = header.name == "authorization"
        add(header.name, header.value, indexing: isSecret ? .never : header.indexing)
    }

    /// Adds a field with a static name, which nghttp2 reads in place, and a value of one or two
    /// pieces.
    mutating func add(
        _ name: FieldName, _ value: String, _ rest: String = "", indexing: HTTP2Header.Indexing
    ) {
        let valueStart = byteCount
        append(value)
        if !rest.isEmpty { append(rest) }
        addField(name, valueFrom: valueStart, indexing)
    }

    /// Adds a field whose value is written in place, in full.
    mutating func add(
        _ name: FieldName, count: Int, indexing: HTTP2Header.Indexing,
        write: (UnsafeMutableBufferPointer<UInt8>) -> Void
    ) {
        if bytes.count - byteCount < count { makeRoom(for: count) }
        write(UnsafeMutableBufferPointer(rebasing: bytes[byteCount..<byteCount + count]))
        byteCount += count
        addField(name, valueFrom: byteCount - count, indexing)
    }

    mutating func add(_ name: FieldName, _ number: Int64, indexing: HTTP2Header.Indexing) {
        let valueStart = byteCount
        append(number)
        addField(name, valueFrom: valueStart, indexing)
    }

    /// Checks the last value in place.
    func lastValue(passes rule: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        guard fieldCount > 0 else { return true }
        let last = vectors[fieldCount - 1]
        return rule(UnsafeBufferPointer(start: last.value, count: last.valuelen))
    }

    /// Checks all added bytes, including names that are not static.
    func bytesPass(_ rule: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        rule(UnsafeBufferPointer(rebasing: bytes[..<byteCount]))
    }

    /// Passes the fields to `body`, valid during the call; nghttp2 copies what it needs.
    package func withFields<Result>(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result) -> Result {
        body(vectors.baseAddress, fieldCount)
    }

    /// The fields as text.
    var texts: [HTTP2Header] {
        vectors[..<fieldCount].map { vector in
            let name = UnsafeBufferPointer(start: vector.name, count: vector.namelen)
            let value = UnsafeBufferPointer(start: vector.value, count: vector.valuelen)
            let isSecret = vector.flags & UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) != 0
            return HTTP2Header(
                String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self),
                indexing: isSecret ? .never : .allowed)
        }
    }
}

// MARK: - Memory

extension HeaderBlock {
    private var start: UnsafeMutablePointer<UInt8>? { bytes.baseAddress }

    private mutating func append(_ text: String) {
        // Nearly all texts are contiguous and are read without reference counting.
        let done: Void? = text.utf8.withContiguousStorageIfAvailable { append($0) }
        guard done == nil else { return }
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Appends a decimal number, written from its last digit at the end of the space it may need.
    private mutating func append(_ number: Int64) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { room in
            var start = room.count
            var rest = number.magnitude
            repeat {
                start -= 1
                room[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 {
                start -= 1
                room[start] = UInt8(ascii: "-")
            }
            append(UnsafeBufferPointer(rebasing: room[start...]))
        }
    }

    private mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
        if bytes.count - byteCount < piece.count { makeRoom(for: piece.count) }
        guard let room = bytes.baseAddress, let source = piece.baseAddress else { return }
        memcpy(room + byteCount, source, piece.count)
        byteCount += piece.count
    }

    /// Moves the bytes to a larger buffer and updates the fields' pointers.
    private mutating func makeRoom(for count: Int) {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(
            capacity: max(2 * bytes.count, byteCount + count))
        _ = larger.update(fromContentsOf: bytes[..<byteCount])
        for index in 0..<fieldCount {
            vectors[index].value = moved(vectors[index].value, to: larger)
            if vectors[index].flags & Self.staticName == 0 {
                vectors[index].name = moved(vectors[index].name, to: larger)
            }
        }
        bytes.deallocate()
        bytes = larger
    }

    private func moved(
        _ pointer: UnsafeMutablePointer<UInt8>?, to larger: UnsafeMutableBufferPointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8>? {
        guard let pointer, let from = bytes.baseAddress, let to = larger.baseAddress else {
            return nil
        }
        return to + (pointer - from)
    }

    private mutating func addField(
        _ name: FieldName, valueFrom valueStart: Int, _ indexing: HTTP2Header.Indexing
    ) {
        addField(
            name: UnsafeMutablePointer(mutating: name.text.utf8Start),
            nameCount: name.text.utf8CodeUnitCount, valueFrom: valueStart,
            flags: Self.flags(indexing) | Self.staticName)
    }

    private mutating func addField(
        name: UnsafeMutablePointer<UInt8>?, nameCount: Int, valueFrom valueStart: Int, flags: UInt8
    ) {
        if fieldCount == vectors.count {
            let more = UnsafeMutableBufferPointer<nghttp2_nv>.allocate(capacity: 2 * fieldCount)
            _ = more.update(fromContentsOf: vectors)
            vectors.deallocate()
            vectors = more
        }
        vectors[fieldCount] = nghttp2_nv(
            name: name, value: start.map { $0 + valueStart }, namelen: nameCount,
            valuelen: byteCount - valueStart, flags: flags)
        fieldCount += 1
    }

    private static let staticName = UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue)

    private static func flags(_ indexing: HTTP2Header.Indexing) -> UInt8 {
        switch indexing {
        case .allowed: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)
        case .never: UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue)
        }
    }
}
