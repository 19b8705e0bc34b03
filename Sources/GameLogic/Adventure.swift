/// An adventure: a quest with encounters and loot, and a boss at its end.
///
/// Its content comes from its pack and all its dice from `seed`, so the pack, the seed and the
/// party's commands determine every event.
package struct Adventure: Hashable, Sendable {
    /// The most departed heroes remembered for their return.
    package static let departedMax = 32

    package let pack: Pack
    package let seed: UInt64
    package internal(set) var phase: Phase
    /// How far the adventure has been advanced.
    package internal(set) var advancedTo: GameTime
    /// The foe that the heroes are fighting on the quest, if any.
    package internal(set) var fight: Fight?
    package internal(set) var random: SeededRandom
    package internal(set) var nextStepAt: GameTime
    /// The number of steps of the quest so far.
    package internal(set) var steps: Int
    package internal(set) var lastScene: Scene?
    /// Heroes who left on the way, in their last state: returning heals no wound and fills no bag.
    package internal(set) var departed: [Member]
    /// Where the party is, and what is open.
    package internal(set) var course: Course {
        _read { yield courseApart.value }
        _modify { yield &courseApart.value }
    }
    private var courseApart = Apart<Course>()

    package enum Phase: Hashable, Sendable {
        case quest
        case boss(Boss, health: Int)
        case over(Outcome)
    }

    /// A foe in the way.
    package struct Fight: Hashable, Sendable {
        package let foe: Foe
        /// The hero whom the foe struck first and prefers to strike.
        package internal(set) var prey: HeroID?
        package internal(set) var health: Int

        package init(foe: Foe, prey: HeroID?, health: Int) {
            self.foe = foe
            self.prey = prey
            self.health = health
        }
    }

    init(seed: UInt64, in pack: Pack) {
        self.pack = pack
        self.seed = seed
        phase = .quest
        advancedTo = .zero
        random = SeededRandom(seed: seed)
        nextStepAt = .seconds(Int64(random.draw(in: pack.stages.first?.pace ?? Balance.pace)))
        steps = 0
        departed = []
    }

    /// Restores a stored adventure; `nil` where the values break a rule of the game.
    package init?(
        pack: Pack, seed: UInt64, phase: Phase, advancedTo: GameTime, fight: Fight?,
        random: SeededRandom, nextStepAt: GameTime, steps: Int, lastScene: Scene?,
        departed: [Member], course: Course = Course()
    ) {
        guard advancedTo.isWithinAdventure, nextStepAt.isWithinAdventure, pack.allows(phase),
            (0...Party.numberMax).contains(steps), departed.count <= Self.departedMax,
            fight.map(pack.allows) ?? true, pack.allows(course)
        else { return nil }
        self.pack = pack
        self.seed = seed
        self.phase = phase
        self.advancedTo = advancedTo
        self.fight = fight
        self.random = random
        self.nextStepAt = nextStepAt
        self.steps = steps
        self.lastScene = lastScene
        self.departed = departed
        courseApart = Apart(course)
    }
}

extension Pack {
    fileprivate func allows(_ phase: Adventure.Phase) -> Bool {
        switch phase {
        case .boss(let boss, let health):
            bosses[boss].map { (1...$0.health).contains(health) } ?? false
        case .quest, .over: true
        }
    }

    /// Only a boss rush has breaths, and only a shift against a world boss points.
    fileprivate func allows(_ course: Adventure.Course) -> Bool {
        (0...(rush?.order.count ?? 0)).contains(course.fallenBosses)
            && (course.breathUntil == nil || rush != nil)
            && (course.worldStage == nil && course.worldPoints == 0 || kind == .worldBoss)
    }

    fileprivate func allows(_ fight: Adventure.Fight) -> Bool {
        foes[fight.foe] != nil && (0...Party.numberMax).contains(fight.health)
    }
}

extension Adventure {
    package var isOver: Bool {
        switch phase {
        case .over: true
        case .quest, .boss: false
        }
    }

    /// When something visible happens next, unless a command intervenes.
    func nextChangeAt(of members: [Member]) -> GameTime {
        if let until = course.lastStandUntil { return min(until, pack.timeLimit) }
        var next = min(nextStepAt, pack.timeLimit)
        // By index: a copy of a member would count references, and every tick asks several times.
        for index in members.indices {
            switch members[index].condition {
            case .standing: break
            case .lostConnection(let until): next = min(next, until)
            case .knockedDown:
                if let due = members[index].outing.fall.nextAt { next = min(next, due) }
            }
        }
        for index in course.asks.indices {
            if let end = course.asks[index].endsAt { next = min(next, end) }
        }
        // What fell due during a last stand waits for its end.
        return max(next, advancedTo)
    }

    /// Returns when a question ends at the latest; `nil`: with the fight.
    package func end(of ask: Ask) -> GameTime? {
        switch ask.kind {
        // The boss's next blow.
        case .brace: nextStepAt
        case .flee, .guardFriend, .fork, .loot, .stop: ask.endsAt
        }
    }

    /// How the adventure ended; `nil` while it runs.
    package var outcome: Outcome? {
        switch phase {
        case .over(let outcome): outcome
        case .quest, .boss: nil
        }
    }

    /// The boss who is present.
    package var boss: Boss? {
        switch phase {
        case .boss(let boss, _): boss
        case .quest, .over: nil
        }
    }

    /// The health of the present boss.
    package var bossHealth: Int? {
        switch phase {
        case .boss(_, let health): health
        case .quest, .over: nil
        }
    }
}

// MARK: How far the party is

extension Adventure {
    /// How much of the way to the boss lies behind the party, in percent.
    package var wayBehind: Int {
        guard case .quest = phase else { return 100 }
        return wayWalked
    }

    /// The same by the steps alone, so that it stays as it was when the adventure is over.
    package var wayWalked: Int { steps * 100 / max(1, steps + stepsAhead) }

    /// The present boss's health in percent, at least 1.
    package var bossHealthPercent: Int? {
        guard case .boss(let boss, let health) = phase else { return nil }
        return max(1, health * 100 / (pack.bosses[boss]?.health ?? health))
    }

    /// The longest time between two steps, or two blows of the boss, in seconds of game time.
    package var slowestPace: Int {
        let stages = pack.stages.map(\.pace.upperBound)
        return (stages + pack.bosses.values.map(\.pace.upperBound)).max() ?? 0
    }

    /// The steps to the boss, by the safe ways.
    private var stepsAhead: Int {
        var ahead = 0
        var place = course.stage
        // A way meets no stage twice.
        for _ in pack.stages.indices where place < pack.stages.count {
            ahead += pack.stages[place].steps
            switch pack.stages[place].exit {
            case .stage(let next), .fork(_, bold: _, safe: let next, seconds: _): place = next
            }
        }
        return max(0, ahead - course.stageSteps)
    }
}
