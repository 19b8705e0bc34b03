/// Fights: foes with health, bosses with phases.
extension AdventureEngine {
    // MARK: Foes

    mutating func meet(_ foes: [Weighted<Foe>]) {
        guard let foe = draw(from: foes), let traits = adventure.pack.foes[foe] else { return }
        adventure.fight = Adventure.Fight(foe: foe, prey: nil, health: draw(traits.health))
        record(.foeAppeared(foe))
        strikeAsFoe()
    }

    /// Every hero strikes, then the foe strikes back.
    mutating func continueFight(_ fight: Adventure.Fight) {
        var left = fight.health
        for index in standing {
            left -= strength(of: index)
            if left <= 0 { return fell(fight.foe, by: index) }
        }
        adventure.fight?.health = left
        strikeAsFoe()
    }

    private mutating func strikeAsFoe() {
        guard let fight = adventure.fight, let damage = adventure.pack.damage(of: fight.foe) else {
            return
        }
        let first = hitSome(as: fight.foe, damage, percent: 100, after: fight.prey)
        if adventure.fight?.prey == nil { adventure.fight?.prey = first }
        askAboutFight()
    }

    private mutating func fell(_ foe: Foe, by index: Int) {
        let exp = adventure.pack.foes[foe]?.exp ?? 0
        for hero in standing { party.members[hero].outing.earned += exp }
        party.members[index].outing.earned += exp * Balance.lastBlowPercent / 100
        adventure.fight = nil
        closeFight()
        record(.foeDefeated(foe, by: party.members[index].hero.tag))
    }

    /// Returns one hero's damage: a share of the party's blow, as mighty as the hero is.
    private mutating func strength(of index: Int) -> Int {
        draw(Balance.partyBlow) * party.members[index].outing.might / (100 * party.members.count)
    }

    // MARK: Bosses

    /// Ends the quest: a boss appears, and any other foe runs.
    mutating func bringBoss() {
        guard let boss = nextBoss() else { return }
        bring(boss)
    }

    mutating func bring(_ boss: Boss) {
        guard let traits = adventure.pack.bosses[boss] else { return }
        leaveFoe()
        adventure.phase = .boss(boss, health: traits.health)
        closeFight()
        adventure.course.closeFork()
        adventure.course.endBreath()
        adventure.course.bossPhase = 0
        adventure.course.move = 0
        pause(traits.pace)
        record(.bossAppeared(boss))
    }

    /// Runs one step of the boss fight: each hero strikes; then the boss falls, begins its next
    /// phase or strikes back.
    mutating func takeBossStep(_ boss: Boss, health: Int) {
        guard let traits = adventure.pack.bosses[boss] else { return }
        adventure.course.told += 1
        pause(traits.pace)
        var left = health
        for index in standing {
            left -= strength(of: index)
            guard left > 0 else {
                countWorldHit(health - left)
                return fell(boss, traits, by: index)
            }
        }
        countWorldHit(health - left)
        adventure.phase = .boss(boss, health: left)
        guard !beginNextPhase(of: boss, traits, at: left) else { return }
        strike(as: boss, traits)
        if !adventure.isOver { askAboutFight() }
    }

    /// Begins the boss's next phase, if its health is low enough. It takes a breath then.
    private mutating func beginNextPhase(
        of boss: Boss, _ traits: BossTraits, at health: Int
    ) -> Bool {
        let next = adventure.course.bossPhase + 1
        guard next < traits.phases.count, health * 100 < traits.health * traits.phases[next].below
        else { return false }
        adventure.course.bossPhase = next
        adventure.course.move = 0
        stopGathering()
        record(.bossEnraged(boss, phase: next + 1))
        return true
    }

    private mutating func strike(as boss: Boss, _ traits: BossTraits) {
        let place = adventure.course.bossPhase
        guard place < traits.phases.count, !traits.phases[place].moves.isEmpty else { return }
        let phase = traits.phases[place]
        if adventure.course.isGathering {
            return hitAll(as: boss, traits, percent: phase.damage * Balance.chargePercent)
        }
        let move = phase.moves[adventure.course.move % phase.moves.count]
        adventure.course.move = (adventure.course.move + 1) % phase.moves.count
        switch move {
        case .blow: hitSome(as: boss.foe, traits.damage, percent: phase.damage, after: nil)
        case .drain:
            if case .boss(_, let left) = adventure.phase {
                let more = min(left + Balance.drainHeal, traits.health)
                adventure.phase = .boss(boss, health: more)
            }
            let percent = phase.damage * Balance.drainPercent / 100
            hitSome(as: boss.foe, traits.damage, percent: percent, after: nil)
        case .sweep: hitAll(as: boss, traits, percent: phase.damage * Balance.sweepPercent)
        case .charge:
            adventure.course.isGathering = true
            let warning = record(.bossGathers(boss))
            ask(.brace, until: nil, in: warning.telling)
        }
    }

    private mutating func stopGathering() {
        adventure.course.isGathering = false
        adventure.course.closeAsks { $0.kind == .brace }
    }

