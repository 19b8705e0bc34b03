// Heroes who stay at the inn: they belong to the party, but not to its adventure. No formula counts
// them, because they are no members until they follow, or until the adventure is over.

extension Adventure {
    /// The percentage of the way beyond which nobody can follow.
    private static let followWayMax = 50

    /// Whether heroes at the inn may still follow.
    package var mayBeFollowed: Bool { !isOver && wayBehind < Self.followWayMax }
}

extension Party {
    /// All heroes of the party, also those at the inn.
    package var heroes: [Hero] { members.map(\.hero) + inn }

    /// Returns a hero of the party, also one at the inn.
    package func anyHero(_ id: HeroID) -> Hero? {
        hero(id) ?? inn.first { $0.id == id }
    }

    /// Whether the player has a hero in the party, perhaps at the inn.
    package func hasHero(of player: PlayerID) -> Bool {
        for index in members.indices where members[index].hero.owner == player { return true }
        return inn.contains { $0.owner == player }
    }

    /// The members who are on the newest adventure, or were when it ended: not those who have come
    /// back from the inn.
    package var adventurers: [Member] { members.filter(\.outing.hasSetOut) }

    /// Why a hero is not among the members.
    func absence(of id: HeroID) -> RuleError {
        inn.first { $0.id == id }.map { .isAtInn($0.tag) } ?? .notInParty(id)
    }

    /// Lets a hero at the inn catch up with the others, at this time of the server. It sets out as
    /// at a start, and has missed what was told.
    mutating func follow(_ id: HeroID, at time: Int64) throws(RuleError) -> PartyEvent {
        guard let place = inn.firstIndex(where: { $0.id == id }) else {
            if let hero = hero(id) { throw .notAtInn(hero.tag) }
            throw .notInParty(id)
        }
        guard let adventure, adventure.mayBeFollowed else {
            throw .tooLateToFollow(inn[place].tag)
        }
        let hero = inn.remove(at: place)
        var member = Member(
            Member(hero), settingOutOn: adventure.pack, Departure(at: time))
        member.outing.missed = adventure.course.told
        return enter(member, .heroFollowed(hero.tag))
    }

    /// Brings the heroes at the inn back to the others, when the adventure is over. They come last
    /// in the order of joining.
    mutating func returnFromInn() {
        guard !inn.isEmpty else { return }
        members += inn.map { Member($0) }
        inn = []
    }
}

extension Member {
    /// The hero as it stays at the inn: it has rested since the party's last adventure.
    func heroAtRest(since time: Int64?) -> Hero {
        var hero = hero
        if outing.hasSetOut { hero.home.since = time ?? hero.home.since }
        return hero
    }
}
