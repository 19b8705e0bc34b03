/// A request's headers: bytes, with the positions of names and values.
///
/// A request has a handful of headers and its handler reads one or two, so a lookup scans the list,
/// and only the value that it finds becomes a string.
package struct Headers: Sendable {
    private let bytes: [UInt8]
    private let fields: [HeadField]

    init(bytes: [UInt8], fields: [HeadField]) {
        self.bytes = bytes
        self.fields = fields
    }

    init(_ headers: [String: String]) {
        var bytes: [UInt8] = []
        fields = headers.map { name, value in
            var field = HeadField()
            field.nameStart = UInt32(bytes.count)
            bytes.append(contentsOf: name.utf8)
            field.nameCount = UInt32(bytes.count) - field.nameStart
            field.valueStart = UInt32(bytes.count)
            bytes.append(contentsOf: value.utf8)
            field.valueCount = UInt32(bytes.count) - field.valueStart
            return field
        }
        self.bytes = bytes
    }

    /// The value of the header with this lower-case name. Repeated headers are joined with commas.
    package subscript(_ name: String) -> String? {
        var name = name
        return name.withUTF8 { name in
            bytes.withUnsafeBytes { bytes in
                var found: String?
                for field in fields where Int(field.nameCount) == name.count {
                    guard
                        Self.bytes(bytes, field.nameStart, field.nameCount).equals(anyCaseOf: name)
                    else { continue }
                    let value = Self.bytes(bytes, field.valueStart, field.valueCount).text
                    found = found.map { $0 + ", " + value } ?? value
                }
                return found
            }
        }
    }

    /// Calls `body` with each header, unchanged and in order.
    func forEach(_ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void) {
        for field in fields {
            let (name, value) = (Int(field.nameStart), Int(field.valueStart))
            body(
                bytes[name..<name + Int(field.nameCount)],
                bytes[value..<value + Int(field.valueCount)])
        }
    }

    private static func bytes(
        _ bytes: UnsafeRawBufferPointer, _ start: UInt32, _ count: UInt32
    ) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[Int(start)..<Int(start) + Int(count)])
    }
}
