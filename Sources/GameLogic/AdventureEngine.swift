/// Advances a running adventure: holds the party while it changes, and the events so far.
///
/// The party creates an engine from itself and takes `finishedParty` back, or discards the engine
/// when a command is refused.
struct AdventureEngine {
    var party: Party
    var adventure: Adventure
    var events: [PartyEvent] = []

    /// `nil` when the party is on no adventure.
    init?(of party: Party) {
        guard let adventure = party.adventure, !adventure.isOver else { return nil }
        self.party = party
        self.adventure = adventure
    }

    /// The party after all events.
    var finishedParty: Party {
        var finished = party
        finished.adventure = adventure
        if adventure.isOver { finished.returnFromInn() }
        return finished
    }

    mutating func record(_ kind: PartyEvent.Kind) {
        events.append(party.note(kind, at: adventure.advancedTo))
    }

    mutating func end(_ outcome: Outcome) {
        if adventure.pack.rules == .second {
            adventure.course.company = party.members.count(where: \.outing.hasSetOut)
            bringHeroesHome(after: outcome)
        }
        adventure.phase = .over(outcome)
        adventure.fight = nil
        record(.adventureOver(outcome))
    }
}

// MARK: Draws

extension AdventureEngine {
    /// The indices of the members who can act and be hit, in the party's order.
    var standing: [Int] { party.members.indices.filter { party.members[$0].isStanding } }

    mutating func draw(_ range: ClosedRange<Int>) -> Int { adventure.random.draw(in: range) }

    /// Returns one of the table's choices; `nil` when it has none.
    mutating func draw<Choice>(from table: [Weighted<Choice>]) -> Choice? {
        var left = draw(1...max(table.reduce(0) { $0 + $1.weight }, 1))
        for row in table {
            left -= row.weight
            if left <= 0 { return row.choice }
        }
        return nil
    }

    /// Returns one of the choices, each with the same probability; `nil` when there is none.
    mutating func pick<Choice>(from choices: [Choice]) -> Choice? {
        guard !choices.isEmpty else { return nil }
        return choices[draw(0...choices.count - 1)]
    }

    /// Schedules the next step after a random pause of `pace` seconds.
    mutating func pause(_ pace: ClosedRange<Int>) {
        adventure.nextStepAt = adventure.advancedTo + .seconds(Int64(draw(pace)))
    }
}

// MARK: Time

extension AdventureEngine {
    private var nextChangeAt: GameTime { adventure.nextChangeAt(of: party.members) }

    /// Advances to `time`, change by change, but by at most `momentsMax` changes.
    mutating func advance(to time: GameTime, momentsMax: Int) {
        var moments = 0
        while !adventure.isOver, nextChangeAt <= time {
            guard moments < momentsMax else { return }
            pass(to: nextChangeAt)
            applyDueChange()
            moments += 1
        }
        if !adventure.isOver { pass(to: time) }
    }

    /// Lets time pass: the heroes rest.
    private mutating func pass(to time: GameTime) {
        guard time > adventure.advancedTo else { return }
        let duration = time - adventure.advancedTo
        for index in party.members.indices { party.members[index].rest(for: duration) }
        adventure.advancedTo = time
    }

    /// Applies what is due at one instant: the time limit first, then returning heroes, then the
    /// step.
    private mutating func applyDueChange() {
        guard adventure.advancedTo < adventure.pack.timeLimit else {
            record(.timeLimitReached)
            end(.timeLimit)
            return
        }
        switch adventure.pack.rules {
        case .first:
            returnHeroes()
            if adventure.nextStepAt <= adventure.advancedTo { takeStep() }
        case .second: applyDueChangeOfStory()
        }
    }

    mutating func returnHeroes() {
        for index in party.members.indices {
            if let until = party.members[index].lostUntil, until <= adventure.advancedTo {
                returnHero(at: index)
            }
        }
    }

    private mutating func returnHero(at index: Int) {
        party.members[index].condition = .standing
        record(.connectionReturned(party.members[index].hero.tag))
    }

    private mutating func takeStep() {
        guard !standing.isEmpty else {
            returnLostHero()
            return
        }
        switch adventure.phase {
        case .quest: takeQuestStep()
        case .boss(let boss, let health): takeBossStep(boss, health: health)
        case .over: break
        }
    }

    /// Returns the hero from the woods early when all others are knocked down.
    mutating func returnLostHero(pace: ClosedRange<Int> = Balance.lostPace) {
        pause(pace)
        if let index = party.members.firstIndex(where: \.hasLostConnection) {
            returnHero(at: index)
        }
    }
}

