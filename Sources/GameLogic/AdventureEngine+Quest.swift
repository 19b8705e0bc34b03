extension AdventureEngine {
    /// Runs one step of the quest: a fight continues, something new happens, or the boss is due.
    mutating func tellQuestBeat() {
        let act = QuestStage.ofBeat(adventure.beats)
        adventure.beats += 1
        pause((act ?? QuestStage.quest[0]).pace)
        if let fight = adventure.fight {
            goOn(with: fight)
        } else if let act {
            let scene = drawScene(in: act)
            adventure.lastScene = scene
            play(scene, in: act)
        } else {
            bringBoss()
        }
    }

    /// Returns any scene that can happen now, but not the same surprise twice in a row.
    private mutating func drawScene(in act: QuestStage) -> Scene {
        let possible = act.scenes.filter { canPlay($0.scene) }
        var left = draw(1...max(possible.reduce(0) { $0 + $1.weight }, 1))
        for (scene, weight) in possible {
            left -= weight
            if left <= 0 { return scene }
        }
        return .commonLoot
    }

    private func canPlay(_ scene: Scene) -> Bool {
        switch scene {
        case .commonLoot: true
        case .foe: true
        case .rareLoot: adventure.lastScene != .rareLoot
        case .campfire: weakest != nil
        case .woods:
            adventure.lastScene != .woods && standing.count > 1
                && !party.members.contains(where: \.hasLostConnection)
        }
    }

    private mutating func play(_ scene: Scene, in act: QuestStage) {
        switch scene {
        case .commonLoot: findCommonLoot()
        case .rareLoot: if let index = pick(from: standing) { giveRareLoot(at: index) }
        case .campfire: restAtCampfire()
        case .foe: meetFoe(from: act.foes)
        case .woods: loseConnection()
        }
    }

    private mutating func findCommonLoot() {
        guard let index = pick(from: standing), let item = pick(from: Item.common) else { return }
        tell(.commonLootFound(party.members[index].hero.tag, item))
    }

    /// Gives rare loot and the potion that comes with it.
    mutating func giveRareLoot(at index: Int) {
        guard let item = pick(from: Item.rare) else { return }
        party.members[index].pocketPotion()
        tell(.rareLootFound(party.members[index].hero.tag, item))
    }

    /// The standing hero with the least health, if any is hurt.
    private var weakest: Int? {
        standing.filter { party.members[$0].health < .full }
            .min { party.members[$0].health < party.members[$1].health }
    }

    private mutating func restAtCampfire() {
        guard let index = weakest else { return }
        let amount = party.members[index].heal(draw(Balance.campfireHeal))
        tell(.smallHeal(party.members[index].hero.tag, amount: amount))
    }

    private mutating func loseConnection() {
        guard let index = pick(from: standing) else { return }
        let away = GameTime.seconds(Int64(draw(Balance.woodsSeconds)))
        party.members[index].condition = .lostConnection(until: adventure.advancedTo + away)
        tell(.connectionLost(party.members[index].hero.tag))
    }

    private mutating func meetFoe(from foes: [Foe]) {
        guard let foe = pick(from: foes) else { return }
        goOn(with: Adventure.Fight(foe: foe, prey: nil, blowsLeft: draw(foe.traits.blows)))
    }

    /// Lets the foe strike; when it has no blow left, a hero defeats it.
    private mutating func goOn(with fight: Adventure.Fight) {
        guard fight.blowsLeft > 0 else {
            adventure.fight = nil
            defeat(fight.foe)
            return
        }
        let prey = strike(as: fight.foe, percent: 100, after: fight.prey)
        guard !adventure.isOver else { return }
        adventure.fight = Adventure.Fight(
            foe: fight.foe, prey: fight.prey ?? prey, blowsLeft: fight.blowsLeft - 1)
    }

    private mutating func defeat(_ foe: Foe) {
        guard let index = pick(from: standing) else { return }
        party.members[index].hero.learn(foe.traits.exp)
        tell(.foeDefeated(foe, by: party.members[index].hero.tag))
    }
}
