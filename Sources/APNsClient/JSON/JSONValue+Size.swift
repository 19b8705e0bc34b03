extension JSONValue {
    /// How many bytes its JSON takes without spaces and avoidable escapes, which is how an encoder
    /// writes it, however it stood in its text.
    package var byteCount: Int {
        switch self {
        case .null: 4
        case .truth(let truth): truth ? 4 : 5
        case .integer(let number): number.description.utf8.count
        case .number(let number): number.description.utf8.count
        case .text(let text): Self.quotedCount(text)
        case .array(let elements):
            elements.reduce(Self.frameCount(elements.count)) { $0 + $1.byteCount }
        case .object(let fields):
            fields.reduce(Self.frameCount(fields.count)) {
                $0 + Self.quotedCount($1.name) + 1 + $1.value.byteCount
            }
        }
    }

    /// Both brackets, and the commas in between.
    private static func frameCount(_ count: Int) -> Int { 1 + max(1, count) }

    /// A text between its quotes. Control characters are escaped in two bytes or in six.
    private static func quotedCount(_ text: String) -> Int {
        text.utf8.reduce(2) { count, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: count + 2
            case 0..<0x20: count + 6
            default: count + 1
            }
        }
    }
}
