extension AdventureEngine {
    /// Gives a potion to a hero, or to the giver itself. A knocked-down hero can drink their own:
    /// that is what the alert asks the player for.
    mutating func usePotion(by giverID: HeroID, on takerID: HeroID) throws(RuleError) {
        let giver = try place(of: giverID)
        let taker = try place(of: takerID)
        try checkPotion(from: party.members[giver], for: party.members[taker])
        pourPotion(from: giver, to: taker, restoring: Balance.potionHeal)
    }

    private func checkPotion(from giver: Member, for taker: Member) throws(RuleError) {
        for member in [giver, taker] where member.hasLostConnection {
            throw .heroLostConnection(member.hero.tag)
        }
        if giver.isKnockedDown, giver.hero.id != taker.hero.id {
            throw .heroIsDown(giver.hero.tag)
        }
        guard giver.potions > 0 else { throw .noPotionLeft(giver.hero.tag) }
        guard taker.health < .full else { throw .heroIsHealthy(taker.hero.tag) }
    }

    mutating func summonBoss() throws(RuleError) {
        guard adventure.boss == nil else { throw .bossAlreadyHere }
        bringBoss()
    }

    /// Does what a game master has chosen.
    mutating func arrange(_ arrangement: Arrangement) throws(RuleError) {
        switch arrangement {
        case .boss(let boss):
            guard adventure.boss == nil else { throw .bossAlreadyHere }
            guard let boss = adventure.pack.boss(named: boss) else { throw .noSuchBoss(boss) }
            bring(boss)
        case .item(let item, let hero):
            guard let item = adventure.pack.item(named: item) else { throw .noSuchItem(item) }
            try give(item, to: hero)
        case .potions(let count, let hero): givePotions(count, to: try places(of: hero))
        case .storm(let strength): raiseStorm(strength: strength)
        case .heal(let hero, let amount, let waking): try heal(hero, amount, waking)
        case .end(.timeLimit): letNightFall()
        case .end(.partyDefeated): loseAdventure()
        case .end(.endedByGameMaster): end(.endedByGameMaster)
        case .pause(let minutes, then: _): record(.adventurePaused(minutes: minutes))
        case .resume: record(.adventureResumed)
        case .message(let message): record(.messageSent(message))
        }
    }

    private mutating func give(_ item: Item, to hero: HeroID?) throws(RuleError) {
        let places = try places(of: hero)
        guard hero != nil || !adventure.pack.isRare(item) else { return giveAll(item) }
        for index in places {
            let tag = party.members[index].hero.tag
            pocket(item, of: index)
            if adventure.pack.isRare(item) {
                party.members[index].pocketPotion()
                record(.rareLootFound(tag, item))
            } else {
                record(.commonLootFound(tag, item))
            }
        }
    }

    private mutating func givePotions(_ count: Int, to places: [Int]) {
        for index in places {
            for _ in 0..<count { party.members[index].pocketPotion() }
            record(.potionsFound(party.members[index].hero.tag, count: count))
        }
    }

    /// Heals a hero, or all. A hero who is named and cannot be healed is a refusal.
    private mutating func heal(
        _ hero: HeroID?, _ amount: Int, _ waking: Arrangement.Waking
    ) throws(RuleError) {
        for index in try places(of: hero) {
            let member = party.members[index]
            let tag = member.hero.tag
            if member.isKnockedDown {
                guard waking == .wakes else {
                    if hero != nil { throw .heroIsDown(tag) }
                    continue
                }
                _ = party.members[index].heal(amount)
                wake(index)
                record(.revived(tag))
            } else {
                let gained = party.members[index].heal(amount)
                if gained == 0, hero != nil { throw .heroIsHealthy(tag) }
                if gained > 0 { record(.smallHeal(tag, amount: gained)) }
            }
        }
    }

    /// The members that a game master means: one, or all.
    private func places(of hero: HeroID?) throws(RuleError) -> [Int] {
        guard let hero else { return Array(party.members.indices) }
        return [try place(of: hero)]
    }

    /// Gives rare loot to one hero or to each, even to those who are knocked down or in the woods.
    mutating func dropLoot(for id: HeroID?) throws(RuleError) {
        if let id { return giveRareLoot(at: try place(of: id)) }
        if let item = draw(from: adventure.pack.rareLoot) { giveAll(item) }
    }

    /// Gives each hero the same rare item, and the potion that comes with it. One event says so: a
    /// card tells the newest, which would otherwise be another hero's find.
    private mutating func giveAll(_ item: Item) {
        for index in party.members.indices {
            party.members[index].pocketPotion()
            pocket(item, of: index)
        }
        record(.lootForAll(item))
    }

    /// Hurts every hero on the road slightly; the woods give shelter.
    mutating func raiseStorm(strength: Int = 100) {
        record(.stormRaised)
        let hit = standing
        for index in hit {
            let shelter = party.members[index].outing.gear.shelterPercent
            let force = draw(Balance.stormDamage) * strength / 100 * shelter / 100
            let damage = take(force, from: index)
            record(.hurt(party.members[index].hero.tag, by: .storm, damage: damage))
        }
        knockDown(hit)
    }

    /// Removes a hero. The last one ends the adventure, and the last one standing loses it.
    mutating func leave(at index: Int) {
        let leader = party.leader
        var member = party.members.remove(at: index)
        member.comeHome(expPercent: 100)
        adventure.course.forget(member.hero.id)
        member.outing.missed -= adventure.course.told
        adventure.departed.append(member)
        if adventure.departed.count > Adventure.departedMax { adventure.departed.removeFirst() }
        record(.heroLeft(member.hero.tag))
        recordLeader(after: leader)
        if party.members.isEmpty {
            end(.abandoned)
            party.returnFromInn()
            recordLeader(after: leader)
        } else {
            makeLastStandIfDown()
        }
    }

    private mutating func recordLeader(after before: PlayerID?) {
        if let leader = party.newLeader(after: before) { record(.leaderChanged(leader)) }
    }

    func place(of id: HeroID) throws(RuleError) -> Int {
        guard let index = party.members.firstIndex(where: { $0.hero.id == id }) else {
            throw party.absence(of: id)
        }
        return index
    }
}
