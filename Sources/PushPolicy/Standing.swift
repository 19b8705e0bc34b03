internal import GameLogic

/// How things stand with a party: looked up once for all its activities, member by member in
/// place, since planning is the server's inner loop.
struct Standing {
    let members: [Member]
    let hasAdventure: Bool
    let isOnAdventure: Bool
    private let isBossHere: Bool
    private let lastEvent: PartyEvent.Kind?
    /// What the newest event says to all members, unless each is told it of their own hero.
    private let phrase: Phrase?

    init(of party: Party) {
        members = party.members
        lastEvent = party.lastEvent?.kind
        phrase = lastEvent.flatMap(Policy.phraseForAll(of:))
        guard let adventure = party.adventure else {
            (hasAdventure, isOnAdventure, isBossHere) = (false, false, false)
            return
        }
        hasAdventure = true
        isOnAdventure = !adventure.isOver
        isBossHere = !adventure.isOver && adventure.boss != nil
    }

    /// What the hero's activity should show; `nil` for strangers.
    func card(of hero: HeroID) -> Card? {
        guard let lastEvent, let index = index(of: hero) else { return nil }
        return Card(
            health: members[index].health,
            phrase: phrase ?? Policy.phrase(for: lastEvent, onCardOf: members[index].hero.tag))
    }

    /// Where the hero stands among the members.
    func index(of hero: HeroID) -> Int? {
        for index in members.indices where members[index].hero.id == hero {
            return index
        }
        return nil
    }

    func condition(of hero: HeroID) -> Member.Condition? {
        index(of: hero).map { members[$0].condition }
    }

    /// Whether the hero lies there, and can be helped.
    func isDown(_ hero: HeroID) -> Bool { isOnAdventure && condition(of: hero) == .knockedDown }

    /// Whether this hero is in need, or all are: what makes an activity more relevant (rule Q14).
    func isUrgent(_ condition: Member.Condition?) -> Bool {
        isBossHere || condition == .knockedDown
    }
}
