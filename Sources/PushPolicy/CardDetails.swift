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
    package let team: [ContentState.Teammate]
    /// The boss's health in percent, in steps of 5.
    package let boss: Int?
    /// How much of the way to the boss lies behind the party in percent, in steps of 10.
    package let way: Int?

    package init(
        link: CardLink, question: CardQuestion? = nil, team: [ContentState.Teammate] = [],
        boss: Int? = nil, way: Int? = nil
    ) {
        self.link = link
        self.question = question
        self.team = team
        self.boss = boss
        self.way = way
    }

    /// Stands for the details where only their change matters. Never 0.
    var fingerprint: UInt32 {
        var print = Fingerprint()
        print.combine(link.address)
        if let question {
            print.combine(question.kind.rawValue)
            print.combine(question.button.key)
            print.combine(question.endsAt?.milliseconds ?? 0)
            if let votes = question.votes {
                for part in [votes.id, votes.isMine ? 1 : 0, votes.yes, votes.of] {
                    print.combine(Int64(part))
                }
            }
        }
        for mate in team {
            print.combine(mate.avatar)
            print.combine(Int64(mate.mood))
        }
        print.combine(Int64(boss ?? -1))
        print.combine(Int64(way ?? -1))
        return max(1, print.value)
    }
}

/// Where a tap on a card leads in the app.
package enum CardLink: Hashable, Sendable {
    case hero(HeroID)
    case battle(HeroID)
    /// The hero is down, or in danger, and has a potion.
    case potion(HeroID)
    /// The friend is down, and the hero has a potion.
    case give(HeroID, to: HeroID)
    case ask(HeroID, Int)
    /// The adventure is over.
    case result(PartyID)
    /// The party gathers.
    case party(PartyID)
    /// The card of who follows the world boss.
    case world(event: Int)

    /// `game:///hero-1/battle`
    package var address: String {
        switch self {
        case .hero(let hero): "game:///\(hero)"
        case .battle(let hero): "game:///\(hero)/battle"
        case .potion(let hero): "game:///\(hero)/potion"
        case .give(let hero, to: let friend): "game:///\(hero)/give/\(friend)"
        case .ask(let hero, let ask): "game:///\(hero)/ask/\(ask)"
        case .result(let party): "game:///result/\(party)"
        case .party(let party): "game:///party/\(party)"
        case .world(event: let event): "game:///world/\(event)"
        }
    }
}

/// The one question of a card, which one button answers.
package struct CardQuestion: Hashable, Sendable {
    /// In the order in which a card shows them: the first one that concerns its hero.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case potion, give, brace, stop, flee, `guard`, fork, loot, ready
    }

    /// How the heroes have answered a question of the adventure.
    package struct Votes: Hashable, Sendable {
        package let id: Int
        /// Whether the card's own hero has said yes.
        package let isMine: Bool
        package let yes: Int
        /// How many are asked.
        package let of: Int

        package init(id: Int, isMine: Bool, yes: Int, of: Int) {
            self.id = id
            self.isMine = isMine
            self.yes = yes
            self.of = of
        }
    }

    package let kind: Kind
    package let button: LocalizableText
    /// By the server's clock until the card is sent, then by the wall clock.
    package var endsAt: WallTime?
    /// `nil` where an action answers: a potion.
    package let votes: Votes?

    package init(
        _ kind: Kind, button: LocalizableText, endsAt: WallTime? = nil, votes: Votes? = nil
    ) {
        self.kind = kind
        self.button = button
        self.endsAt = endsAt
        self.votes = votes
    }
}

extension CardDetails {
    /// The longest details that a card of this hero can show, for checks: `button` is the question's.
    package static func longest(of hero: HeroTag, button: LocalizableText) -> CardDetails {
        // As many bytes as the API accepts for one emoji.
        let avatar = String(repeating: "🧙", count: 2 * Hero.avatarLengthMax)
        return CardDetails(
            link: .give(hero.id, to: hero.id),
            question: CardQuestion(
                .potion, button: button,
                endsAt: WallTime(milliseconds: Int64(Int32.max) * 1000),
                votes: CardQuestion.Votes(
                    id: Party.numberMax, isMine: false, yes: Party.sizeMax, of: Party.sizeMax)),
            team: (0..<Party.sizeMax).map { _ in ContentState.Teammate(avatar: avatar, mood: 3) },
            boss: 100, way: 100)
    }
}

