/// Reads one JSON text. Every method returns `nil` where the text breaks the grammar.
struct JSONParser {
    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    /// Deeper texts are refused: they would cost stack.
    private static let depthMax = 64

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// One value and nothing after it.
    mutating func document() -> JSONValue? {
        guard let value = value() else { return nil }
        skipSpace()
        return index == bytes.count ? value : nil
    }

    private mutating func value() -> JSONValue? {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return nested { $0.object() }
        case UInt8(ascii: "["): return nested { $0.array() }
        case UInt8(ascii: "\""): return string().map { .text($0) }
        case UInt8(ascii: "t"): return word("true", .truth(true))
        case UInt8(ascii: "f"): return word("false", .truth(false))
        case UInt8(ascii: "n"): return word("null", .null)
        default: return number()
        }
    }

    private mutating func nested(_ read: (inout Self) -> JSONValue?) -> JSONValue? {
        guard depth < Self.depthMax else { return nil }
        depth += 1
        defer { depth -= 1 }
        index += 1
        return read(&self)
    }

    private mutating func object() -> JSONValue? {
        var fields: [JSONValue.Field] = []
        if take("}") { return .object(fields) }
        repeat {
            skipSpace()
            guard let name = string(), take(":"), let value = value() else { return nil }
            fields.append(JSONValue.Field(name: name, value: value))
        } while take(",")
        return take("}") ? .object(fields) : nil
    }

    private mutating func array() -> JSONValue? {
        var elements: [JSONValue] = []
        if take("]") { return .array(elements) }
        repeat {
            guard let value = value() else { return nil }
            elements.append(value)
        } while take(",")
        return take("]") ? .array(elements) : nil
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) -> JSONValue? {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count,
            bytes[index..<end].elementsEqual(
                UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        else { return nil }
        index = end
        return value
    }

    // MARK: Numbers

    private mutating func number() -> JSONValue? {
        let start = index
        var isWhole = true
        if peek == UInt8(ascii: "-") { index += 1 }
        if peek == UInt8(ascii: "0") { index += 1 } else if digits() == 0 { return nil }
        if peek == UInt8(ascii: ".") {
            isWhole = false
            index += 1
            guard digits() > 0 else { return nil }
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            isWhole = false
            index += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
            guard digits() > 0 else { return nil }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWhole, let number = Int64(text) { return .integer(number) }
        return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
    }

    private mutating func digits() -> Int {
        let start = index
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            index += 1
        }
        return index - start
    }

    // MARK: Strings

    private mutating func string() -> String? {
        guard peek == UInt8(ascii: "\"") else { return nil }
        index += 1
        let start = index
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                defer { index += 1 }
                return String(validating: bytes[start..<index], as: UTF8.self)
            case UInt8(ascii: "\\"): return escapedString(from: start)
            case 0..<0x20: return nil
            default: index += 1
            }
        }
        return nil
    }

    /// The slow way, from the first backslash on.
    private mutating func escapedString(from start: Int) -> String? {
        var decoded = Array(bytes[start..<index])
        while let byte = peek {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: decoded, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                decoded.append(contentsOf: Character(scalar).utf8)
            case 0..<0x20: return nil
            default: decoded.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard let byte = peek else { return nil }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return codePoint()
        default: return nil
        }
    }

    /// Four hex digits, or two such groups for what lies beyond the basic plane.
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

    /// Steps over spaces and this character, if it comes next.
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
