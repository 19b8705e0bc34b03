package import GameLogic
package import PushPolicy

/// What a pack's stories say, in each language.
package struct PackTexts: Hashable, Sendable {
    /// By key, without the pack ("magpie.hits"): the variants of a language, at least one.
    package let texts: [String: [Language: [Wording]]]
    /// The languages that the pack names; `nil`: it is written in those that it has.
    let named: [Language]?

    package init(
        _ texts: [String: [Language: [Wording]]] = [:], named: [Language]? = nil
    ) {
        self.texts = texts
        self.named = named
    }

    /// The languages that the pack is written in.
    package var languages: [Language] { named ?? found }

    /// Those of its texts.
    var found: [Language] {
        Language.allCases.filter { language in
            texts.values.contains { $0[language] != nil }
        }
    }

    /// Returns the first variant of a text without gaps in the language, or else in English.
    package func text(_ key: String, in language: Language) -> String? {
        (texts[key]?[language] ?? texts[key]?[.english])?.first?.other
    }

    package static let title = "title"
    package static let pitch = "pitch"
    /// The first card of the story.
    package static let begins = "begins"
    /// What onlookers read when the story is over.
    static let endsForOnlookers = "ends.party"
    /// What the story says when its time is over.
    static let night = "party.night"

    /// What is said when a world boss reaches a stage.
    package static func weakness(_ stage: WorldStage) -> String { "world-\(stage.rawValue)" }

    /// What is said when the boss's second phase, or a later one, begins.
    package static func enraged(phase: Int) -> String {
        phase == 2 ? "enraged" : "enraged-\(phase)"
    }
}

/// How many columns a text takes on a card.
package enum Columns {
    /// What a card has room for.
    package static let max = 60
    /// The longest name in a text on a card.
    package static let ofName = 12
    /// What the button of a fork has room for.
    package static let ofButton = 12

    /// By Unicode's East Asian Width: wide and full-width characters take two.
    package static func count(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + (isWide($1) ? 2 : 1) }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        wide.contains { $0.contains(scalar.value) } || scalar.properties.isEmojiPresentation
    }

    /// Hangul, the blocks of Chinese and Japanese, and full-width forms.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
}
