internal import UnicodeText

/// What a Live Activity may not show: it is no place for advertising (Q13).
package enum Advertising {
    /// Returns what is found in a text, for a sentence; `nil` when there is nothing. What looks like
    /// an address is one.
    package static func found(in text: String) -> String? {
        let words = text.compatible.lowercased().split {
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
        return word.split { "/:@#".contains($0) }.contains(where: isHost)
    }

    private static func isHost(_ name: Substring) -> Bool {
        var labels = name.split(separator: ".", omittingEmptySubsequences: false)
        // The end of a sentence.
        while labels.last?.isEmpty == true { labels.removeLast() }
        guard labels.count > 1, !labels.contains(where: \.isEmpty), let top = labels.last else {
            return false
        }
        return labels[0].contains(where: \.isLetter) && top.count > 1
            && top.allSatisfy(\.isLetter) && String(top).skeleton.utf8.allSatisfy { $0 < 0x80 }
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
}
