/// A JSON value as a payload holds it: strict (RFC 8259), with the keys of an object in their order
/// and as often as they came, which a dictionary would hide.
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
    }

    /// Throws where the bytes are not exactly one JSON value.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        var parser = JSONParser(bytes)
        self = try parser.document()
    }

    /// `nil` when the bytes are not exactly one JSON value.
    package init?(_ bytes: [UInt8]) {
        do { self = try JSONValue(parsing: bytes) } catch { return nil }
    }

    /// An object's value by its key; of a key that comes twice the last one, as Apple's parsers do.
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
