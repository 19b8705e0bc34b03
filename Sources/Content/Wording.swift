package import PushPolicy

/// A category of CLDR's plural rules: which form of a text a count takes in a language.
package enum PluralCategory: String, Hashable, Sendable, CaseIterable {
    case zero, one, two, few, many, other
}

extension Language {
    /// The categories that whole numbers have in the language (CLDR 44).
    package var pluralCategories: [PluralCategory] {
        switch self {
        case .english, .german: [.one, .other]
        case .french, .spanish: [.one, .many, .other]
        case .japanese, .simplifiedChinese: [.other]
        }
    }

    /// The category of a count, from 0 on.
    package func pluralCategory(of count: Int) -> PluralCategory {
        let isMillions = count != 0 && count.isMultiple(of: 1_000_000)
        switch self {
        case .english, .german: return count == 1 ? .one : .other
        case .french: return count == 0 || count == 1 ? .one : isMillions ? .many : .other
        case .spanish: return count == 1 ? .one : isMillions ? .many : .other
        case .japanese, .simplifiedChinese: return .other
        }
    }
}

/// What stands in a gap of a text.
package enum Gap: Hashable, Sendable {
    /// A name, the same in every language: `%@`.
    case name
    /// A count, which chooses the plural form: `%lld`.
    case count
}

extension LocalizableText.Argument {
    /// The gap that the argument fills.
    package var gap: Gap {
        switch self {
        case .name, .message: .name
        case .count: .count
        }
    }
}

/// A text in one language as it is written: one for every count, or one for each plural category.
package enum Wording: Hashable, Sendable {
    case plain(String)
    case plural([PluralCategory: String])

    /// The text of most counts.
    package var other: String {
        switch self {
        case .plain(let text): text
        case .plural(let forms): forms[.other] ?? ""
        }
    }

    /// The forms in the order of the categories; of a plain text `other` alone.
    package var forms: [(category: PluralCategory, text: String)] {
        switch self {
        case .plain(let text): [(.other, text)]
        case .plural(let forms):
            PluralCategory.allCases.compactMap { category in
                forms[category].map { (category, $0) }
            }
        }
    }
}

/// A wording whose gaps can be filled.
package struct Sentence: Hashable, Sendable {
    private let forms: [PluralCategory: Format]

    package init(_ wording: Wording) throws(FormatStringError) {
        var forms: [PluralCategory: Format] = [:]
        for form in wording.forms { forms[form.category] = try Format(form.text) }
        self.forms = forms
    }

    /// Returns the text with its gaps filled, in the form that the language has for the count.
    package func filled(
        with arguments: [String], count: Int?, in language: Language
    ) -> String {
        let form = count.flatMap { forms[language.pluralCategory(of: $0)] } ?? forms[.other]
        return form?.filled(with: arguments) ?? ""
    }
}

/// What is wrong with a wording, for translators.
package enum WordingFault: Hashable, Sendable {
    case missing(PluralCategory)
    /// The language has no such category, or the text no count.
    case stray(PluralCategory, known: [PluralCategory])
    case unreadable(PluralCategory, FormatStringError)
    /// A form's gaps are not those that the text has.
    case wrongGaps(PluralCategory, used: [Int: Gap], needed: [Gap])

    package var category: PluralCategory {
        switch self {
        case .missing(let category), .stray(let category, _), .unreadable(let category, _),
            .wrongGaps(let category, _, _):
            category
        }
    }
}

extension WordingFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing: return "the plural form is missing"
        case .stray(_, let known):
            let names = known.map(\.rawValue).joined(separator: ", ")
            return "there is no such plural form here; there is \(names)"
        case .unreadable(_, let error): return "\(error)"
        case .wrongGaps(_, let used, let needed):
            let found = used.sorted { $0.key < $1.key }.map { Self.specifier($0.value, $0.key) }
            let wanted = needed.enumerated().map { Self.specifier($0.element, $0.offset) }
            return "it has \(Self.list(found)); it must have \(Self.list(wanted))"
        }
    }

    private static func specifier(_ gap: Gap, _ index: Int) -> String {
        switch gap {
        case .name: "%\(index + 1)$@"
        case .count: "%\(index + 1)$lld"
        }
    }

    private static func list(_ specifiers: [String]) -> String {
        specifiers.isEmpty ? "no placeholder" : specifiers.joined(separator: " and ")
    }
}

extension Wording {
    /// Returns the faults of a wording with these gaps. The form of a single number may leave the
    /// count out: "found a potion".
    package func faults(gaps: [Gap], in language: Language) -> [WordingFault] {
        let needed = gaps.contains(.count) ? language.pluralCategories : [.other]
        let given = forms
        let missing = needed.filter { category in !given.contains { $0.category == category } }
        return missing.map(WordingFault.missing)
            + given.compactMap { category, text in
                guard needed.contains(category) else { return .stray(category, known: needed) }
                return Self.fault(of: text, category, gaps: gaps)
            }
    }

    private static func fault(
        of text: String, _ category: PluralCategory, gaps: [Gap]
    ) -> WordingFault? {
        let used: [Int: Gap]
        do throws(FormatStringError) {
            used = try Format(text).gaps
        } catch {
            return .unreadable(category, error)
        }
        let needed = gaps.enumerated().filter { index, gap in
            category != .one || gap != .count || used[index] != nil
        }
        let expected = Dictionary(uniqueKeysWithValues: needed.map { ($0.offset, $0.element) })
        return used == expected ? nil : .wrongGaps(category, used: used, needed: gaps)
    }
}
