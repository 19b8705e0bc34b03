/// What a card tells: of the events that one push covers, the one that matters most to its hero.
package struct News: Hashable, Sendable {
    package let text: LocalizableText
    package let mark: Mark

    package init(_ text: LocalizableText, _ mark: Mark) {
        self.text = text
        self.mark = mark
    }

    /// The news of content; `nil`: its sentence is none.
    init?(_ content: LocalizableContent, _ mark: Mark) {
        guard mark.rank > .untold else { return nil }
        self.init(content.text, mark)
    }

    /// Which event it is, and how much it matters.
    package struct Mark: Hashable, Sendable {
        /// The event's number; 0: none, as with a state that lasts.
        package let sequence: Int
        package let rank: Rank
        /// Whether APNs has accepted no push that tells it. What has been told gives way to whatever
        /// comes next.
        package var isOpen: Bool

        package init(sequence: Int, _ rank: Rank, isOpen: Bool = true) {
            self.sequence = sequence
            self.rank = rank
            self.isOpen = isOpen
        }

        /// That of content that tells no news: a question stands in its place, or the end.
        package static let none = Mark(sequence: 0, .untold, isOpen: false)

        var told: Mark {
            var mark = self
            mark.isOpen = false
            return mark
        }
    }

    /// How much an event matters on a card: of several the highest is told, of equals the newest.
    package enum Rank: UInt8, Hashable, Sendable, CaseIterable, Comparable {
        /// The card does not tell it.
        case untold
        case others, company, way, turn, find, blow, rescue, word, danger, call, lastStand, need
        case fall, end

        package static func < (left: Rank, right: Rank) -> Bool {
            left.rawValue < right.rawValue
        }
    }
}

extension News.Rank {
    /// What the card tells, in words: "a blow to its hero".
    package var words: String {
        switch self {
        case .untold: "nothing"
        case .others: "another hero's news"
        case .company: "its hero's place in the party"
        case .way: "the party's way"
        case .turn: "a turn of the story"
        case .find: "its hero's find or deed"
        case .blow: "a blow to its hero"
        case .rescue: "its hero's rescue"
        case .word: "a game master's word"
        case .danger: "its hero's danger"
        case .call: "a friend's call for its hero's help"
        case .lastStand: "the last stand"
        case .need: "its hero's call for help"
        case .fall: "its hero's fall"
        case .end: "the end"
        }
    }

    /// Whether it takes the place of the fall on the card of a hero who is down. Nobody who is down
    /// is hit, so a blow there is others'.
    var takesPlaceOfFall: Bool {
        switch self {
        case .untold, .others, .company, .way, .turn, .blow: false
        case .find, .rescue, .word, .danger, .call, .lastStand, .need, .fall, .end: true
        }
    }

    /// Whether it tells of a fall that lasts, so that the news of others leaves it in place.
    var tellsOfFall: Bool {
        switch self {
        case .lastStand, .need, .fall: true
        case .untold, .others, .company, .way, .turn, .find, .blow, .rescue, .word, .danger, .call,
            .end:
            false
        }
    }
}
