/// A piece of Swift source, with the lines that it stands on.
struct Token: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// An identifier, a keyword or a number.
        case word
        /// One character that is none of the others.
        case symbol
        /// A whole literal, interpolations included.
        case string
        case comment
    }

    let kind: Kind
    let text: String
    /// Counted from 1.
    let line: Int
    let lastLine: Int

    /// Whether this is exactly that word or symbol, outside strings and comments.
    func isCode(_ text: String) -> Bool {
        (kind == .word || kind == .symbol) && self.text == text
    }
}

/// Cuts Swift source into tokens: good enough to find braces and words outside strings and
/// comments. It knows nested comments, raw and multi-line strings, and interpolations.
struct Lexer {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var tokens: [Token] = []

    private init(_ text: String) { bytes = Array(text.utf8) }

    static func tokens(of text: String) -> [Token] {
        var lexer = Lexer(text)
        while lexer.position < lexer.bytes.count { lexer.takeOne() }
        return lexer.tokens
    }

    private mutating func takeOne() {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\n") {
            line += 1
            position += 1
        } else if byte <= 0x20 {
            position += 1
        } else if starts(with: "//") {
            add(.comment, upTo: index(ofNewlineFrom: position))
        } else if starts(with: "/*") {
            add(.comment, upTo: endOfComment(from: position))
        } else if let end = endOfString(from: position) {
            add(.string, upTo: end)
        } else if Self.isWordByte(byte) {
            add(.word, upTo: bytes[position...].firstIndex { !Self.isWordByte($0) } ?? bytes.count)
        } else {
            add(.symbol, upTo: position + 1)
        }
    }

    private mutating func add(_ kind: Token.Kind, upTo end: Int) {
        let piece = bytes[position..<end]
        let lastLine = line + piece.count { $0 == UInt8(ascii: "\n") }
        let text = String(decoding: piece, as: UTF8.self)
        tokens.append(Token(kind: kind, text: text, line: line, lastLine: lastLine))
        line = lastLine
        position = end
    }

    private func starts(with text: StaticString, at index: Int? = nil) -> Bool {
        let start = index ?? position
        let length = text.utf8CodeUnitCount
        guard start + length <= bytes.count else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(bytes[start..<start + length]) }
    }

    private func index(ofNewlineFrom start: Int) -> Int {
        bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    }

    private func endOfComment(from start: Int) -> Int {
        var depth = 0
        var index = start
        while index < bytes.count {
            if starts(with: "/*", at: index) {
                depth += 1
                index += 2
            } else if starts(with: "*/", at: index) {
                depth -= 1
                index += 2
                if depth == 0 { return index }
            } else {
                index += 1
            }
        }
        return bytes.count
    }

    /// Where the literal that begins here ends; `nil` when none begins here.
    private func endOfString(from start: Int) -> Int? {
        let quote = UInt8(ascii: "\"")
        let hashes = bytes[start...].prefix { $0 == UInt8(ascii: "#") }.count
        var index = start + hashes
        guard index < bytes.count, bytes[index] == quote else { return nil }
        let quotes = starts(with: "\"\"\"", at: index) ? 3 : 1
        let closing = Array(repeating: quote, count: quotes) + repeatElement(35, count: hashes)
        let escape: [UInt8] = [UInt8(ascii: "\\")] + repeatElement(35, count: hashes)
        index += quotes
        while index < bytes.count {
            if bytes[index...].starts(with: closing) { return index + closing.count }
            if bytes[index...].starts(with: escape) {
                index = endOfEscape(from: index + escape.count)
            } else if quotes == 1, bytes[index] == UInt8(ascii: "\n") {
                return index
            } else {
                index += 1
            }
        }
        return bytes.count
    }

    /// Behind the escaped character, or behind a whole interpolation.
    private func endOfEscape(from start: Int) -> Int {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "(") else { return start + 1 }
        var depth = 0
        var index = start
        while index < bytes.count {
            if let end = endOfString(from: index) {
                index = end
                continue
            }
            if bytes[index] == UInt8(ascii: "(") { depth += 1 }
            if bytes[index] == UInt8(ascii: ")") { depth -= 1 }
            index += 1
            if depth == 0 { return index }
        }
        return bytes.count
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
