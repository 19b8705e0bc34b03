internal import PushPolicy

/// How texts are written in a language: which marks they have, and what stands beside each.
struct Typography {
    private static let narrow: Character = "\u{202F}"
    private static let noBreak: Character = "\u{A0}"
    private static let closing: Set<Character> = [".", ",", "!", "?", ":", ";", "…"]

    let language: Language

    /// The quotation marks.
    private var quotes: (open: Character, close: Character) {
        switch language {
        case .english, .spanish, .simplifiedChinese: ("“", "”")
        case .german: ("„", "“")
        case .french: ("«", "»")
        case .japanese: ("「", "」")
        }
    }

    /// What texts have besides letters and quotation marks.
    private var marks: String {
        switch language {
        case .english: " .,!?:;…’-—"
        case .german: " .,!?:;…’-–"
        case .spanish: " .,!?:;…’-—¡¿"
        case .french: " \u{A0}\u{202F}.,!?:;…’-—"
        case .japanese: "。、！？：…・〜"
        case .simplifiedChinese: "。，、！？：；…—·《》"
        }
    }

    /// The space that stands before a mark which closes something; `nil`: none does.
    private func space(before mark: Character) -> Character? {
        switch language {
        case .french:
            switch mark {
            case "!", "?", ";": Self.narrow
            case ":", "»": Self.noBreak
            default: nil
            }
        // Words are left out; a part of a word never is.
        case .german: mark == "…" ? " " : nil
        case .english, .spanish, .japanese, .simplifiedChinese: nil
        }
    }

    /// Returns what is wrong with a text.
    func faults(in text: String) -> [String] {
        let characters = Array(text.replacing(#/%(\d\$)?(@|lld)/#, with: "N"))
        var faults = characters.indices.compactMap { index in
            fault(
                of: characters[index], before: index > 0 ? characters[index - 1] : nil,
                after: index + 1 < characters.count ? characters[index + 1] : nil)
        }
        if characters.first?.isWhitespace == true || characters.last?.isWhitespace == true {
            faults.append("a space at an end")
        }
        if !arePaired(characters) { faults.append("marks that are no pairs") }
        if !areEllipses(text) { faults.append("an ellipsis of another length") }
        return faults
    }

    private func fault(
        of character: Character, before: Character?, after: Character?
    ) -> String? {
        let isQuote = character == quotes.open || character == quotes.close
        guard character.isLetter || isQuote || marks.contains(character) else {
            return "\"\(character)\" is no mark of the language"
        }
        // Marks as wide as letters have their spaces in them.
        guard marks.contains(" ") else { return nil }
        if character.isWhitespace {
            return isExpected(space: character, before, after) ? nil : "a wrong space"
        }
        if Self.closing.contains(character) || character == quotes.close {
            return isExpected(before, beforeMark: character)
                && isExpected(after, afterMark: character)
                ? nil : "wrong neighbours of \"\(character)\""
        }
        if character == quotes.open || "¡¿".contains(character), language != .french {
            return after?.isWhitespace == true ? "a space after \"\(character)\"" : nil
        }
        if character == "«", after != Self.noBreak { return "no space after \"«\"" }
        return nil
    }

    private func isExpected(
        space: Character, _ before: Character?, _ after: Character?
    ) -> Bool {
        switch space {
        case Self.narrow: after.map { "!?;".contains($0) } == true
        case Self.noBreak: before == "«" || after == ":" || after == "»"
        default: before?.isWhitespace == false
        }
    }

    private func isExpected(_ before: Character?, beforeMark mark: Character) -> Bool {
        guard let before else { return mark == "…" }
        guard let space = space(before: mark) else {
            return !before.isWhitespace
        }
        let isSecond = "!?".contains(mark) && "!?".contains(before)
        return before == space || isSecond || mark == "…" && before == quotes.open
    }

    private func isExpected(_ after: Character?, afterMark mark: Character) -> Bool {
        guard let after, mark != quotes.close else { return true }
        return after.isWhitespace || after == quotes.close || Self.closing.contains(after)
    }

    private func arePaired(_ characters: [Character]) -> Bool {
        let pairs = [quotes, ("¡", "!"), ("¿", "?")].prefix(language == .spanish ? 3 : 1)
        return pairs.allSatisfy { open, close in
            var depth = 0
            for character in characters where character == open || character == close {
                depth += character == open ? 1 : -1
                // A cry may quote another one.
                guard (0...2).contains(depth) else { return false }
            }
            return depth == 0
        }
    }

    /// Chinese writes six dots, other languages three.
    private func areEllipses(_ text: String) -> Bool {
        let wanted = language == .simplifiedChinese ? 2 : 1
        return text.matches(of: #/…+/#).allSatisfy { $0.output.count == wanted }
    }
}
