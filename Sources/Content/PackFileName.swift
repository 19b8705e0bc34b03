package import PushPolicy

/// The names of a pack's files: "lost-egg.json" has the rules, and "lost-egg.de.json" beside it the
/// texts in German.
package enum PackFileName {
    package static let suffix = ".json"

    /// Returns the name, or the path, of the file with the texts in a language.
    package static func ofTexts(in language: Language, beside rules: String) -> String {
        let stem = rules.hasSuffix(suffix) ? String(rules.dropLast(suffix.count)) : rules
        return "\(stem).\(language.rawValue)\(suffix)"
    }

    /// Whether a file with this name has texts, and no rules.
    package static func isOfTexts(_ name: String) -> Bool { ofRules(beside: name) != name }

    /// Returns the name, or the path, of the file with the rules: beside texts, or the file itself.
    package static func ofRules(beside name: String) -> String {
        let ending = Language.allCases.map { ".\($0.rawValue)\(suffix)" }
            .first { name.hasSuffix($0) }
        return ending.map { String(name.dropLast($0.count)) + suffix } ?? name
    }
}
