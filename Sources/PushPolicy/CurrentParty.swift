internal import GameLogic

/// The current state of a party, looked up once for all its activities, and member by member in
/// place, because planning is the server's inner loop.
struct CurrentParty: Sendable {
    let members: [Member]
    let hasAdventure: Bool
    let isOnAdventure: Bool
    /// Whether the leader asks who is ready.
    let isAskedReady: Bool
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
    /// The newest event's text for all members, unless each hero has its own.
    private let text: LocalizableText?
    /// What cards with details have in common; `nil`: no card has any.
    private let shared: CardDetails.Shared?
    /// The least time between two pushes of low priority, in milliseconds.
    let cardGap: Int64
    private let keepsTellingFalls: Bool

    init(
        of party: Party, pausedUntil: WallTime? = nil, clock: (any AdventureClock)? = nil,
        detailed isDetailed: Bool = false, sendingSince: WallTime? = nil
    ) {
        self.pausedUntil = pausedUntil
        self.sendingSince = sendingSince
        shared = isDetailed ? CardDetails.Shared(of: party, clock: clock) : nil
        cardGap = party.cardGap(by: clock)
        staleAfter = party.staleAfter(by: clock)
        keepsTellingFalls = party.keepsTellingFalls
        members = party.members
        isAskedReady = party.readyCheck != nil
        lastEvent = party.lastEvent
        leaderEvent = party.leaderEvent
        text = lastEvent.flatMap(EventTexts.textForAll(of:))
        guard let adventure = party.adventure else {
            (hasAdventure, isOnAdventure, isBossHere) = (false, false, false)
            (isWon, isRush) = (false, false)
            overAt = nil
            return
        }
        hasAdventure = true
        overAt = adventure.isOver ? clock?.wallTime(of: adventure.advancedTo) : nil
        isWon = adventure.outcome?.isVictory ?? false
        isOnAdventure = !adventure.isOver
        isRush = isOnAdventure && adventure.pack.kind == .bossRush
        isBossHere = !adventure.isOver && adventure.boss != nil
    }

    /// Returns what the hero's activity should show; `nil` for a hero outside the party.
    func content(of hero: HeroID, _ version: StateVersion) -> LocalizableContent? {
        guard let lastEvent, let index = index(of: hero) else { return nil }
        return LocalizableContent(
            health: members[index].health, text: text(of: index, lastEvent),
            details: details(of: index, version)?.fingerprint ?? 0)
    }

    /// Returns what the hero's activity shows beside, if it shows anything.
    func details(of hero: HeroID, _ version: StateVersion) -> CardDetails? {
        index(of: hero).flatMap { details(of: $0, version) }
    }

    /// Returns what an ending activity shows beside.
    func lastDetails(_ version: StateVersion) -> CardDetails? {
        version == .second ? shared.map { CardDetails(link: .result($0.party)) } : nil
    }

    private func details(of index: Int, _ version: StateVersion) -> CardDetails? {
        version == .second ? shared.map { details(of: index, $0) } : nil
    }

    private func text(of index: Int, _ lastEvent: PartyEvent) -> LocalizableText {
        let hero = members[index].hero.id
        if let leaderEvent, leaderEvent.kind.hero?.id == hero {
            return EventTexts.text(for: leaderEvent)
        }
        if keepsTellingFalls, members[index].isKnockedDown, !lastEvent.kind.isAbout(hero) {
            return EventTexts.text(
                for: .knockedDown(members[index].hero.tag), members[index].outing.fall.telling)
        }
        return text
            ?? EventTexts.text(
                for: lastEvent, onActivityOf: members[index].hero.tag, members[index].condition)
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
