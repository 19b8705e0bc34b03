internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// When the heroes of a party came home, which their own rows say: the engine has no clock.
struct Homecoming {
    /// After the change that brings them home.
    let stored: StoredParty
    let now: WallTime

    init(to stored: StoredParty, at now: WallTime) {
        self.stored = stored
        self.now = now
    }

    /// When the party's newest adventure was over; `nil`: it is not, or there was none.
    var since: WallTime? {
        guard let adventure = stored.party.adventure, adventure.isOver else { return nil }
        return min(stored.clock.wallTime(of: adventure.advancedTo), now)
    }

    /// Returns how the party sets out now.
    func departure(at difficulty: Difficulty) -> Departure {
        Departure(difficulty, at: now.milliseconds, restedSince: since?.milliseconds)
    }

    /// The party's heroes.
    var heroes: [Hero] {
        stored.party.members.map { $0.heroAtHome(since: since ?? now) } + stored.party.inn
    }

    /// Returns the hero of a member who has left, during the adventure or after it.
    func hero(of member: Member, leftUnderway: Bool) -> Hero {
        guard leftUnderway else { return member.heroAtHome(since: since ?? now) }
        let departed = stored.party.adventure?.departed.last { $0.hero.id == member.hero.id }
        return (departed ?? member).heroAtHome(since: now)
    }
}

extension Member {
    /// The hero as it rests at home, if it has been away.
    fileprivate func heroAtHome(since time: WallTime) -> Hero {
        guard outing.hasSetOut else { return hero }
        var hero = hero
        hero.home.since = time.milliseconds
        return hero
    }
}
