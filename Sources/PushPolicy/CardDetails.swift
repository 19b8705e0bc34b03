package import GameLogic

/// The versions of the content state, which an app names when it registers an activity.
package enum StateVersion: Int, Hashable, Sendable, CaseIterable {
    /// Apple's two fields.
    case first = 1
    /// With the details of `CardDetails`, all of them optional.
    case second = 2
}

/// What a card shows beside Apple's two fields, before it is written in a language.
package struct CardDetails: Hashable, Sendable {
    /// Where a tap on the card leads.
    package let link: CardLink
    package var question: CardQuestion?
    /// What happens to the card's hero at a time that is known.
    package var deadline: CardDeadline?
    package let team: [ContentState.Teammate]
    /// The boss's health in percent, in steps of 5.
    package let boss: Int?
    /// How much of the way to the boss lies behind the party in percent, in steps of 10.
    package let way: Int?

    package init(
        link: CardLink, question: CardQuestion? = nil, deadline: CardDeadline? = nil,
        team: [ContentState.Teammate] = [], boss: Int? = nil, way: Int? = nil
    ) {
        self.link = link
        self.question = question
        self.deadline = deadline
        self.team = team
        self.boss = boss
        self.way = way
    }

    /// Stands for the details, and for when the first question ends, where only their change matters.
    /// Never 0.
    func fingerprint(until end: WallTime? = nil) -> UInt32 {
        var print = Fingerprint()
        print.combine(link.address)
        print.combine(end?.milliseconds ?? 0)
        if let question {
            print.combine(question.kind.rawValue)
            print.combine(question.text)
            print.combine(question.button.key)
            print.combine(question.endsAt?.milliseconds ?? 0)
            if let votes = question.votes {
                for part in [votes.id, votes.isMine ? 1 : 0, votes.yes, votes.of] {
                    print.combine(Int64(part))
                }
            }
        }
        if let deadline {
            print.combine(deadline.kind.rawValue)
            print.combine(deadline.at.milliseconds)
        }
        for mate in team {
            print.combine(mate.avatar)
            print.combine(Int64(mate.mood))
        }
        print.combine(Int64(boss ?? -1))
        print.combine(Int64(way ?? -1))
        return max(1, print.value)
    }

    /// The same of a card without details, which has only the end of its question.
    static func fingerprint(ofEnd end: WallTime) -> UInt32 {
        var print = Fingerprint()
        print.combine(end.milliseconds)
        return max(1, print.value)
    }

    /// Returns them with all their times by the wall clock, which is so far from the server's.
    func onWire(_ wallOffset: Int64) -> CardDetails {
        var details = self
        details.question?.endsAt = question?.endsAt?.adding(milliseconds: wallOffset)
        details.deadline = deadline.map {
            CardDeadline($0.kind, at: $0.at.adding(milliseconds: wallOffset))
        }
        return details
    }
}

/// A time at which something happens to a card's hero by itself: a phone counts down to it without
/// pushes.
package struct CardDeadline: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The party is lost, unless somebody has drunk a potion.
        case lastStand
        /// The hero who is down gets up without help.
        case secondWind
        /// The hero is back from the woods, at the latest.
        case woods
    }

    package let kind: Kind
    /// By the server's clock until the card is sent, then by the wall clock.
    package let at: WallTime

    package init(_ kind: Kind, at: WallTime) {
        self.kind = kind
        self.at = at
    }
}

/// Where a tap on a card leads in the app.
package enum CardLink: Hashable, Sendable {
    /// A place of a party, as one of its heroes sees it.
    case party(PartyID, HeroID, Place)
    /// The card of who follows the world boss, which has neither.
    case world(event: Int)

    package enum Place: Hashable, Sendable {
        case hero
        case battle
        /// The hero is down, or in danger, and has a potion.
        case potion
        /// The friend is down, and the hero has a potion.
        case give(HeroID)
        case ask(Int)
        /// The adventure is over.
        case result
        /// The party gathers.
        case gather
    }

    /// `game:///party/party-1/hero/hero-1/battle`
    package var address: String {
        switch self {
        case .party(let party, let hero, let place):
            "game:///party/\(party)/hero/\(hero)\(place.path)"
        case .world(event: let event): "game:///world/\(event)"
        }
    }
}

extension CardLink.Place {
    fileprivate var path: String {
        switch self {
        case .hero: ""
        case .battle: "/battle"
        case .potion: "/potion"
        case .give(let friend): "/give/\(friend)"
        case .ask(let ask): "/ask/\(ask)"
        case .result: "/result"
        case .gather: "/gather"
        }
    }
}

