internal import APNsClient

/// Scans one JSON text (RFC 8259) without storing it; the caller chooses the values of interest.
/// Accepts exactly the texts that `JSONValue` accepts.
///
/// The bytes must outlive the scan.
struct JSONScan {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0
    private var depth = 0
    /// Whether bytes above 127 occurred. The end of the scan checks whether they are UTF-8.
    private var hasForeignBytes = false

    /// Rejects deeper nesting, as `JSONValue` does.
    private static let depthMax = 64

    /// A violation of the grammar.
    struct Broken: Error {}

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Scans one value, which `read` must skip, with nothing after it.
    mutating func document(_ read: (inout Self) throws(Broken) -> Void) throws(Broken) {
        skipSpace()
        try read(&self)
        skipSpace()
        guard index == bytes.count, !hasForeignBytes || isUTF8 else { throw Broken() }
    }

    // MARK: Structure

    /// The first character of a value.
    enum Start {
        case object, array, string, word, number
    }

    @inline(__always)
    var start: Start {
        switch peek {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): .word
        default: .number
        }
    }

    /// Skips an object; `member` must skip each value.
    mutating func object(
        _ member: (inout Self, Text) throws(Broken) -> Void
    ) throws(Broken) {
        try goDown()
        if !take(UInt8(ascii: "}")) {
            repeat {
                skipSpace()
                let name = try string()
                guard take(UInt8(ascii: ":")) else { throw Broken() }
                skipSpace()
                try member(&self, name)
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else { throw Broken() }
        }
        depth -= 1
    }

    /// Skips any value.
    mutating func skip() throws(Broken) {
        switch start {
        case .object: try object { (scan, _) throws(Broken) in try scan.skip() }
        case .array: try skipArray()
        case .string: _ = try string()
        case .word: try skipWord()
        case .number: _ = try number()
        }
    }

    private mutating func skipArray() throws(Broken) {
        try goDown()
        if !take(UInt8(ascii: "]")) {
            repeat {
                skipSpace()
                try skip()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "]")) else { throw Broken() }
        }
        depth -= 1
    }

    private mutating func skipWord() throws(Broken) {
        for word in ["true", "false", "null"] as [StaticString] {
            let end = index + word.utf8CodeUnitCount
            guard end <= bytes.count, Text(index..<end).reads(word, in: bytes) else { continue }
            index = end
            return
        }
        throw Broken()
    }

    private mutating func goDown() throws(Broken) {
        guard depth < Self.depthMax else { throw Broken() }
        depth += 1
        index += 1
    }

    // MARK: Strings

    /// A string's range between its quotes.
    struct Text {
        private let range: Range<Int>
        /// The text with resolved escapes, if it has any.
        private let decoded: [UInt8]?

        init(_ range: Range<Int>, decoded: [UInt8]? = nil) {
            self.range = range
            self.decoded = decoded
        }

        func reads(_ text: StaticString, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            reads(
                UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount),
                in: bytes)
        }

        func reads(
            _ text: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>
        ) -> Bool {
            if let decoded { return decoded.elementsEqual(text) }
            return range.count == text.count && bytes.part(range).isSame(as: text)
        }
    }

    /// Skips a string.
    mutating func string() throws(Broken) -> Text {
        guard peek == UInt8(ascii: "\"") else { throw Broken() }
        index += 1
        let start = index
        skipPlain()
        switch peek {
        case UInt8(ascii: "\""):
            index += 1
            return Text(start..<index - 1)
        case UInt8(ascii: "\\"):
            return try escapedString(from: start)
        default:
            throw Broken()
        }
    }

    /// Skips to the next quote, backslash or control character, eight bytes at a time.
    private mutating func skipPlain() {
        while index + 8 <= bytes.count {
            let word = bytes.word(at: index)
            let special =
                Octets.zeros(word ^ Octets.all(UInt8(ascii: "\"")))
                | Octets.zeros(word ^ Octets.all(UInt8(ascii: "\\")))
                | (word &- Octets.all(0x20)) & ~word & Octets.highBits
            // Only the first of several marks is reliable.
            let plain = special.trailingZeroBitCount / 8
            let passed = plain == 8 ? word : word & (1 << UInt64(plain * 8) &- 1)
            if passed & Octets.highBits != 0 { hasForeignBytes = true }
            index += plain
            if plain < 8 { return }
        }
        while let byte = peek, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\")
        {
            if byte > 0x7F { hasForeignBytes = true }
            index += 1
        }
    }

    /// Parses a string with escapes: the slow path, because they are rare.
    private mutating func escapedString(from start: Int) throws(Broken) -> Text {
        while let byte = peek, byte != UInt8(ascii: "\"") {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < bytes.count, let text = JSONValue(Array(bytes[start - 1...index]))?.text
        else { throw Broken() }
        index += 1
        return Text(start..<index - 1, decoded: Array(text.utf8))
    }

    private var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

    // MARK: Bytes

    @inline(__always)
    var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Skips spaces and this character, if it comes next.
    @inline(__always)
    private mutating func take(_ character: UInt8) -> Bool {
        skipSpace()
        guard peek == character else { return false }
        index += 1
        return true
    }

    @inline(__always)
    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            index += 1
        }
    }
}
