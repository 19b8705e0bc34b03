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

/// A text in any language: a key of the String Catalog, and the arguments for its gaps.
package struct LocalizableText: Hashable, Sendable {
    package let key: String
    package let arguments: [Argument]

    package init(_ key: String, _ arguments: Argument...) {
        self.init(key: key, arguments: arguments)
    }

    package init(key: String, arguments: [Argument]) {
        self.key = key
        self.arguments = arguments
    }

    /// The key of every message: a gap alone.
    package static let messageKey = "%@"

    /// Creates the text of a message, which brings its own words.
    package init(_ message: Message) {
        self.init(Self.messageKey, .message(message))
    }

    package enum Argument: Hashable, Sendable {
        /// A name: the same in every language.
        case name(String)
        /// A thing, as content states stored before version 0.1.0 have it: "a sword".
        case word(String)
        /// What a game master has written, in each language.
        case message(Message)
    }

    /// The same text as a whole sentence, where it is of an older form whose gaps also took
    /// things: "%@ found %@!" with "a coin" is "%@ found a coin!".
    package var asWholeSentence: LocalizableText {
        let hasThings = arguments.contains { if case .word = $0 { true } else { false } }
        guard hasThings else { return self }
        var parts = key.split(separator: "%@", omittingEmptySubsequences: false)[...]
        var (sentence, names) = (String(parts.popFirst() ?? ""), [Argument]())
        for (argument, part) in zip(arguments, parts) {
            switch argument {
            case .name, .message:
                sentence += "%@"
                names.append(argument)
            case .word(let thing): sentence += thing
            }
            sentence += part
        }
        return LocalizableText(key: sentence, arguments: names)
    }
}

/// What an activity should show, before it is written in a language.
package struct LocalizableContent: Hashable, Sendable {
    package let health: Health
    package let text: LocalizableText

    package init(health: Health, text: LocalizableText) {
        self.health = health
        self.text = text
    }
}

extension LocalizableContent {
    /// Creates the current content for a member of the party; `nil` for other heroes.
    package init?(of hero: HeroID, in party: Party) {
        guard let member = party.member(hero), let event = party.newestEvent(for: hero) else {
            return nil
        }
        self.init(of: member, after: event)
    }

    /// Creates a member's content after an event.
    package init(of member: borrowing Member, after event: PartyEvent) {
        self.init(
            health: member.health,
            text: EventTexts.text(for: event.kind, onActivityOf: member.hero.tag))
    }
}

extension ContentState {
    /// Writes the content in the words of one language.
    package init(_ content: LocalizableContent, words: (LocalizableText) -> String) {
        self.init(
            currentHealthLevel: Double(content.health.thousandths) / 1000,
            eventDescription: words(content.text))
    }
}
