extension AdventureEngine {
    /// Gives a potion to a hero, or to the giver itself. A knocked-down hero can drink their own:
    /// that is what the alert asks the player for.
    mutating func usePotion(by giverID: HeroID, on takerID: HeroID) throws(RuleError) {
        let giver = try place(of: giverID)
        let taker = try place(of: takerID)
        try checkPotion(from: party.members[giver], for: party.members[taker])
        party.members[giver].potions -= 1
        let wasDown = party.members[taker].isKnockedDown
        _ = party.members[taker].heal(Balance.potionHeal)
        party.members[taker].condition = .standing
        let tag = party.members[taker].hero.tag
        record(.potionUsed(by: party.members[giver].hero.tag, on: tag))
        if wasDown { record(.revived(tag)) }
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

    /// Gives rare loot to one hero or to each, even to those who are knocked down or in the woods.
    mutating func dropLoot(for id: HeroID?) throws(RuleError) {
        guard let id else {
            party.members.indices.forEach { giveRareLoot(at: $0) }
            return
        }
        giveRareLoot(at: try place(of: id))
    }

    /// Hurts every hero on the road slightly; the woods give shelter.
    mutating func raiseStorm() {
        record(.stormRaised)
        let hit = standing
        for index in hit {
            let damage = party.members[index].suffer(draw(Foe.storm.traits.damage))
            record(.hurt(party.members[index].hero.tag, by: .storm, damage: damage))
        }
        knockDown(hit)
    }

    /// Removes a hero. The last one ends the adventure, and the last one standing loses it.
    mutating func leave(at index: Int, _ succession: Succession) {
        let leader = party.leader
        let member = party.members.remove(at: index)
        adventure.departed.append(member)
        if adventure.departed.count > Adventure.departedMax { adventure.departed.removeFirst() }
        record(.heroLeft(member.hero.tag))
        events += party.noteLeader(after: leader, succession, at: adventure.advancedTo)
        if party.members.isEmpty {
            end(.abandoned)
        } else {
            endIfDefeated()
        }
    }

    private func place(of id: HeroID) throws(RuleError) -> Int {
        guard let index = party.members.firstIndex(where: { $0.hero.id == id }) else {
            throw .notInParty(id)
        }
        return index
    }
}