// MARK: The quest

extension AdventureEngine {
    /// Runs one step of the quest: a fight continues, something new happens, or the boss is due.
    private mutating func takeQuestStep() {
        let stage = adventure.pack.stage(ofStep: adventure.steps)
        adventure.steps += 1
        pause((stage ?? adventure.pack.stages.first)?.pace ?? Balance.lostPace)
        if let fight = adventure.fight {
            goOn(with: fight)
        } else if let stage {
            let scene = drawScene(in: stage)
            adventure.lastScene = scene
            play(scene, in: stage)
        } else {
            bringBoss()
        }
    }

    /// Returns any scene that can happen now, but not the same surprise twice in a row.
    private mutating func drawScene(in stage: Pack.Stage) -> Scene {
        draw(from: stage.scenes.filter { canPlay($0.choice) }) ?? .commonLoot
    }

    func canPlay(_ scene: Scene) -> Bool {
        switch scene {
        case .commonLoot: true
        case .foe: true
        case .rareLoot: adventure.lastScene != .rareLoot
        case .campfire: weakest != nil
        case .woods:
            adventure.lastScene != .woods && standing.count > 1
                && !party.members.contains(where: \.hasLostConnection)
        case .storm, .tale: true
        }
    }

    private mutating func play(_ scene: Scene, in stage: Pack.Stage) {
        switch scene {
        case .commonLoot: findCommonLoot()
        case .rareLoot: if let index = pick(from: standing) { giveRareLoot(at: index) }
        case .campfire: restAtCampfire()
        case .foe: meetFoe(from: stage.foes)
        case .woods: loseConnection()
        // Packs of rules 1 have neither.
        case .storm, .tale: break
        }
    }

    private mutating func findCommonLoot() {
        guard let index = pick(from: standing), let item = draw(from: adventure.pack.commonLoot)
        else { return }
        record(.commonLootFound(party.members[index].hero.tag, item))
    }

    /// Gives rare loot and the potion that comes with it.
    mutating func giveRareLoot(at index: Int) {
        guard let item = draw(from: adventure.pack.rareLoot) else { return }
        party.members[index].pocketPotion()
        pocket(item, of: index)
        record(.rareLootFound(party.members[index].hero.tag, item))
    }

    /// The standing hero with the least health, if any is hurt.
    var weakest: Int? {
        standing.filter { party.members[$0].health < .full }
            .min { party.members[$0].health < party.members[$1].health }
    }

    mutating func restAtCampfire() {
        guard let index = weakest else { return }
        let amount = party.members[index].heal(draw(Balance.campfireHeal))
        record(.smallHeal(party.members[index].hero.tag, amount: amount))
    }

    private mutating func loseConnection() {
        guard let index = pick(from: standing) else { return }
        let away = GameTime.seconds(Int64(draw(Balance.woodsSeconds)))
        party.members[index].condition = .lostConnection(until: adventure.advancedTo + away)
        record(.connectionLost(party.members[index].hero.tag))
    }

    private mutating func meetFoe(from foes: [Weighted<Foe>]) {
        guard let foe = draw(from: foes), let traits = adventure.pack.foes[foe] else { return }
        goOn(with: Adventure.Fight(foe: foe, prey: nil, left: draw(traits.endurance)))
    }

    /// Lets the foe strike; when it has no blow left, a hero defeats it.
    private mutating func goOn(with fight: Adventure.Fight) {
        guard fight.left > 0 else {
            adventure.fight = nil
            defeat(fight.foe)
            return
        }
        let prey = strike(as: fight.foe, after: fight.prey)
        guard !adventure.isOver else { return }
        adventure.fight = Adventure.Fight(
            foe: fight.foe, prey: fight.prey ?? prey, left: fight.left - 1)
    }

    private mutating func defeat(_ foe: Foe) {
        guard let index = pick(from: standing) else { return }
        party.members[index].hero.learn(adventure.pack.foes[foe]?.exp ?? 0)
        record(.foeDefeated(foe, by: party.members[index].hero.tag))
    }
}

// MARK: The boss

extension AdventureEngine {
    /// Ends the quest: a boss appears, and any other foe runs.
    mutating func bringBoss() {
        guard let boss = nextBoss() else { return }
        bring(boss)
    }

    mutating func bring(_ boss: Boss) {
        guard let traits = adventure.pack.bosses[boss] else { return }
        adventure.phase = .boss(boss, health: traits.health)
        adventure.fight = nil
        if adventure.pack.rules == .second {
            closeFight()
            adventure.course.closeFork()
            adventure.course.endBreath()
            adventure.course.bossPhase = 0
            adventure.course.move = 0
        }
        pause(traits.pace)
        record(.bossAppeared(boss))
    }

