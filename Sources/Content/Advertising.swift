/// What a Live Activity may not show: it is no place for advertising (Q13).
package enum Advertising {
    /// Returns what is found in a text, for a sentence; `nil` when there is nothing.
    package static func found(in text: String) -> String? {
        let words = text.lowercased().split {
            $0.isWhitespace || "()[]<>\"“”„«»,;!?！？、。".contains($0)
        }
        if words.contains(where: isAddress) { return "an address" }
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .currencySymbol })
        {
            return "a price"
        }
        return words.contains(where: isDate) ? "a date" : nil
    }

    /// A link, a host such as "rangers.example", or a mail address.
    private static func isAddress(_ word: Substring) -> Bool {
        if word.contains("://") || word.hasPrefix("www.") { return true }
        let labels = word.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let first = labels.first, let last = labels.last else {
            return false
        }
        let top = last.prefix { $0 != "/" && $0 != ":" }
        return !first.isEmpty && top.count > 1 && top.utf8.allSatisfy(isLetter)
            && first.utf8.contains(where: isLetter)
    }

    /// "24/12", "24.12." and "2026-12-24" are dates; "2.5" and "2-1" are not.
    private static func isDate(_ word: Substring) -> Bool {
        ["/", ".", "-"].contains { (mark: Character) in
            let parts = word.split(separator: mark)
            guard parts.allSatisfy({ (1...4).contains($0.count) && $0.allSatisfy(\.isNumber) })
            else { return false }
            let isShort = mark == "/" || (mark == "." && word.last == mark)
            return parts.count == 3 || (parts.count == 2 && isShort)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