extension CardDetails {
    /// The longest details that a card of this hero can show, for checks: `text` and `button` are the
    /// question's.
    package static func longest(
        of hero: HeroTag, in party: PartyID, text: LocalizableText, button: LocalizableText
    ) -> CardDetails {
        // As many bytes as the API accepts for one emoji.
        let avatar = String(repeating: "🧙", count: 2 * Hero.avatarLengthMax)
        let end = WallTime(milliseconds: Int64(Int32.max) * 1000)
        return CardDetails(
            link: .party(party, hero.id, .give(hero.id)),
            question: CardQuestion(
                .potion, text: text, button: button, endsAt: end,
                votes: CardQuestion.Votes(
                    id: Party.numberMax, isMine: false, yes: Party.sizeMax, of: Party.sizeMax)),
            deadline: CardDeadline(.secondWind, at: end),
            team: (0..<Party.sizeMax).map { _ in ContentState.Teammate(avatar: avatar, mood: 3) },
            boss: 100, way: 100)
    }
}

extension Fingerprint {
    fileprivate mutating func combine(_ text: LocalizableText) {
        combine(text.key)
        combine(Int64(text.telling.bits))
        for case .name(let name) in text.arguments { combine(name) }
    }
}

// MARK: From a party's state

/// How an adventure's time follows the server's clock.
package protocol AdventureClock: Sendable {
    /// Returns the first moment at which the adventure has reached `time`.
    func wallTime(of time: GameTime) -> WallTime
}

extension CardDetails {
    /// The parts that are the same on the cards of all heroes.
    struct Shared: Sendable {
        let team: [ContentState.Teammate]
        let boss: Int?
        let way: Int?
        let isFighting: Bool
        let lastStandAt: WallTime?
        let clock: (any AdventureClock)?

        init(of party: Party, clock: (any AdventureClock)?) {
            self.clock = clock
            guard let adventure = party.adventure, !adventure.isOver else {
                (team, boss, way, isFighting, lastStandAt) = ([], nil, nil, false, nil)
                return
            }
            team = party.members.map { ContentState.Teammate($0) }
            boss = adventure.bossHealthPercent.map { ($0 + 4) / 5 * 5 }
            way = adventure.wayBehind / 10 * 10
            isFighting = adventure.fight != nil || boss != nil
            lastStandAt = adventure.course.lastStandUntil.flatMap { clock?.wallTime(of: $0) }
        }
    }
}

extension CurrentParty {
    /// Returns what the card of the member with this index shows beside Apple's two fields.
    func details(on card: Card, at index: Int, _ shared: CardDetails.Shared) -> CardDetails {
        let question = question(on: card, at: index)
        return CardDetails(
            link: .party(id, card.hero, place(of: index, asking: question, shared)),
            question: question, deadline: deadline(of: index, shared), team: shared.team,
            boss: shared.boss, way: shared.way)
    }

    private func place(
        of index: Int, asking question: CardQuestion?, _ shared: CardDetails.Shared
    ) -> CardLink.Place {
        guard isOnAdventure else {
            return hasAdventure && readyCheck == nil ? .result : .gather
        }
        if canDrink(index) { return .potion }
        if let friend = friendInNeed(of: index) { return .give(friend.id) }
        if let votes = question?.votes { return .ask(votes.id) }
        return shared.isFighting ? .battle : .hero
    }

    /// Returns the first thing that happens to the member by itself.
    private func deadline(of index: Int, _ shared: CardDetails.Shared) -> CardDeadline? {
        guard isOnAdventure else { return nil }
        if let end = shared.lastStandAt { return CardDeadline(.lastStand, at: end) }
        let (kind, time): (CardDeadline.Kind, GameTime?) =
            switch members[index].condition {
            case .standing: (.secondWind, nil)
            case .knockedDown: (.secondWind, members[index].outing.fall.secondWindAt)
            case .lostConnection(until: let time): (.woods, time)
            }
        return time.flatMap { shared.clock?.wallTime(of: $0) }.map { CardDeadline(kind, at: $0) }
    }
}

extension ContentState.Teammate {
    fileprivate init(_ member: borrowing Member) {
        let mood =
            switch member.condition {
            case .knockedDown: 0
            case .standing: member.health.thousandths <= Self.weakHealth ? 1 : 2
            case .lostConnection: 3
            }
        self.init(avatar: member.hero.avatar, mood: mood)
    }

    private static let weakHealth = 200
}
