package import GameLogic

/// What a Live Activity shows, as Apple's sample declares it: decodes with a default
/// `JSONDecoder` (rules L4, P3). Further fields must be optional additions.
package struct ContentState: Hashable, Codable, Sendable {
    /// 0…1 (rule L7).
    package let currentHealthLevel: Double
    package let eventDescription: String

    package init(currentHealthLevel: Double, eventDescription: String) {
        self.currentHealthLevel = currentHealthLevel
        self.eventDescription = eventDescription
    }
}

/// Words to be said in some language: a key of the String Catalog and what fills its gaps.
package struct Phrase: Hashable, Sendable {
    package let key: String
    package let arguments: [Argument]

    package init(_ key: String, _ arguments: Argument...) {
        self.key = key
        self.arguments = arguments
    }

    package enum Argument: Hashable, Sendable {
        /// A name: the same in every language.
        case name(String)
        /// Another key of the catalog: "a sword".
        case word(String)
    }
}

/// What an activity should show, before it is put into words of a language.
package struct Card: Hashable, Sendable {
    package let health: Health
    package let phrase: Phrase

    package init(health: Health, phrase: Phrase) {
        self.health = health
        self.phrase = phrase
    }
}

extension Card {
    /// The card of a member of the party, as things stand; `nil` for strangers.
    package init?(of hero: HeroID, in party: Party) {
        guard let member = party.member(hero), let event = party.lastEvent else { return nil }
        self.init(
            health: member.health,
            phrase: Policy.phrase(for: event.kind, onCardOf: member.hero.tag))
    }
}

extension ContentState {
    /// A card in the words of one language.
    package init(_ card: Card, words: (Phrase) -> String) {
        self.init(
            currentHealthLevel: Double(card.health.thousandths) / 1000,
            eventDescription: words(card.phrase))
    }
}
