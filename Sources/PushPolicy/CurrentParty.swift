internal import GameLogic

/// The current state of a party, looked up once for all its activities, and member by member in
/// place, because planning is the server's inner loop.
struct CurrentParty {
    let members: [Member]
    let hasAdventure: Bool
    let isOnAdventure: Bool
    private let isBossHere: Bool
    /// When a game master's pause is over.
    let pausedUntil: WallTime?
    private let lastEvent: PartyEvent.Kind?
    private let leaderEvent: PartyEvent.Kind?
    /// The newest event's text for all members, unless each hero has its own.
    private let text: LocalizableText?

    init(of party: Party, pausedUntil: WallTime? = nil) {
        self.pausedUntil = pausedUntil
        members = party.members
        lastEvent = party.lastEvent?.kind
        leaderEvent = party.leaderEvent?.kind
        text = lastEvent.flatMap(EventTexts.textForAll(of:))
        guard let adventure = party.adventure else {
            (hasAdventure, isOnAdventure, isBossHere) = (false, false, false)
            return
        }
        hasAdventure = true
        isOnAdventure = !adventure.isOver
        isBossHere = !adventure.isOver && adventure.boss != nil
    }

    /// Returns what the hero's activity should show; `nil` for a hero outside the party.
    func content(of hero: HeroID) -> LocalizableContent? {
        guard let lastEvent, let index = index(of: hero) else { return nil }
        if let leaderEvent, leaderEvent.hero?.id == hero {
            return LocalizableContent(
                health: members[index].health, text: EventTexts.text(for: leaderEvent))
        }
        return LocalizableContent(
            health: members[index].health,
            text: text ?? EventTexts.text(for: lastEvent, onActivityOf: members[index].hero.tag))
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

    /// Returns whether this hero, or the whole party, is in need, which raises the relevance of the
    /// activity (rule Q14).
    func raisesRelevance(_ condition: Member.Condition?) -> Bool {
        isBossHere || condition == .knockedDown
    }
}
