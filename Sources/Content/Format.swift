/// A text with gaps, as in `String(format:)`: `%@` takes the next argument, `%2$@` the second, and
/// `%%` is a percent sign. Nothing else is allowed, because all arguments are words.
package struct Format: Hashable, Sendable {
    /// More arguments than any sentence has.
    private static let positionMax = 9

    private enum Part: Hashable, Sendable {
        case text(String)
        /// The argument's index, from 0.
        case gap(Int)
    }

    private let parts: [Part]

    package init(_ text: String) throws(FormatStringError) {
        var scanner = Scanner(text)
        parts = try scanner.parts()
    }

    /// The arguments that the text uses, from 0.
    package var gaps: Set<Int> {
        Set(
            parts.compactMap { part in
                if case .gap(let index) = part { index } else { nil }
            })
    }

    /// Returns the text with its gaps filled. A gap without an argument stays empty.
    package func filled(with arguments: [String]) -> String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .text(let words): text += words
            case .gap(let index) where arguments.indices.contains(index): text += arguments[index]
            case .gap: break
            }
        }
    }

    /// Reads a text from left to right.
    private struct Scanner {
        private var rest: Substring
        private var nextIndex = 0
        private var text = ""
        private var found: [Part] = []

        init(_ text: String) { rest = Substring(text) }

        mutating func parts() throws(FormatStringError) -> [Part] {
            while let character = rest.popFirst() {
                if character == "%" { try readSpecifier() } else { text.append(character) }
            }
            endText()
            return found
        }

        private mutating func readSpecifier() throws(FormatStringError) {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let position = Int(digits).flatMap { (1...Format.positionMax).contains($0) ? $0 : nil }
            switch (digits.isEmpty, rest.popFirst()) {
            case (true, "%"): text.append("%")
            case (true, "@"):
                gap(nextIndex)
                nextIndex += 1
            case (false, "$"):
                guard let position, rest.popFirst() == "@" else {
                    throw .unsupported("%\(digits)$")
                }
                gap(position - 1)
            case (_, let other): throw .unsupported("%\(digits)\(other.map(String.init) ?? "")")
            }
        }

        private mutating func gap(_ index: Int) {
            endText()
            found.append(.gap(index))
        }

        private mutating func endText() {
            if !text.isEmpty { found.append(.text(text)) }
            text = ""
        }
    }
}

/// A specifier that no word can fill.
package enum FormatStringError: Error, Hashable, Sendable, CustomStringConvertible {
    case unsupported(String)

    package var description: String {
        switch self {
        case .unsupported(let specifier):
            "\"\(specifier)\" is not %@, %1$@ to %9$@ or %%; write a percent sign as %%."
        }
    }
}