    private mutating func fell(_ boss: Boss, _ traits: BossTraits, by index: Int) {
        for member in party.members.indices {
            party.members[member].outing.earned += traits.exp
        }
        party.members[index].outing.earned += traits.lastBlowExp
        let tag = party.members[index].hero.tag
        record(.bossDefeated(boss, by: tag))
        if !takeBreath() { end(.bossDefeated(boss, by: tag)) }
    }

    // MARK: Blows

    /// Hits everybody who stands. `percent` of a blow, in hundredths, is shared by the party.
    private mutating func hitAll(as boss: Boss, _ traits: BossTraits, percent: Int) {
        let count = party.members.count
        let share = percent * Balance.targets(partySize: count) / (100 * count)
        let covered = adventure.course.asks.first { $0.kind == .brace }?.yes ?? []
        stopGathering()
        record(.bossSweeps(boss))
        let hit = standing
        for index in hit {
            let isCovered = covered.contains(party.members[index].hero.id)
            let cover = isCovered ? Balance.coverPercent : 100
            _ = hurt(index, traits.damage, percent: share, cover: cover)
        }
        knockDown(hit)
    }

    /// Hits one hero, or two of a large party; guards take the blows of their friends. Returns the
    /// hero who was hit first.
    @discardableResult
    private mutating func hitSome(
        as foe: Foe, _ damage: ClosedRange<Int>, percent: Int, after prey: HeroID?
    ) -> HeroID? {
        var hit: [Int] = []
        var critical: [Int] = []
        var kinds: [PartyEvent.Kind] = []
        for aimed in aim(after: prey) {
            let (index, cover) = guarding(aimed, besides: hit)
            let tag = party.members[index].hero.tag
            let blow = hurt(index, damage, percent: percent, cover: cover)
            if blow.isCritical {
                critical.append(index)
                kinds.append(.criticallyHit(tag, by: foe, damage: blow.damage))
            } else {
                kinds.insert(.hurt(tag, by: foe, damage: blow.damage), at: 0)
            }
            hit.append(index)
        }
        kinds.forEach { record($0) }
        noteDanger(of: critical)
        knockDown(hit)
        return hit.first.map { party.members[$0].hero.id }
    }

    /// Takes health. Returns how much, and whether the hit was critical.
    private mutating func hurt(
        _ index: Int, _ damage: ClosedRange<Int>, percent: Int, cover: Int
    ) -> (damage: Int, isCritical: Bool) {
        let isCritical = draw(1...100) <= Balance.criticalChance
        let factors = [
            percent, Balance.damagePercent(partySize: party.members.count),
            isCritical ? Balance.criticalPercent : 100, party.members[index].outing.taken,
            adventure.pack.strength, adventure.course.difficulty.percent,
        ]
        // One product, divided once: at most 1000 × 500 × 85 × 170 × 110 × 300 × 220, below 2⁶³.
        let force = factors.reduce(draw(damage), *) / 1_000_000_000_000 * cover / 100
        return (take(max(force, 1), from: index), isCritical)
    }

    /// Takes health, but in a training not the last. Returns how much was taken.
    mutating func take(_ force: Int, from index: Int) -> Int {
        let least = adventure.pack.kind == .training ? Balance.trainingHealthMin : 0
        let most = max(party.members[index].health.thousandths - least, 0)
        return party.members[index].suffer(min(force, most))
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

    /// Returns who takes the blow, and what it costs in percent: a guard in place of a friend.
    private mutating func guarding(_ aimed: Int, besides hit: [Int]) -> (index: Int, cover: Int) {
        let friend = party.members[aimed].hero.id
        guard let place = adventure.course.guards.firstIndex(where: { $0.friend == friend }),
            let index = standing.first(where: {
                party.members[$0].hero.id == adventure.course.guards[place].hero
            }), !hit.contains(index)
        else { return (aimed, 100) }
        adventure.course.guards[place].blows -= 1
        if adventure.course.guards[place].blows <= 0 { adventure.course.guards.remove(at: place) }
        return (index, party.members[index].outing.heroClass.guardPercent)
    }

    /// Tells the players of heroes whom a critical hit has left with little health, and who have a
    /// potion: once, until the hero has been well again. A hero who drinks by order needs no help.
    private mutating func noteDanger(of hit: [Int]) {
        for index in hit {
            let member = party.members[index]
            guard (1...Balance.dangerHealth).contains(member.health.thousandths),
                member.potions > 0, !member.outing.isInDanger,
                member.outing.orders.whenDown != .drink
            else { continue }
            party.members[index].outing.isInDanger = true
            record(.inDanger(member.hero.tag))
        }
    }

    /// Ends a fight with a foe, if there is one, without a defeat.
    mutating func leaveFoe() {
        guard let fight = adventure.fight else { return }
        adventure.fight = nil
        closeFight()
        record(.foeLeft(fight.foe))
    }

    /// Ends what belongs to one fight.
    mutating func closeFight() {
        stopGathering()
        adventure.course.closeAsks { $0.kind.endsWithFight }
        adventure.course.guards = []
        adventure.course.hasAskedToFlee = false
    }
}
