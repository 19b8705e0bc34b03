package import GameLogic

/// What a Live Activity shows, as Apple's sample declares it: decodes with a default
/// `JSONDecoder` (rules L4, P3). Further fields are optional: an app with the sample's type decodes
/// each state, and one with this type decodes those of the sample.
package struct ContentState: Hashable, Codable, Sendable {
    /// 0…1 (rule L7).
    package let currentHealthLevel: Double
    package let eventDescription: String

    // Since `StateVersion.second`.

    /// Where a tap on the card leads: `game:///party/party-1/hero/hero-1/battle`.
    package var link: String?
    package var ask: Question?
    package var deadline: Deadline?
    /// In the order of joining.
    package var team: [Teammate]?
    /// The boss's health in percent, in steps of 5.
    package var boss: Int?
    /// How much of the way to the boss lies behind the party in percent, in steps of 10.
    package var way: Int?

    package init(currentHealthLevel: Double, eventDescription: String) {
        self.currentHealthLevel = currentHealthLevel
        self.eventDescription = eventDescription
    }

    /// The one question that the card's button answers.
    package struct Question: Hashable, Codable, Sendable {
        /// `CardQuestion.Kind`
        package let kind: String
        /// The sentence that asks.
        package let text: String
        package let button: String
        /// When the button goes, as a default `JSONDecoder` reads a `Date`; `nil`: with a later push.
        package let endsAt: Int64?
        /// For the answer. `nil` where a potion is the answer.
        package let id: Int?
        /// Whether the hero's player has said yes.
        package let mine: Bool?
        package let yes: Int?
        /// How many heroes are asked.
        package let of: Int?

        init(_ question: CardQuestion, words: (LocalizableText) -> String) {
            kind = question.kind.rawValue
            text = words(question.text)
            button = words(question.button)
            endsAt = question.endsAt?.secondsOfDate
            id = question.votes?.id
            mine = question.votes?.isMine
            yes = question.votes?.yes
            of = question.votes?.of
        }
    }

    /// What happens by itself at a time that is known.
    package struct Deadline: Hashable, Codable, Sendable {
        /// `CardDeadline.Kind`
        package let kind: String
        /// As a default `JSONDecoder` reads a `Date`.
        package let at: Int64

        init(_ deadline: CardDeadline) {
            kind = deadline.kind.rawValue
            at = deadline.at.secondsOfDate
        }
    }

    /// A hero of the party.
    package struct Teammate: Hashable, Codable, Sendable {
        package let avatar: String
        /// 0: down, 1: at most 200 thousandths of health, 2: well, 3: away.
        package let mood: Int
    }
}

/// A text in any language: a key, and the arguments for its gaps. What a story says has its words in
/// the texts of packs, and what a phone says by itself in the String Catalog.
package struct LocalizableText: Hashable, Sendable {
    package let key: String
    package let arguments: [Argument]
    /// Which of a sentence's variants is told.
    package let telling: Telling

    package init(_ key: String, _ arguments: Argument...) {
        self.init(key: key, arguments: arguments)
    }

    package init(key: String, arguments: [Argument], telling: Telling = .first) {
        self.key = key
        self.arguments = arguments
        self.telling = telling
    }

    /// Returns the same text with its names as `name` returns them.
    package func mapNames(_ name: (String) -> String) -> LocalizableText {
        let arguments = arguments.map { argument in
            switch argument {
            case .name(let text): Argument.name(name(text))
            case .count, .message: argument
            }
        }
        return LocalizableText(key: key, arguments: arguments, telling: telling)
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
        /// A count, which chooses the plural form.
        case count(Int)
        /// What a game master has written, in each language.
        case message(Message)
    }
}

/// What an activity should show, before it is written in a language.
package struct LocalizableContent: Hashable, Sendable {
    package var text: LocalizableText
    /// In thousandths: with the details it takes the room of one number.
    private let healthThousandths: UInt16
    /// Stands for the details (`CardDetails.fingerprint`), which are made anew for each push; 0:
    /// there are none.
    package var details: UInt32

    package var health: Health { Health(thousandths: Int(healthThousandths)) }

    package init(health: Health, text: LocalizableText, details: UInt32 = 0) {
        healthThousandths = UInt16(health.thousandths)
        self.text = text
        self.details = details
    }
}

extension ContentState {
    /// Writes the content in the words of one language.
    package init(
        _ content: LocalizableContent, _ details: CardDetails? = nil,
        words: (LocalizableText) -> String
    ) {
        self.init(
            currentHealthLevel: Double(content.health.thousandths) / 1000,
            eventDescription: words(content.text))
        guard let details else { return }
        link = details.link.address
        ask = details.question.map { Question($0, words: words) }
        deadline = details.deadline.map { Deadline($0) }
        team = details.team.isEmpty ? nil : details.team
        boss = details.boss
        way = details.way
    }
}
