/// A Swift file: its path in the repository, its lines and its tokens.
struct SourceFile: Sendable {
    /// "Sources/GameLogic/Party.swift"
    let path: String
    let lineCount: Int
    /// Without comments.
    let code: [Token]
    let comments: [Token]

    init(path: String, text: String) {
        let tokens = Lexer.tokens(of: text)
        self.path = path
        lineCount = text.utf8.count { $0 == UInt8(ascii: "\n") }
        code = tokens.filter { $0.kind != .comment }
        comments = tokens.filter { $0.kind == .comment }
    }

    /// The second part of the path: the module, or the tests' folder.
    var module: String { String(path.split(separator: "/").dropFirst().first ?? "") }

    /// "Sources/GameLogic/Party.swift:7 says what is wrong"
    func finding(_ line: Int, _ text: String) -> String { "\(path):\(line) \(text)" }
}

// MARK: - Comments

extension SourceFile {
    /// Lines with nothing but a comment. `MARK` lines are signposts, so they do not count.
    var commentLines: Set<Int> {
        let lines = comments.filter { !$0.text.contains("MARK:") }.flatMap { $0.line...$0.lastLine }
        return Set(lines).subtracting(codeLines)
    }

    /// Lines with something that is neither a comment nor blank.
    var codeLines: Set<Int> { Set(code.flatMap { $0.line...$0.lastLine }) }
}

// MARK: - Imports

extension SourceFile {
    /// Each imported module with its line.
    var imports: [(module: String, line: Int)] {
        let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        return code.indices.compactMap { index in
            guard code[index].isCode("import"), index + 1 < code.count else { return nil }
            let next = code[index + 1]
            let name = kinds.contains(next.text) && index + 2 < code.count ? code[index + 2] : next
            return (name.text, code[index].line)
        }
    }
}

// MARK: - Functions

extension SourceFile {
    /// A function, an initializer or a computed property, with its body.
    struct Body: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case function
            case property
        }

        let kind: Kind
        let name: String
        let line: Int
        let lineCount: Int
    }

    var bodies: [Body] {
        code.indices.compactMap { index in
            guard let kind = kindOfBody(at: index), let open = openingBrace(after: index, kind),
                let close = closingBrace(of: open)
            else { return nil }
            let keyword = code[index]
            let isNamed = keyword.text == "func" || kind == .property
            let name = isNamed ? code[index + 1].text : keyword.text
            let lineCount = code[close].line - keyword.line + 1
            return Body(kind: kind, name: name, line: keyword.line, lineCount: lineCount)
        }
    }

    private func kindOfBody(at index: Int) -> Body.Kind? {
        guard code[index].kind == .word, index + 1 < code.count else { return nil }
        // After a dot or a backtick it is a use, not a declaration.
        if index > 0, code[index - 1].isCode(".") || code[index - 1].isCode("`") { return nil }
        let next = code[index + 1]
        switch code[index].text {
        case "func", "deinit": return .function
        case "init": return ["(", "<", "?"].contains(next.text) ? .function : nil
        case "subscript": return ["(", "<"].contains(next.text) ? .function : nil
        case "var": return .property
        default: return nil
        }
    }

    /// The brace that opens the body; `nil` where there is none, as in a protocol.
    private func openingBrace(after keyword: Int, _ kind: Body.Kind) -> Int? {
        var depth = 0
        for index in code.indices[(keyword + 1)...] {
            let token = code[index]
            switch token.kind == .symbol ? token.text : "" {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0: return index
            case "}" where depth == 0: return nil
            case "=" where depth == 0 && kind == .property: return nil
            default: break
            }
            let beginsLine = token.line > code[index - 1].lastLine
            if depth < 0 || (depth == 0 && beginsLine && endsHead(token, kind)) { return nil }
        }
        return nil
    }

    /// Whether a token that begins a line tells that the declaration before it had no body.
    private func endsHead(_ token: Token, _ kind: Body.Kind) -> Bool {
        if kind == .property { return true }
        return [
            "@", "public", "package", "internal", "fileprivate", "private", "static", "mutating",
            "func", "init", "deinit", "subscript", "var", "let", "case", "struct", "class", "enum",
            "actor", "extension", "protocol", "associatedtype", "typealias", "nonisolated",
        ].contains(token.text)
    }

    private func closingBrace(of open: Int) -> Int? {
        var depth = 0
        for index in code.indices[open...] where code[index].kind == .symbol {
            if code[index].text == "{" { depth += 1 }
            if code[index].text == "}" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}

// MARK: - Types

extension SourceFile {
    struct DeclaredType: Hashable, Sendable {
        let name: String
        let line: Int
        /// 0: not inside another type.
        let depth: Int
    }

    var declaredTypes: [DeclaredType] {
        let keywords: Set = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        var depth = 0
        var types: [DeclaredType] = []
        for index in code.indices.dropLast() {
            if code[index].isCode("{") { depth += 1 }
            if code[index].isCode("}") { depth -= 1 }
            guard code[index].kind == .word, keywords.contains(code[index].text),
                code[index + 1].kind == .word,
                !["func", "var", "let"].contains(code[index + 1].text),
                index == 0 || !code[index - 1].isCode(".")
            else { continue }
            let name = code[index + 1].text
            types.append(DeclaredType(name: name, line: code[index].line, depth: depth))
        }
        return types
    }
}