    /// Runs one step of the boss fight: each hero strikes; then the boss falls, rages or strikes
    /// back.
    private mutating func takeBossStep(_ boss: Boss, health: Int) {
        guard let traits = adventure.pack.bosses[boss] else { return }
        pause(traits.pace)
        var left = health
        for index in standing {
            left -= blow(of: index)
            guard left > 0 else { return defeat(boss, traits, by: index) }
        }
        adventure.phase = .boss(boss, health: left)
        if left < Balance.enragedBelow, !adventure.isBossEnraged {
            adventure.isBossEnraged = true
            record(.bossEnraged(boss))
        } else {
            let percent = adventure.isBossEnraged ? Balance.enragedPercent : 100
            strike(as: boss.foe, percent: percent)
        }
    }

    /// Returns one hero's damage to the boss: a share of the party's blow, more with experience.
    private mutating func blow(of index: Int) -> Int {
        let bonus = min(
            max(party.members[index].hero.exp / Balance.expPerBlowBonus, 0), Balance.blowBonusMax)
        return draw(Balance.partyBlow) * (100 + bonus) / (100 * party.members.count)
    }

    private mutating func defeat(_ boss: Boss, _ traits: BossTraits, by index: Int) {
        for member in party.members.indices { party.members[member].hero.learn(traits.exp) }
        party.members[index].hero.learn(traits.lastBlowExp)
        let tag = party.members[index].hero.tag
        record(.bossDefeated(boss, by: tag))
        end(.bossDefeated(boss, by: tag))
    }
}

// MARK: Blows

extension AdventureEngine {
    /// One hero's share of a foe's attack, before it becomes an event.
    private struct Blow {
        let kind: PartyEvent.Kind
        let isCritical: Bool
    }

    /// Hits one standing hero, or two of a large party; `percent` is the foe's strength. Returns
    /// the hero who was hit first.
    @discardableResult
    private mutating func strike(
        as foe: Foe, percent: Int = 100, after prey: HeroID? = nil
    ) -> HeroID? {
        guard let damage = adventure.pack.damage(of: foe) else { return nil }
        let targets = aim(after: prey)
        let first = targets.first.map { party.members[$0].hero.id }
        let blows = targets.map { hit($0, as: foe, damage, percent: percent) }
        blows.filter { !$0.isCritical }.forEach { record($0.kind) }
        blows.filter(\.isCritical).forEach { record($0.kind) }
        knockDown(targets)
        return first
    }

    /// Returns the heroes whom the next blow hits: more often than not the foe's prey.
    mutating func aim(after prey: HeroID?) -> [Int] {
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

    private mutating func hit(
        _ target: Int, as foe: Foe, _ range: ClosedRange<Int>, percent: Int
    ) -> Blow {
        let isCritical = draw(1...100) <= Balance.criticalChance
        let size = Balance.damagePercent(partySize: party.members.count)
        let weight = isCritical ? Balance.criticalPercent : 100
        let force =
            draw(range) * percent * size * weight * adventure.pack.strength / 100_000_000
        let damage = party.members[target].suffer(max(force, 1))
        let tag = party.members[target].hero.tag
        let kind: PartyEvent.Kind =
            isCritical
            ? .criticallyHit(tag, by: foe, damage: damage) : .hurt(tag, by: foe, damage: damage)
        return Blow(kind: kind, isCritical: isCritical)
    }

    /// Knocks down the heroes without health. When none is left, the party is defeated.
    mutating func knockDown(_ hit: [Int]) {
        let fallen = hit.filter { index in
            party.members[index].health == .none && !party.members[index].isKnockedDown
        }
        for index in fallen {
            party.members[index].condition = .knockedDown
            party.members[index].restRemainder = 0
            record(.knockedDown(party.members[index].hero.tag))
        }
        // After all falls: nobody who fell with the others is asked to help.
        if adventure.pack.rules == .second { fallen.forEach { noteFall(of: $0) } }
        endIfDefeated()
    }

    /// Ends the adventure when every hero is knocked down; one in the woods may still save the
    /// party.
    mutating func endIfDefeated() {
        guard party.members.allSatisfy(\.isKnockedDown) else { return }
        switch adventure.pack.rules {
        case .first: loseAdventure()
        case .second: makeLastStand()
        }
    }

    mutating func loseAdventure() {
        record(.partyDefeated)
        end(.partyDefeated)
    }
}
