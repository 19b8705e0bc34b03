extension PartyEvent.Kind {
    /// Returns the same event with its heroes as `tag` returns them.
    package func mapHeroes(_ tag: (HeroTag) -> HeroTag) -> Self {
        switch self {
        case .commonLootFound(let hero, let item): .commonLootFound(tag(hero), item)
        case .rareLootFound(let hero, let item): .rareLootFound(tag(hero), item)
        case .smallHeal(let hero, let amount): .smallHeal(tag(hero), amount: amount)
        case .hurt(let hero, let foe, let damage): .hurt(tag(hero), by: foe, damage: damage)
        case .criticallyHit(let hero, let foe, let damage):
            .criticallyHit(tag(hero), by: foe, damage: damage)
        case .knockedDown(let hero): .knockedDown(tag(hero))
        case .potionUsed(let giver, let taker): .potionUsed(by: tag(giver), on: tag(taker))
        case .revived(let hero): .revived(tag(hero))
        case .foeDefeated(let foe, let hero): .foeDefeated(foe, by: tag(hero))
        case .bossDefeated(let boss, let hero): .bossDefeated(boss, by: tag(hero))
        case .heroJoined(let hero): .heroJoined(tag(hero))
        case .heroLeft(let hero): .heroLeft(tag(hero))
        case .connectionLost(let hero): .connectionLost(tag(hero))
        case .connectionReturned(let hero): .connectionReturned(tag(hero))
        case .leaderChanged(let hero): .leaderChanged(tag(hero))
        case .potionsFound(let hero, let count): .potionsFound(tag(hero), count: count)
        case .inDanger(let hero): .inDanger(tag(hero))
        case .helpAsked(let fallen, let helper): .helpAsked(tag(fallen), of: tag(helper))
        case .lastStand(let hero): .lastStand(tag(hero))
        case .secondWind(let hero): .secondWind(tag(hero))
        case .guardAsked(let hero): .guardAsked(tag(hero))
        case .guarded(let friend, let hero): .guarded(tag(friend), by: tag(hero))
        case .lootAsked(let hero, let item): .lootAsked(tag(hero), item)
        case .lootGiven(let hero, let item): .lootGiven(tag(hero), item)
        case .heroStayed(let hero): .heroStayed(tag(hero))
        case .heroFollowed(let hero): .heroFollowed(tag(hero))
        case .adventureOver(.bossDefeated(let boss, let hero), let pack):
            .adventureOver(.bossDefeated(boss, by: tag(hero)), in: pack)
        case .adventureBegan, .foeAppeared, .foeLeft, .bossAppeared, .bossEnraged, .stormRaised,
            .partyDefeated, .timeLimitReached, .adventureOver, .adventurePaused, .adventureResumed,
            .messageSent,
            .bossGathers, .bossSweeps, .taleTold, .forkAsked, .forkTaken, .fleeAsked, .fled,
            .breathTaken, .potionsRefilled, .stopAsked, .stopped, .worldHit, .worldBossWeakened,
            .worldBossDefeated, .lootForAll, .readyAsked, .readyCheckEnded:
            self
        }
    }

    /// The heroes of the event, in the order of its text.
    package var heroes: [HeroTag] {
        var heroes: [HeroTag] = []
        _ = mapHeroes { hero in
            heroes.append(hero)
            return hero
        }
        return heroes
    }
}

extension Hero {
    /// Returns the same hero under another name.
    package func named(_ name: String) -> Hero {
        Hero(
            id: id, owner: owner, name: name, avatar: avatar, heroType: heroType,
            healthLevel: healthLevel, exp: exp, home: home)
    }

    /// What stands for a hero whose name is hidden: avatar and class.
    package var withoutName: String { "\(avatar) \(heroType)" }
}
