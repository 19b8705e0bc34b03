/// Expectations that hold for nothing: `#expect(pushes.allSatisfy { … })` passes without a push.
enum VacuityRules {
    /// Returns each expectation with `allSatisfy` about a collection that may be empty, as far as
    /// its function tells.
    static func findings(in file: SourceFile) -> [String] {
        let functions = file.bodies.filter { $0.kind == .function }
        return file.expectations.flatMap { expectation -> [String] in
            let line = file.code[expectation.lowerBound].line
            guard let function = functions.last(where: { $0.lines.contains(line) }) else {
                return []
            }
            return expectation.compactMap { index -> String? in
                guard let names = file.collections(testedAt: index),
                    !names.contains(where: { file.hasElements($0, in: function.lines) })
                else { return nil }
                let name = names.last?.filter { $0 != " " } ?? "the collection"
                return file.finding(line, "\(name) may be empty: expect its count as well")
            }
        }
    }

    /// What says in an expectation that a collection has elements: an index is right, too.
    static let evidence = [
        ". count", ". isEmpty", ". first", ". last", ". contains", "= =", "[",
    ]
}

extension SourceFile.Body {
    fileprivate var lines: ClosedRange<Int> { line...(line + lineCount - 1) }
}

extension SourceFile {
    /// What stands between the parentheses of each `#expect` and `#require`.
    fileprivate var expectations: [Range<Int>] {
        code.indices.compactMap { index in
            guard isCode("#", at: index),
                isCode("expect", at: index + 1) || isCode("require", at: index + 1),
                isCode("(", at: index + 2), let close = closing(of: index + 2)
            else { return nil }
            return index + 3..<close
        }
    }

    /// Returns the collection of an `allSatisfy`, and those that it is made of: `stage.pushes` and
    /// `stage.pushes.suffix(2)` of the latter, and `times` of `zip(times, others)`.
    ///
    /// Returns `nil` for other words, for a negation, which nothing satisfies, and for an element
    /// of another collection.
    fileprivate func collections(testedAt index: Int) -> [String]? {
        guard isCode("allSatisfy", at: index) else { return nil }
        var start = index - 1
        while start > 0, let previous = startOfOperand(before: start) { start = previous }
        guard !isCode("!", at: start - 1) else { return nil }
        if isCode("zip", at: start) { start += 2 }
        var names: [String] = []
        var end = start
        while end < index {
            end = (closing(of: end) ?? end) + 1
            if [".", ",", "["].contains(code[end].text) { names.append(text(start..<end)) }
            if isCode(",", at: end) { break }
        }
        return names == ["$ 0"] ? nil : names
    }

    /// Returns the start of the name or the call that ends before a token, or its dot.
    private func startOfOperand(before index: Int) -> Int? {
        let last = index - 1
        if code[last].kind == .word { return code[index].kind == .word ? nil : last }
        return opening(of: last) ?? ([".", "$", "?"].contains(code[last].text) ? last : nil)
    }

    /// Whether an expectation on these lines says so, or the value that the name is given there.
    fileprivate func hasElements(_ name: String, in lines: ClosedRange<Int>) -> Bool {
        let isExpected = expectations.contains { expectation in
            guard lines.contains(code[expectation.lowerBound].line) else { return false }
            let text = " " + text(expectation) + " "
            return VacuityRules.evidence.contains { text.contains(" \(name) \($0) ") }
        }
        guard !isExpected else { return true }
        return code.indices.contains { index in
            guard lines.contains(code[index].line), isCode("let", at: index),
                isCode(name, at: index + 1), isCode("=", at: index + 2), index + 4 < code.count
            else { return false }
            // Elements, or a range of numbers.
            return isCode("[", at: index + 3) && !isCode("]", at: index + 4)
                || isCode("(", at: index + 3) && code[index + 4].text.first?.isNumber == true
        }
    }

    /// The tokens with spaces between them, so that the end of another name is no match.
    private func text(_ range: Range<Int>) -> String {
        code[range].map(\.text).joined(separator: " ")
    }

    private func closing(of open: Int) -> Int? {
        guard nesting(at: open) > 0 else { return nil }
        var depth = 0
        return code.indices[open...].first { index in
            depth += nesting(at: index)
            return depth == 0
        }
    }

    private func opening(of close: Int) -> Int? {
        guard nesting(at: close) < 0 else { return nil }
        var depth = 0
        return code.indices[...close].last { index in
            depth += nesting(at: index)
            return depth == 0
        }
    }

    private func nesting(at index: Int) -> Int {
        guard code[index].kind == .symbol else { return 0 }
        if ["(", "[", "{"].contains(code[index].text) { return 1 }
        return [")", "]", "}"].contains(code[index].text) ? -1 : 0
    }
}
