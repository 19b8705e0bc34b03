extension Party {
    /// Tells the story up to `time`, then does what is asked; returns the events of both.
    ///
    /// A refused command changes nothing, not even the time. Whether the player who asks may do
    /// so is the server's business. `time` is on the clock of the running adventure; it means
    /// nothing before the first adventure and after each.
    package mutating func apply(_ command: Command, at time: GameTime) throws(RuleError)
        -> [PartyEvent]
    {
        var party = self
        let before = party.advance(to: time)
        let events = try party.obey(command)
        self = party
        return before + events
    }

    /// Tells the story up to `time` (never backwards), or its next `momentsMax` moments: then the
    /// party stands at the last of them, and what follows is due at once.
    package mutating func advance(
        to time: GameTime, momentsMax: Int = .max
    ) -> [PartyEvent] {
        guard var teller = Storyteller(of: self) else { return [] }
        teller.advance(to: time, momentsMax: momentsMax)
        self = teller.finishedParty
        return teller.events
    }

    /// When something visible happens next, if nobody interferes; `nil` when nothing will.
    package var nextChangeAt: GameTime? {
        Storyteller(of: self)?.nextChangeAt
    }

    private mutating func obey(_ command: Command) throws(RuleError) -> [PartyEvent] {
        switch command {
        case .join(let hero): [try join(hero)]
        case .leave(let hero): try leave(hero)
        case .start(let seed): [try start(seed: seed)]
        case .usePotion, .summonBoss, .dropLoot, .raiseStorm, .end: try obeyUnderway(command)
        }
    }

    /// Commands that make sense on an adventure only.
    private mutating func obeyUnderway(_ command: Command) throws(RuleError) -> [PartyEvent] {
        guard var teller = Storyteller(of: self) else { throw .noAdventure }
        switch command {
        case .usePotion(let giver, let taker): try teller.usePotion(by: giver, on: taker)
        case .summonBoss: try teller.summonBoss()
        case .dropLoot(let hero): try teller.dropLoot(for: hero)
        case .raiseStorm: teller.raiseStorm()
        case .end: teller.end(.endedByGameMaster)
        case .join, .leave, .start: break
        }
        self = teller.finishedParty
        return teller.events
    }

    private mutating func join(_ hero: Hero) throws(RuleError) -> PartyEvent {
        if let member = member(hero.id) { throw .alreadyInParty(member.hero.tag) }
        guard members.count < Self.sizeMax else { throw .partyFull(limit: Self.sizeMax) }
        members.append(isOnAdventure ? comeBack(hero) : Member(hero))
        return note(.heroJoined(hero.tag), at: adventure?.advancedTo ?? .zero)
    }

    /// The hero as they left this adventure; fresh if they were not on it.
    private mutating func comeBack(_ hero: Hero) -> Member {
        guard let index = adventure?.departed.firstIndex(where: { $0.hero.id == hero.id }),
            var member = adventure?.departed.remove(at: index)
        else { return Member(hero) }
        member.hero = hero
        if let until = member.lostUntil, let now = adventure?.advancedTo, until <= now {
            member.condition = .standing
        }
        return member
    }

    private mutating func leave(_ id: HeroID) throws(RuleError) -> [PartyEvent] {
        guard let index = members.firstIndex(where: { $0.hero.id == id }) else {
            throw .notInParty(id)
        }
        guard var teller = Storyteller(of: self) else {
            let member = members.remove(at: index)
            return [note(.heroLeft(member.hero.tag), at: adventure?.advancedTo ?? .zero)]
        }
        teller.leave(at: index)
        self = teller.finishedParty
        return teller.events
    }

    private mutating func start(seed: UInt64) throws(RuleError) -> PartyEvent {
        guard !isOnAdventure else { throw .adventureRunning }
        guard !members.isEmpty else { throw .noHero }
        members = members.map { Member($0.hero) }
        adventure = Adventure(seed: seed)
        return note(.adventureBegan, at: .zero)
    }
}
