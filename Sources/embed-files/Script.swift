/// A script without what only people need: comments and the spaces that separate nothing.
///
/// Lines keep their numbers, and names stay as they are, so that an error still says where it
/// happened. Literals are not changed. No literal continues on another line (a rule of TidyTests).
struct Script {
    private let source: [Character]
    private var position = 0
    private var result = ""
    /// The braces that are open in each `${…}` around the position.
    private var holes: [Int] = []

    private init(_ text: String) { source = Array(text) }

    static func plain(_ text: String) -> String {
        var script = Script(text)
        while let next = script.next { script.take(next) }
        return script.result
    }

    private var next: Character? { position < source.count ? source[position] : nil }

    private func starts(with text: String) -> Bool {
        source[position...].starts(with: text)
    }

    private mutating func take(_ character: Character) {
        switch character {
        case "\"", "'": takeLiteral(to: character)
        case "`": takeTemplate()
        case "}" where holes.last == 0:
            holes.removeLast()
            takeTemplate()
        case "/" where starts(with: "//"): skip(to: "\n")
        case "/" where starts(with: "/*"): skipComment()
        case "/" where isExpected: takeExpression()
        case " ": skipSpace()
        default:
            if let open = holes.indices.last {
                if character == "{" { holes[open] += 1 }
                if character == "}" { holes[open] -= 1 }
            }
            keep()
        }
    }

    private mutating func keep() {
        result.append(source[position])
        position += 1
    }

    /// Takes a string, or the rest of it.
    private mutating func takeLiteral(to end: Character) {
        keep()
        while let next {
            if next == "\\" { keep() }
            keep()
            if next == end { return }
        }
    }

    /// Takes a template up to its end, or to the code in it.
    private mutating func takeTemplate() {
        keep()
        while let next {
            if starts(with: "${") {
                keep()
                keep()
                return holes.append(0)
            }
            if next == "\\" { keep() }
            keep()
            if next == "`" { return }
        }
    }

    /// Whether a slash begins a regular expression here: a value is expected.
    private var isExpected: Bool {
        guard let last = result.last(where: { $0 != " " }) else { return true }
        return "(,=:[!&|?{};\n".contains(last)
    }

    private mutating func takeExpression() {
        var isInSet = false
        keep()
        while let next {
            if next == "\\" { keep() }
            if next == "[" { isInSet = true }
            if next == "]" { isInSet = false }
            keep()
            if next == "/", !isInSet { return }
        }
    }

    private mutating func skip(to end: Character) {
        while let next, next != end { position += 1 }
    }

    /// Skips a comment, but not its line breaks.
    private mutating func skipComment() {
        position += 2
        while next != nil, !starts(with: "*/") {
            if next == "\n" { keep() } else { position += 1 }
        }
        position = min(position + 2, source.count)
    }

    /// Skips spaces, or keeps one of them where without it two words, or two signs, would be one.
    private mutating func skipSpace() {
        while next == " " { position += 1 }
        guard let before = result.last, let after = next else { return }
        let isBetweenWords = Self.isOfWord(before) && (Self.isOfWord(after) || after == "#")
        if isBetweenWords || before == after && "+-".contains(after) { result.append(" ") }
    }

    private static func isOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "$"
    }
}