extension CardQuestion.Kind {
    package init(_ kind: Ask.Kind) {
        switch kind {
        case .brace: self = .brace
        case .stop: self = .stop
        case .flee: self = .flee
        case .guardFriend: self = .guard
        case .fork: self = .fork
        case .loot: self = .loot
        }
    }

    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
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
        let party: PartyID
        let team: [ContentState.Teammate]
        let boss: Int?
        let way: Int?
        let isFighting: Bool
        let asks: [Ask]
        let readyCheck: ReadyCheck?
        let clock: (any AdventureClock)?

        init(of party: Party, clock: (any AdventureClock)?) {
            self.party = party.id
            self.clock = clock
            readyCheck = party.readyCheck
            guard let adventure = party.adventure, !adventure.isOver else {
                (team, boss, way, isFighting, asks) = ([], nil, nil, false, [])
                return
            }
            team = party.members.map { ContentState.Teammate($0) }
            boss = adventure.bossHealthPercent.map { ($0 + 4) / 5 * 5 }
            way = adventure.wayBehind / 10 * 10
            isFighting = adventure.fight != nil || boss != nil
            asks = adventure.course.asks
        }
    }
}

extension CurrentParty {
    /// Returns what the card of the member with this index shows beside Apple's two fields.
    func details(of index: Int, _ shared: CardDetails.Shared) -> CardDetails {
        let question = question(for: index, shared)
        return CardDetails(
            link: link(of: index, to: question, shared), question: question, team: shared.team,
            boss: shared.boss, way: shared.way)
    }

    private func question(for index: Int, _ shared: CardDetails.Shared) -> CardQuestion? {
        guard isOnAdventure else {
            return shared.readyCheck.map { question(for: index, $0) }
        }
        if canDrink(index) { return CardQuestion(.potion, button: AskTexts.drink) }
        if friendInNeed(of: index) != nil { return CardQuestion(.give, button: AskTexts.give) }
        let concerning = shared.asks.filter { $0.kind.concerns(members[index]) }
        let first = concerning.min {
            CardQuestion.Kind($0.kind).place < CardQuestion.Kind($1.kind).place
        }
        return first.map { ask in
            let hero = members[index].hero.id
            return CardQuestion(
                CardQuestion.Kind(ask.kind), button: AskTexts.button(for: ask.kind),
                endsAt: ask.endsAt.flatMap { shared.clock?.wallTime(of: $0) },
                votes: CardQuestion.Votes(
                    id: ask.id, isMine: ask.yes.contains(hero), yes: ask.yes.count,
                    of: members.count { ask.kind.concerns($0) }))
        }
    }

    private func question(for index: Int, _ check: ReadyCheck) -> CardQuestion {
        CardQuestion(
            .ready, button: AskTexts.ready, endsAt: WallTime(milliseconds: check.plan.endsAt),
            votes: CardQuestion.Votes(
                id: check.id, isMine: check.yes.contains(members[index].hero.id),
                yes: check.yes.count, of: members.count))
    }

    private func link(
        of index: Int, to question: CardQuestion?, _ shared: CardDetails.Shared
    ) -> CardLink {
        let hero = members[index].hero.id
        guard isOnAdventure else {
            let isIdle = hasAdventure && shared.readyCheck == nil
            return isIdle ? .result(shared.party) : .party(shared.party)
        }
        if canDrink(index) { return .potion(hero) }
        if let friend = friendInNeed(of: index) { return .give(hero, to: friend) }
        if let votes = question?.votes { return .ask(hero, votes.id) }
        return shared.isFighting ? .battle(hero) : .hero(hero)
    }

    private func canDrink(_ index: Int) -> Bool {
        members[index].potions > 0 && (members[index].isKnockedDown || members[index].isInDanger)
    }

    /// Returns the friend who is down and for whom the hero was asked.
    private func friendInNeed(of index: Int) -> HeroID? {
        guard members[index].isStanding, members[index].potions > 0 else { return nil }
        let helper = members[index].hero.id
        for friend in members.indices where members[friend].isKnockedDown {
            if members[friend].outing.fall.asked.contains(helper) {
                return members[friend].hero.id
            }
        }
        return nil
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
