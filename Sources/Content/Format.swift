/// A text with gaps, as in `String(format:)`: `%@` takes the next argument, `%2$@` the second,
/// `%lld` and `%2$lld` are counts, and `%%` is a percent sign. Nothing else is allowed.
package struct Format: Hashable, Sendable {
    /// More arguments than any sentence has.
    private static let positionMax = 9

    private enum Part: Hashable, Sendable {
        case text(String)
        /// The argument's index, from 0.
        case gap(Int, Gap)
    }

    private let parts: [Part]

    package init(_ text: String) throws(FormatStringError) {
        var scanner = Scanner(text)
        parts = try scanner.parts()
    }

    /// The arguments that the text uses, from 0.
    package var gaps: [Int: Gap] {
        parts.reduce(into: [:]) { gaps, part in
            if case .gap(let index, let gap) = part { gaps[index] = gap }
        }
    }

    /// Returns the text with its gaps filled. A gap without an argument stays empty.
    package func filled(with arguments: [String]) -> String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .text(let words): text += words
            case .gap(let index, _) where arguments.indices.contains(index):
                text += arguments[index]
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
            let hasPosition = rest.first == "$" && !digits.isEmpty
            if hasPosition { rest.removeFirst() }
            if digits.isEmpty, rest.first == "%" {
                rest.removeFirst()
                text.append("%")
            } else if (digits.isEmpty || hasPosition && position != nil), let gap = readGap() {
                let index = position.map { $0 - 1 } ?? nextIndex
                if position == nil { nextIndex += 1 }
                try add(gap, at: index)
            } else {
                let wrong = hasPosition ? "$" : rest.first.map(String.init) ?? ""
                throw .unsupported("%\(digits)\(wrong)")
            }
        }

        private mutating func readGap() -> Gap? {
            for (specifier, gap) in [("@", Gap.name), ("lld", .count)]
            where rest.hasPrefix(specifier) {
                rest = rest.dropFirst(specifier.count)
                return gap
            }
            return nil
        }

        private mutating func add(_ gap: Gap, at index: Int) throws(FormatStringError) {
            endText()
            for part in found {
                guard case .gap(index, let other) = part, other != gap else { continue }
                throw .nameAndCount(index + 1)
            }
            found.append(.gap(index, gap))
        }

        private mutating func endText() {
            if !text.isEmpty { found.append(.text(text)) }
            text = ""
        }
    }
}

/// A specifier that no argument can fill.
package enum FormatStringError: Error, Hashable, Sendable, CustomStringConvertible {
    case unsupported(String)
    /// An argument is used as both.
    case nameAndCount(Int)

    package var description: String {
        switch self {
        case .unsupported(let specifier):
            "\"\(specifier)\" is not %@, %lld, %1$@ to %9$@ or %%; write a percent sign as %%."
        case .nameAndCount(let position):
            "argument \(position) is a name (%@) in one place and a count (%lld) in another."
        }
    }
}
