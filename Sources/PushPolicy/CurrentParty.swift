internal import GameLogic

/// The current state of a party, looked up once for all its activities, and member by member in
/// place, because planning is the server's inner loop.
struct CurrentParty: Sendable {
    let id: PartyID
    let members: [Member]
    let hasAdventure: Bool
    let isOnAdventure: Bool
    /// Whether everybody is down, and a potion can still save the party.
    let isLastStand: Bool
    /// The leader's question who is ready.
    let readyCheck: ReadyCheck?
    /// The adventure's open questions.
    let questions: [OpenQuestion]
    private let isBossHere: Bool
    let isWon: Bool
    /// Whether it is in a boss rush.
    let isRush: Bool
    /// When the adventure ended; `nil`: it runs, there was none, or its clock is not known.
    let overAt: WallTime?
    /// When content is a guess unless there is something newer, in milliseconds.
    let staleAfter: Int64
    /// When a game master's pause is over.
    let pausedUntil: WallTime?
    /// When an owner's last pause of all pushes ended; `nil`: there was none.
    let sendingSince: WallTime?
    private let lastEvent: PartyEvent?
    private let leaderEvent: PartyEvent?
    /// That of the adventure, or of the last one.
    private let pack: Pack.Reference?
    /// What cards with details have in common; `nil`: no card has any.
    private let shared: CardDetails.Shared?
    /// The least time between two pushes of low priority, in milliseconds.
    let cardGap: Int64

    init(
        of party: Party, pausedUntil: WallTime? = nil, clock: (any AdventureClock)? = nil,
        detailed isDetailed: Bool = false, sendingSince: WallTime? = nil
    ) {
        id = party.id
        self.pausedUntil = pausedUntil
        self.sendingSince = sendingSince
        shared = isDetailed ? CardDetails.Shared(of: party, clock: clock) : nil
        cardGap = party.cardGap(by: clock)
        staleAfter = party.staleAfter(by: clock)
        members = party.members
        readyCheck = party.readyCheck
        questions = party.openQuestions(by: clock)
        lastEvent = party.lastEvent
        leaderEvent = party.leaderEvent
        pack = party.adventure?.pack.reference
        guard let adventure = party.adventure else {
            (hasAdventure, isOnAdventure, isBossHere) = (false, false, false)
            isLastStand = false
            (isWon, isRush) = (false, false)
            overAt = nil
            return
        }
        hasAdventure = true
        overAt = adventure.isOver ? clock?.wallTime(of: adventure.advancedTo) : nil
        isWon = adventure.outcome?.isVictory ?? false
        isOnAdventure = !adventure.isOver
        isLastStand = !adventure.isOver && adventure.course.lastStandUntil != nil
        isRush = isOnAdventure && adventure.pack.kind == .bossRush
        isBossHere = !adventure.isOver && adventure.boss != nil
    }

    /// Whether the leader asks who is ready.
    var isAskedReady: Bool { readyCheck != nil }

    /// Returns what a card should show that says this; `nil` for a hero outside the party.
    func content(on card: Card, saying text: LocalizableText) -> LocalizableContent? {
        guard let index = index(of: card.hero) else { return nil }
        let end = nextEnd(on: card, at: index)
        let details =
            details(on: card, at: index)?.fingerprint(until: end)
            ?? end.map { CardDetails.fingerprint(ofEnd: $0) } ?? 0
        return LocalizableContent(health: members[index].health, text: text, details: details)
    }

    /// Returns what a card shows beside, if it shows anything.
    func details(on card: Card) -> CardDetails? {
        index(of: card.hero).flatMap { details(on: card, at: $0) }
    }

    private func details(on card: Card, at index: Int) -> CardDetails? {
        guard card.version == .second, let shared else { return nil }
        return details(on: card, at: index, shared)
    }

    /// Returns what an ending activity shows beside.
    func lastDetails(on card: Card) -> CardDetails? {
        guard card.version == .second, shared != nil else { return nil }
        return CardDetails(link: .party(id, card.hero, .result))
    }

