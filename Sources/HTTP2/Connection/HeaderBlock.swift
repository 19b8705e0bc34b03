internal import CNGHTTP2

/// Header fields on their way to nghttp2: one buffer of bytes, one array of fields, both used
/// again for the next message. nghttp2 copies what it is given.
struct HeaderBlock {
    private struct Field {
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
        bytes.append(contentsOf: name.utf8)
        let valueStart = bytes.count
        bytes.append(contentsOf: value.utf8)
        fields.append(
            Field(
                nameStart: nameStart, valueStart: valueStart, valueEnd: bytes.count,
                indexing: indexing))
    }

    /// Credentials are never indexed, whatever the caller says.
    mutating func add(_ header: HTTP2Header) {
        let isSecret = header.name == "authorization"
        add(header.name, header.value, indexing: isSecret ? .never : header.indexing)
    }

    /// Hands the fields over; pointers are valid during the call only.
    mutating func withFields<Result>(
        _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result
    ) -> Result {
        bytes.withUnsafeMutableBufferPointer { buffer in
            for field in fields {
                let flag =
                    switch field.indexing {
                    case .allowed: NGHTTP2_NV_FLAG_NONE
                    case .never: NGHTTP2_NV_FLAG_NO_INDEX
                    }
                vectors.append(
                    nghttp2_nv(
                        name: buffer.baseAddress.map { $0 + field.nameStart },
                        value: buffer.baseAddress.map { $0 + field.valueStart },
                        namelen: field.valueStart - field.nameStart,
                        valuelen: field.valueEnd - field.valueStart, flags: UInt8(flag.rawValue)))
            }
            return vectors.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
        }
    }
}
