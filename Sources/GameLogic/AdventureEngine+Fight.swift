extension AdventureEngine {
    /// One hero's share of a foe's attack, before it becomes an event.
    private struct Blow {
        let kind: PartyEvent.Kind
        let isCritical: Bool
    }

    /// Hits one standing hero, or two of a large party; `percent` is the foe's strength. Returns
    /// the hero who was hit first.
    @discardableResult
    mutating func strike(as foe: Foe, percent: Int, after prey: HeroID? = nil) -> HeroID? {
        let targets = aim(after: prey)
        let first = targets.first.map { party.members[$0].hero.id }
        let blows = targets.map { hit($0, as: foe, percent: percent) }
        blows.filter { !$0.isCritical }.forEach { tell($0.kind) }
        blows.filter(\.isCritical).forEach { tell($0.kind) }
        knockDown(targets)
        return first
    }

    /// Returns the heroes whom the next blow hits: more often than not the foe's prey.
    private mutating func aim(after prey: HeroID?) -> [Int] {
        var choices = standing
        var targets: [Int] = []
        if let prey, let place = choices.firstIndex(where: { party.members[$0].hero.id == prey }),
            draw(1...100) <= Balance.preyChance
        {
            targets.append(choices.remove(at: place))
        }
        while targets.count < Balance.targets(partySize: party.members.count), !choices.isEmpty {
            targets.append(choices.remove(at: draw(0...choices.count - 1)))
        }
        return targets
    }

    private mutating func hit(_ target: Int, as foe: Foe, percent: Int) -> Blow {
        let isCritical = draw(1...100) <= Balance.criticalChance
        let size = Balance.damagePercent(partySize: party.members.count)
        let weight = isCritical ? Balance.criticalPercent : 100
        let force = draw(foe.traits.damage) * percent * size * weight / 1_000_000
        let damage = party.members[target].suffer(max(force, 1))
        let tag = party.members[target].hero.tag
        let kind: PartyEvent.Kind =
            isCritical
            ? .criticallyHit(tag, by: foe, damage: damage) : .hurt(tag, by: foe, damage: damage)
        return Blow(kind: kind, isCritical: isCritical)
    }

    /// Knocks down the heroes without health. When none is left, the party is defeated.
    mutating func knockDown(_ hit: [Int]) {
        for index in hit where party.members[index].health == .none {
            party.members[index].condition = .knockedDown
            party.members[index].restRemainder = 0
            tell(.knockedDown(party.members[index].hero.tag))
        }
        endIfDefeated()
    }

    /// Ends the adventure when every hero is knocked down; one in the woods may still save the
    /// party.
    mutating func endIfDefeated() {
        guard party.members.allSatisfy(\.isKnockedDown) else { return }
        tell(.partyDefeated)
        end(.partyDefeated)
    }
}