    /// Returns the newest news of a card that has told none; `nil`: nothing has happened, or the hero
    /// is outside the party.
    func news(on card: Card) -> News? {
        guard let lastEvent, let index = index(of: card.hero) else { return nil }
        let leads = leaderEvent?.kind.hero?.id == card.hero
        let event = leads ? leaderEvent ?? lastEvent : lastEvent
        let rule = NewsPolicy.rule(for: event.kind)
        let rank = rule.rank(on: card.hero)
        if isDown(card.hero), rule.isQuestion || !rank.takesPlaceOfFall { return fall(of: index) }
        if rule.isQuestion, let beginning, !isStory(event.kind, on: card) { return beginning }
        return text(of: event, on: card).map {
            News($0, News.Mark(sequence: event.sequence, max(rank, .others)))
        }
    }

    /// Returns what the event says on a card; `nil` for a hero outside the party.
    func text(of event: PartyEvent, on card: Card) -> LocalizableText? {
        index(of: card.hero).map {
            EventTexts.text(for: event, onActivityOf: members[$0].hero.tag, members[$0].condition)
        }
    }

    /// How the adventure began: what a card tells that comes while a question is the newest event.
    /// The question has a place of its own, and goes with its button.
    private var beginning: News? {
        guard isOnAdventure, let pack else { return nil }
        return News(
            EventTexts.text(for: .adventureBegan(pack)), News.Mark(sequence: 0, .others))
    }

    /// The fall of a hero who is down, in the words in which it was told.
    private func fall(of index: Int) -> News {
        News(
            EventTexts.text(
                for: .knockedDown(members[index].hero.tag), members[index].outing.fall.telling),
            News.Mark(sequence: 0, .fall, isOpen: false))
    }

    /// Returns the hero's index among the members.
    func index(of hero: HeroID) -> Int? {
        for index in members.indices where members[index].hero.id == hero {
            return index
        }
        return nil
    }

    func condition(of hero: HeroID) -> Member.Condition? {
        index(of: hero).map { members[$0].condition }
    }

    /// Returns whether the hero is knocked down and can be helped.
    func isDown(_ hero: HeroID) -> Bool { isOnAdventure && condition(of: hero) == .knockedDown }

    /// Returns whether a critical hit has left the hero little health.
    func isInDanger(_ hero: HeroID) -> Bool {
        index(of: hero).map { members[$0].isInDanger } ?? false
    }

    /// Returns whether the hero was asked to help a friend who is down, and can.
    func isCalledForHelp(_ hero: HeroID) -> Bool {
        index(of: hero).flatMap { friendInNeed(of: $0) } != nil
    }

    /// Returns whether the hero can give somebody a potion.
    func canHelp(_ hero: HeroID) -> Bool {
        index(of: hero).map { members[$0].isStanding && members[$0].potions > 0 } ?? false
    }

    /// Returns whether this hero, or the whole party, is in need, which raises the relevance of the
    /// activity (rule Q14).
    func raisesRelevance(_ condition: Member.Condition?) -> Bool {
        isBossHere || condition == .knockedDown
    }
}

extension (any AdventureClock)? {
    /// Returns how long this many seconds of the adventure take, in milliseconds.
    fileprivate func milliseconds(_ seconds: Int) -> Int64 {
        let length = GameTime.seconds(Int64(seconds))
        guard let clock = self else { return length.milliseconds }
        return clock.wallTime(of: length).milliseconds - clock.wallTime(of: .zero).milliseconds
    }
}

extension Party {
    /// Returns the least time between two pushes of low priority to a card, in milliseconds.
    fileprivate func cardGap(by clock: (any AdventureClock)?) -> Int64 {
        guard let adventure, adventure.pack.patience.cardGap > 0 else { return 0 }
        return clock.milliseconds(adventure.pack.patience.cardGap)
    }

    /// Returns how long content is taken for true, in milliseconds: until three of the slowest steps
    /// might have been.
    fileprivate func staleAfter(by clock: (any AdventureClock)?) -> Int64 {
        let least = StalePlanner.staleAfterSeconds * 1000
        guard let adventure else { return least }
        let wait = adventure.slowestPace * 3 + adventure.pack.patience.cardGap
        return min(max(least, clock.milliseconds(wait)), StalePlanner.staleAfterSecondsMax * 1000)
    }
}
