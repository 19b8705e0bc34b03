// Erasing what a player has chosen for a hero. The engine decides nothing by what is erased, so that
// a party whose commands, events and state are all erased still replays exactly.

extension Hero {
    /// The name, avatar and type of an erased hero: the same in every language.
    package static let erasedName = "👤"

    /// The class in place of the player's words for it; the engine decides by it.
    private var erasedType: String {
        heroClass == .wanderer ? Self.erasedName : heroClass.rawValue
    }

    /// The hero without name and avatar, and without the player's words for its class.
    var erased: Hero {
        Hero(
            id: id, owner: owner, name: Self.erasedName, avatar: Self.erasedName,
            heroType: erasedType, healthLevel: healthLevel, exp: exp, home: home)
    }
}

extension Party {
    /// Erases these heroes wherever the party remembers them.
    package mutating func erase(_ heroes: Set<HeroID>) {
        for index in members.indices { members[index].erase(heroes) }
        if !inn.isEmpty { inn = inn.map { heroes.contains($0.id) ? $0.erased : $0 } }
        lastEvent = lastEvent?.erasing(heroes)
        leaderEvent = leaderEvent?.erasing(heroes)
        guard var adventure else { return }
        for index in adventure.departed.indices { adventure.departed[index].erase(heroes) }
        if case .over(.bossDefeated(let boss, by: let hero)) = adventure.phase {
            adventure.phase = .over(.bossDefeated(boss, by: hero.erasing(heroes)))
        }
        self.adventure = adventure
    }
}

extension Command {
    /// The same command without the names of these heroes.
    package func erasing(_ heroes: Set<HeroID>) -> Command {
        guard case .join(let hero) = self, heroes.contains(hero.id) else { return self }
        return .join(hero.erased)
    }
}

extension PartyEvent {
    /// The same event without the names of these heroes.
    package func erasing(_ heroes: Set<HeroID>) -> PartyEvent {
        PartyEvent(
            sequence: sequence, time: time, kind: kind.mapHeroes { $0.erasing(heroes) },
            telling: telling)
    }
}

extension Member {
    fileprivate mutating func erase(_ heroes: Set<HeroID>) {
        if heroes.contains(hero.id) { hero = hero.erased }
    }
}

extension HeroTag {
    fileprivate func erasing(_ heroes: Set<HeroID>) -> HeroTag {
        heroes.contains(id) ? HeroTag(id: id, name: Hero.erasedName) : self
    }
}
