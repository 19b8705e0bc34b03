/// A JSON value, strict (RFC 8259). An object keeps its keys in order with duplicates, which a
/// dictionary would hide.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case truth(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([Field])

    /// A key with its value, in the order of the text.
    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Parses the bytes; throws unless they are exactly one JSON value.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        var parser = JSONParser(bytes)
        self = try parser.document()
    }

    /// Parses the bytes; `nil` unless they are exactly one JSON value.
    package init?(_ bytes: [UInt8]) {
        do { self = try JSONValue(parsing: bytes) } catch { return nil }
    }

    /// An object's value by its key; of duplicates the last one, as in Apple's parsers.
    package subscript(_ name: String) -> JSONValue? {
        guard case .object(let fields) = self else { return nil }
        return fields.last { $0.name == name }?.value
    }

    package var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    package var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .number(let number): Int64(exactly: number)
        case .null, .truth, .text, .array, .object: nil
        }
    }

    package var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .null, .truth, .text, .array, .object: nil
        }
    }

    package var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    package var fields: [Field]? {
        guard case .object(let fields) = self else { return nil }
        return fields
    }
}

extension JSONValue {
    /// The size of its compact JSON as an encoder would write it, in bytes, regardless of its
    /// original form.
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

    /// Returns the size of the brackets and the commas.
    private static func frameCount(_ count: Int) -> Int { 1 + max(1, count) }

    /// Returns the size of a text with its quotes. Escaped control characters take two or six
    /// bytes.
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
