internal import GameLogic
internal import PushPolicy

/// A text that stories say.
struct NeededText: Hashable {
    let gaps: [Gap]
    /// Whether it stays as it is: a title, or a question beside its button.
    var isSingle = false
    var isButton = false
    /// The item that a hero finds with it.
    var item: Item?

    static let plain = NeededText(gaps: [])
    static let single = NeededText(gaps: [], isSingle: true)
    static let ofHero = NeededText(gaps: [.name])
    static let button = NeededText(gaps: [], isSingle: true, isButton: true)
}

/// Checks that texts are complete, fill their gaps, fit the card and advertise nothing.
struct TextLinter {
    /// How many keys a fault names.
    private static let keysShown = 8

    /// What the stories cannot do without.
    let needed: [String: NeededText]
    /// What others say for them: `base.json`.
    var optional: [String: NeededText] = [:]
    let texts: PackTexts
    let notes: Node.Notes

    func check() {
        checkKeys()
        checkLanguages()
        checkTexts()
    }

    private func fault(
        _ path: String, _ what: String, severity: PackFault.Severity = .error
    ) {
        notes.add(PackFault(path, what, severity: severity))
    }

    private func checkKeys() {
        checkMissing(needed.keys.filter { texts.texts[$0] == nil }.sorted())
        let known = KnownNames((Array(needed.keys) + optional.keys).sorted())
        // What a faulty part of the story says is unknown, unless it is a misspelt text.
        let isStoryKnown = notes.faults.allSatisfy { $0.path.hasPrefix("texts") }
        for key in texts.texts.keys.sorted() where needed[key] == nil && optional[key] == nil {
            let hint = known.suggestion(for: key)
            guard isStoryKnown || !hint.isEmpty else { continue }
            fault("texts.\(key)", "the pack does not use this text\(hint)")
        }
    }

    /// Texts that no language has. An item without one may be a misspelt item of `base.json`.
    private func checkMissing(_ keys: [String]) {
        let items = KnownNames(Item.base.map(\.name))
        for key in keys {
            guard let name = needed[key]?.item.map({ String($0.shortName) }) else { continue }
            let hint = items.hint(for: name)
            fault(
                "texts.\(key)",
                "the text is missing, and base.json has no item \"\(name)\"\(hint)")
        }
        let others = keys.filter { needed[$0]?.item == nil }
        if !others.isEmpty { fault("texts", Self.missing(others)) }
    }

    /// A language is complete. One that the pack does not name may fall back to English.
    private func checkLanguages() {
        for language in Language.allCases
        where language == .english || texts.languages.contains(language) {
            let missing = needed.keys.filter {
                texts.texts[$0] != nil && texts.texts[$0]?[language] == nil
            }
            guard !missing.isEmpty else { continue }
            let isWarning = texts.named == nil && language != .english
            fault(
                "texts.\(language.rawValue)", Self.missing(missing.sorted()),
                severity: isWarning ? .warning : .error)
        }
        guard let named = texts.named else { return }
        if !named.contains(.english) {
            fault("languages", "\"en\" is missing; other languages fall back to it")
        }
        for language in texts.found where !named.contains(language) {
            fault(
                "languages",
                "there are texts in \"\(language.rawValue)\"; name it, or remove them")
        }
    }

    private static func missing(_ keys: [String]) -> String {
        let more = keys.count - keysShown
        return (keys.count == 1 ? "1 text is missing: " : "\(keys.count) texts are missing: ")
            + keys.prefix(keysShown).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    private func checkTexts() {
        let said = needed.merging(optional) { $1 }
        for (key, text) in said.sorted(by: { $0.key < $1.key }) {
            for language in Language.allCases {
                guard let variants = texts.texts[key]?[language] else { continue }
                check(variants, text, in: language, at: "texts.\(key).\(language.rawValue)")
            }
        }
    }

    private func check(
        _ variants: [Wording], _ text: NeededText, in language: Language, at path: String
    ) {
        if text.isSingle, variants.count > 1 {
            fault(path, "it has no variants; keep one text")
        }
        for (index, wording) in variants.enumerated() {
            let place = variants.count > 1 ? "\(path)[\(index)]" : path
            check(wording, text, in: language, at: place)
            if let first = variants[..<index].firstIndex(of: wording) {
                fault(place, "it is the same text as [\(first)]; write another")
            }
        }
    }

    private func check(
        _ wording: Wording, _ text: NeededText, in language: Language, at path: String
    ) {
        func place(_ category: PluralCategory) -> String {
            if case .plain = wording, category == .other { return path }
            return "\(path).\(category.rawValue)"
        }
        let faults = wording.faults(gaps: text.gaps, in: language)
        for each in faults { fault(place(each.category), "\(each)") }
        for (category, form) in wording.forms
        where !faults.contains(where: { $0.category == category }) {
            guard let format = try? Format(form) else { continue }
            check(format, text, at: place(category))
        }
    }

    private func check(_ format: Format, _ text: NeededText, at path: String) {
        let longest = format.filled(with: text.gaps.map(\.longest))
        let columns = Columns.count(of: longest)
        if text.isButton, columns > Columns.ofButton {
            fault(path, "\(columns) columns; \(Columns.ofButton) fit the button")
        } else if columns > Columns.max {
            fault(path, "\(columns) columns with a long name; \(Columns.max) fit the card")
        }
        // Without its gaps: the "$" of "%1$@" is no price.
        if let found = Advertising.found(in: longest) {
            fault(path, "it has \(found); a card must not advertise")
        }
    }
}

extension Gap {
    /// A count of three digits is the longest.
    fileprivate var longest: String {
        switch self {
        case .name: String(repeating: "M", count: Columns.ofName)
        case .count: "999"
        }
    }
}
