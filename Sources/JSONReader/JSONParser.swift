/// Parses one JSON text and reports the byte at which it stops being valid.
struct JSONParser {
    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    /// Rejects deeper nesting, which would exhaust the stack.
    private static let depthMax = 64

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Parses one value with nothing after it.
    mutating func document() throws(JSONError) -> JSONValue {
        let value = try value()
        skipSpace()
        guard index == bytes.count else { throw error("the end, as the value is complete") }
        return value
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"):
            return try nested { (parser) throws(JSONError) in try parser.object() }
        case UInt8(ascii: "["):
            return try nested { (parser) throws(JSONError) in try parser.array() }
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .truth(true))
        case UInt8(ascii: "f"): return try word("false", .truth(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"): return try number()
        case let byte? where Self.isDigit(byte): return try number()
        default: throw error("a value")
        }
    }

    private mutating func nested(
        _ read: (inout Self) throws(JSONError) -> JSONValue
    ) throws(JSONError) -> JSONValue {
        guard depth < Self.depthMax else { throw error("no more than \(Self.depthMax) levels") }
        depth += 1
        index += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func object() throws(JSONError) -> JSONValue {
        var fields: [JSONValue.Field] = []
        if take("}") { return .object(fields) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw error("a key in quotation marks") }
            let name = try string()
            guard take(":") else { throw error("a colon") }
            fields.append(JSONValue.Field(name: name, value: try value()))
        } while take(",")
        guard take("}") else { throw error("a comma or }") }
        return .object(fields)
    }

    private mutating func array() throws(JSONError) -> JSONValue {
        var elements: [JSONValue] = []
        if take("]") { return .array(elements) }
        repeat { elements.append(try value()) } while take(",")
        guard take("]") else { throw error("a comma or ]") }
        return .array(elements)
    }

    private mutating func word(
        _ word: StaticString, _ value: JSONValue
    ) throws(JSONError) -> JSONValue {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count,
            bytes[index..<end].elementsEqual(
                UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        else { throw error("true, false or null") }
        index = end
        return value
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = index
        var isWhole = true
        if peek == UInt8(ascii: "-") { index += 1 }
        if peek == UInt8(ascii: "0") { index += 1 } else { try digits() }
        if peek == UInt8(ascii: ".") {
            isWhole = false
            index += 1
            try digits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            isWhole = false
            index += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWhole, let number = Int64(text) { return .integer(number) }
        guard let number = Double(text), number.isFinite else {
            throw error("a number of fewer digits", at: start)
        }
        return .number(number)
    }

    private mutating func digits() throws(JSONError) {
        let start = index
        while let byte = peek, Self.isDigit(byte) { index += 1 }
        guard index > start else { throw error("a digit") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    // MARK: Strings

    /// Parses a string; the next byte must be its opening quotation mark.
    private mutating func string() throws(JSONError) -> String {
        index += 1
        let start = index
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                let text = try text(of: bytes[start..<index], from: start)
                index += 1
                return text
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<0x20: throw error("an escape instead of a control character")
            default: index += 1
            }
        }
        throw error("the end of the text that begins at byte \(start - 1)")
    }

    /// Parses the rest of a string from its first backslash: the slow path.
    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var decoded = Array(bytes[start..<index])
        while let byte = peek {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(of: decoded[...], from: start)
            case UInt8(ascii: "\\"):
                let scalar = try escape()
                decoded.append(contentsOf: Character(scalar).utf8)
            case 0..<0x20: throw error("an escape instead of a control character", at: index - 1)
            default: decoded.append(byte)
            }
        }
        throw error("the end of the text that begins at byte \(start - 1)")
    }

    private func text(of utf8: ArraySlice<UInt8>, from start: Int) throws(JSONError) -> String {
        guard let text = String(validating: utf8, as: UTF8.self) else {
            throw error("text in UTF-8", at: start)
        }
        return text
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let start = index - 1
        guard let byte = peek else { throw error("an escape") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let scalar = codePoint() else {
                throw error("a character's code in hex digits", at: start)
            }
            return scalar
        default: throw error("an escape that JSON knows", at: start)
        }
    }

    /// Parses four hex digits, or two such groups for a character beyond the basic plane.
    private mutating func codePoint() -> Unicode.Scalar? {
        guard let high = hex4() else { return nil }
        guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) }
        guard peek == UInt8(ascii: "\\") else { return nil }
        index += 1
        guard peek == UInt8(ascii: "u") else { return nil }
        index += 1
        guard let low = hex4(), (0xDC00..<0xE000).contains(low) else { return nil }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    private mutating func hex4() -> UInt32? {
        guard index + 4 <= bytes.count else { return nil }
        var number: UInt32 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            number = number << 4 | UInt32(digit)
        }
        index += 4
        return number
    }

    // MARK: Bytes

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func error(_ expected: String, at offset: Int? = nil) -> JSONError {
        JSONError(offset: offset ?? index, expected: expected)
    }

    /// Skips spaces and this character, if it comes next.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard peek == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            index += 1
        }
    }
}
