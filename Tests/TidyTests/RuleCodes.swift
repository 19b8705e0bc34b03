/// Codes of rules, as "Q9", and the rows of docs/rules.md that explain them.
///
/// A code is a whole word: the letters of a family that the page has, then a number from 1 to 99.
/// So "ES256", "HTTP2" and "P256" are none.
struct RuleCodes {
    /// A row of one of the page's tables.
    struct Row: Equatable {
        let code: String
        let sentence: String
        /// What shows the rule: paths in backticks, or `notBuiltYet`.
        let tests: String
    }

    static let page = "docs/rules.md"
    static let notBuiltYet = "not built yet"

    let rows: [Row]
    private let families: Set<Substring>
    private let known: Set<String>

    init(page: String) {
        let tables = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
        let rows = tables.compactMap { line -> Row? in
            let cells = line.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
            guard let code = cells.first, let tests = cells.last, cells.count >= 3,
                Self.family(of: code[...]) != nil
            else { return nil }
            return Row(code: code, sentence: cells[1], tests: tests)
        }
        self.rows = rows
        families = Set(rows.compactMap { Self.family(of: $0.code[...]) })
        known = Set(rows.map(\.code))
    }

    /// The letters of what looks like a code; `nil` for any other word.
    private static func family(of word: Substring) -> Substring? {
        let letters = word.prefix { ("A"..."Z").contains($0) }
        let number = word.dropFirst(letters.count)
        guard (1...2).contains(letters.count), (1...2).contains(number.count),
            number.first != "0", number.allSatisfy({ ("0"..."9").contains($0) })
        else { return nil }
        return letters
    }
}

// MARK: - Codes that are named

extension RuleCodes {
    /// Every code of a text.
    func codes(in text: some StringProtocol) -> [String] {
        // A percent sign belongs to the word: "%E2%9A" is no code.
        let words = text.utf8.split { !Lexer.isWordByte($0) && $0 != UInt8(ascii: "%") }
        return words.filter { (2...4).contains($0.count) }
            .map { String(decoding: $0, as: UTF8.self) }.filter(isCode)
    }

    private func isCode(_ word: String) -> Bool {
        Self.family(of: word[...]).map { families.contains($0) } ?? false
    }

    /// Codes in text between quotes: those that it begins with, as "L11, N1: …", and those that
    /// stand in brackets by themselves, as "(Q1, Q9)".
    func codes(inLiteral literal: String) -> [String] {
        let text = literal.drop { $0 == "\"" || $0 == "#" || $0.isWhitespace }
        var parts: [Substring] = []
        if let colon = text.firstIndex(of: ":") { parts.append(text[..<colon]) }
        for part in text.split(separator: "(", omittingEmptySubsequences: false).dropFirst() {
            if let end = part.firstIndex(of: ")") { parts.append(part[..<end]) }
        }
        return parts.filter(hasOnlyCodes).flatMap { codes(in: $0) }
    }

    private func hasOnlyCodes(_ text: Substring) -> Bool {
        let others: Set<Substring> = ["rule", "rules", "promise", "promises", "to", "and"]
        return text.split { $0 == " " || $0 == "," }
            .allSatisfy { others.contains($0) || isCode(String($0)) }
    }
}

// MARK: - Findings

extension RuleCodes {
    /// Codes without a row in a file's comments and literals.
    func findings(in file: SourceFile) -> [String] {
        let commented = file.comments.flatMap { token in
            codes(in: token.text).map { (token.line, $0) }
        }
        let quoted = file.code.filter { $0.kind == .string }.flatMap { token in
            codes(inLiteral: token.text).map { (token.line, $0) }
        }
        return (commented + quoted).filter { !known.contains($0.1) }
            .map { file.finding($0.0, "\($0.1) has no row in \(Self.page)") }
    }

    /// Codes without a row in a document or a script.
    func findings(inText text: String, of path: String) -> [String] {
        codes(in: text).filter { !known.contains($0) }
            .map { "\(path) names \($0), which has no row in \(Self.page)" }
    }

    /// Rows that come twice, and rows that neither name tests that exist nor admit it.
    func rowFindings(exists: (String) -> Bool) -> [String] {
        var seen: Set<String> = []
        return rows.flatMap { row -> [String] in
            let doubled = seen.insert(row.code).inserted ? [] : ["\(row.code) has two rows"]
            if row.tests == Self.notBuiltYet { return doubled }
            let paths = DocumentRules.spans(in: row.tests)
            if paths.isEmpty { return doubled + ["\(row.code) names no test"] }
            return doubled
                + paths.filter { !exists($0) }.map { "\(row.code) names \($0), which is not there" }
        }
    }
}
