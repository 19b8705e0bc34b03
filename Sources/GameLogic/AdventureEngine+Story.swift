/// The quest: stages, ways that divide, and scenes.
extension AdventureEngine {
    /// The stage where the party is; `nil` when the boss is due.
    private var stage: Pack.Stage? {
        let place = adventure.course.stage
        return place < adventure.pack.stages.count ? adventure.pack.stages[place] : nil
    }

    var stagePace: ClosedRange<Int> {
        (stage ?? adventure.pack.stages.last)?.pace ?? Balance.pace
    }

    /// Schedules the next step, at the pace of where the party is.
    mutating func pauseForNextStep() {
        let pace = adventure.boss.flatMap { adventure.pack.bosses[$0]?.pace }
        pause(pace ?? stagePace)
    }

    /// Runs one step of the quest: the party waits at a fork, a fight continues, the boss or the
    /// next stage is due, or something new happens.
    mutating func takeQuestStep() {
        if let fork = adventure.course.openFork {
            adventure.nextStepAt = fork.endsAt ?? adventure.advancedTo
            return
        }
        if let fight = adventure.fight {
            countStep()
            return continueFight(fight)
        }
        guard let stage else { return endWay() }
        guard adventure.course.stageSteps < stage.steps else { return leave(stage) }
        countStep()
        let scene = drawScene(in: stage)
        adventure.lastScene = scene
        play(scene, in: stage)
    }

    private mutating func countStep() {
        adventure.steps += 1
        adventure.course.stageSteps += 1
        adventure.course.told += 1
        pause(stagePace)
    }

    private mutating func leave(_ stage: Pack.Stage) {
        switch stage.exit {
        case .stage(let next): enter(stage: next)
        case .fork(let fork, bold: _, safe: _, seconds: let seconds):
            let end = adventure.advancedTo + .seconds(Int64(seconds))
            adventure.nextStepAt = end
            record(.forkAsked(fork))
            ask(.fork(fork), until: end)
            castStandingVotes()
        }
    }

    /// Enters a stage; its first step is due at once.
    mutating func enter(stage: Int) {
        adventure.course.stage = stage
        adventure.course.stageSteps = 0
        adventure.nextStepAt = adventure.advancedTo
    }

    // MARK: Scenes

    /// Returns any scene that can happen now, but not the same surprise twice in a row.
    private mutating func drawScene(in stage: Pack.Stage) -> Scene {
        let rare = party.members.map(\.outing.heroClass.rareLootPercent).max() ?? 100
        let scenes = stage.scenes.filter { canPlay($0.choice) }.map { scene in
            Weighted(scene.choice, weight: scene.weight * (scene.choice == .rareLoot ? rare : 100))
        }
        return draw(from: scenes) ?? .commonLoot
    }

    private func canPlay(_ scene: Scene) -> Bool {
        switch scene {
        case .commonLoot, .foe, .storm: true
        case .tale: !untoldTales.isEmpty
        case .rareLoot: adventure.lastScene != .rareLoot
        case .campfire: weakest != nil
        case .woods:
            adventure.lastScene != .woods && standing.count > 1
                && !party.members.contains(where: \.hasLostConnection)
        }
    }

    private mutating func play(_ scene: Scene, in stage: Pack.Stage) {
        switch scene {
        case .commonLoot: findKeepsake()
        case .rareLoot: findTreasure()
        case .campfire: restAtCampfire()
        case .foe: meet(stage.foes)
        case .woods: strayIntoWoods()
        case .storm:
            raiseStorm(
                strength: adventure.pack.strength * adventure.course.difficulty.percent / 100)
        case .tale: if let tale = draw(from: untoldTales) { record(.taleTold(tale)) }
        }
    }

    /// No tale is told twice on an adventure.
    private var untoldTales: [Weighted<Tale>] {
        adventure.pack.tales.filter {
            !adventure.course.tellings.contains($0.choice.sentenceKey)
        }
    }

    private mutating func restAtCampfire() {
        guard let index = weakest else { return }
        let amount = party.members[index].heal(draw(Balance.campfireHeal))
        record(.smallHeal(party.members[index].hero.tag, amount: amount))
    }

    private mutating func findKeepsake() {
        guard let index = pick(from: standing), let item = draw(from: adventure.pack.commonLoot)
        else { return }
        pocket(item, of: index)
        record(.commonLootFound(party.members[index].hero.tag, item))
    }

    /// One hero finds rare loot; the others may ask for it.
    private mutating func findTreasure() {
        guard let index = pick(from: standing) else { return }
        let count = events.count
        giveRareLoot(at: index)
        guard party.members.count > 1, events.count > count,
            case .rareLootFound(let tag, let item) = events[count].kind, Gear.Kind(item) != nil
        else { return }
        let end = adventure.advancedTo + .seconds(Int64(Balance.lootSeconds))
        if ask(.loot(item, finder: tag.id), until: end) { record(.lootAsked(tag, item)) }
    }

    /// Gives rare loot and the potion that comes with it.
    mutating func giveRareLoot(at index: Int) {
        guard let item = draw(from: adventure.pack.rareLoot) else { return }
        party.members[index].pocketPotion()
        pocket(item, of: index)
        record(.rareLootFound(party.members[index].hero.tag, item))
    }

    /// Keeps what a member has found until it comes home.
    mutating func pocket(_ item: Item, of index: Int) {
        if let kind = Gear.Kind(item) {
            party.members[index].outing.found.append(kind)
        } else if item == .coin {
            party.members[index].outing.coins += 1
        } else {
            party.members[index].outing.keepsakes += 1
        }
    }

    private mutating func strayIntoWoods() {
        guard let index = pick(from: standing) else { return }
        let outing = party.members[index].outing
        let seconds =
            draw(adventure.pack.woods) * outing.heroClass.woodsPercent
            * outing.gear.shelterPercent / 10_000
        let until = adventure.advancedTo + .seconds(Int64(max(seconds, 1)))
        party.members[index].condition = .lostConnection(until: until)
        record(.connectionLost(party.members[index].hero.tag))
    }
}
