internal import CNGHTTP2

/// Header fields on their way to nghttp2: one buffer of bytes, one array of fields, both used
/// again for the next message. nghttp2 copies what it is given, but for the names that lie in the
/// program.
struct HeaderBlock {
    private struct Field {
        /// `nil`: the name is in the buffer, before the value.
        let name: StaticString?
        let nameStart: Int
        let valueStart: Int
        let valueEnd: Int
        let indexing: HTTP2Header.Indexing
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []
    private var vectors: [nghttp2_nv] = []

    /// Empties the block and keeps its room.
    mutating func begin() {
        bytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        vectors.removeAll(keepingCapacity: true)
    }

    mutating func add(_ name: String, _ value: String, indexing: HTTP2Header.Indexing = .allowed) {
        let nameStart = bytes.count
        bytes.append(utf8Of: name)
        let valueStart = bytes.count
        bytes.append(utf8Of: value)
        addField(nil, nameStart: nameStart, valueStart: valueStart, indexing: indexing)
    }

    /// Credentials are never indexed, whatever the caller says.
    mutating func add(_ header: HTTP2Header) {
        let isSecret = header.name == "authorization"
        add(header.name, header.value, indexing: isSecret ? .never : header.indexing)
    }

    /// Adds a field whose value comes in one piece or two.
    mutating func add(
        _ name: FieldName, _ value: String, _ rest: String = "", indexing: HTTP2Header.Indexing
    ) {
        let start = bytes.count
        bytes.append(utf8Of: value)
        if !rest.isEmpty { bytes.append(utf8Of: rest) }
        addField(name.text, nameStart: start, valueStart: start, indexing: indexing)
    }

    mutating func add(_ name: FieldName, _ number: Int64, indexing: HTTP2Header.Indexing) {
        let start = bytes.count
        bytes.append(utf8Of: number.description)
        addField(name.text, nameStart: start, valueStart: start, indexing: indexing)
    }

    /// Checks the value that was added last, where it lies.
    func lastValue(passes check: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        guard let last = fields.last else { return true }
        return bytes.withUnsafeBufferPointer {
            check(UnsafeBufferPointer(rebasing: $0[last.valueStart..<last.valueEnd]))
        }
    }

    /// Hands the fields over; pointers are valid during the call only.
    mutating func withFields<Result>(
        _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result
    ) -> Result {
        bytes.withUnsafeMutableBufferPointer { buffer in
            for field in fields { vectors.append(Self.vector(field, in: buffer)) }
            return vectors.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
        }
    }

    /// The fields as text.
    var texts: [HTTP2Header] {
        fields.map { field in
            let name =
                field.name.map { "\($0)" }
                ?? String(decoding: bytes[field.nameStart..<field.valueStart], as: UTF8.self)
            let value = String(decoding: bytes[field.valueStart..<field.valueEnd], as: UTF8.self)
            return HTTP2Header(name, value, indexing: field.indexing)
        }
    }

    private mutating func addField(
        _ name: StaticString?, nameStart: Int, valueStart: Int, indexing: HTTP2Header.Indexing
    ) {
        fields.append(
            Field(
                name: name, nameStart: nameStart, valueStart: valueStart, valueEnd: bytes.count,
                indexing: indexing))
    }

    private static func vector(
        _ field: Field, in buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> nghttp2_nv {
        var flags =
            switch field.indexing {
            case .allowed: NGHTTP2_NV_FLAG_NONE.rawValue
            case .never: NGHTTP2_NV_FLAG_NO_INDEX.rawValue
            }
        var name = buffer.baseAddress.map { $0 + field.nameStart }
        var nameCount = field.valueStart - field.nameStart
        if let fixed = field.name {
            flags |= NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue
            name = UnsafeMutablePointer(mutating: fixed.utf8Start)
            nameCount = fixed.utf8CodeUnitCount
        }
        return nghttp2_nv(
            name: name, value: buffer.baseAddress.map { $0 + field.valueStart },
            namelen: nameCount, valuelen: field.valueEnd - field.valueStart, flags: UInt8(flags))
    }
}

extension [UInt8] {
    /// Appends a text's bytes as one block where they lie in one, which is nearly always.
    fileprivate mutating func append(utf8Of text: String) {
        let done: Void? = text.utf8.withContiguousStorageIfAvailable { append(contentsOf: $0) }
        if done == nil { append(contentsOf: text.utf8) }
    }
}
