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
    package internal(set) var isBossEnraged: Bool
    package internal(set) var random: SeededRandom
    package internal(set) var nextStepAt: GameTime
    /// The number of steps of the quest so far.
    package internal(set) var steps: Int
    package internal(set) var lastScene: Scene?
    /// Heroes who left on the way, in their last state: returning heals no wound and fills no bag.
    package internal(set) var departed: [Member]
    /// What rules 2 know beside.
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

    /// A foe in the way, and how long it will stand.
    package struct Fight: Hashable, Sendable {
        package let foe: Foe
        /// The hero whom the foe struck first and prefers to strike.
        package internal(set) var prey: HeroID?
        /// Blows in rules 1, health since rules 2.
        package internal(set) var left: Int

        package init(foe: Foe, prey: HeroID?, left: Int) {
            self.foe = foe
            self.prey = prey
            self.left = left
        }
    }

    init(seed: UInt64, in pack: Pack) {
        self.pack = pack
        self.seed = seed
        phase = .quest
        advancedTo = .zero
        isBossEnraged = false
        random = SeededRandom(seed: seed)
        nextStepAt = .seconds(Int64(random.draw(in: pack.stages.first?.pace ?? Balance.lostPace)))
        steps = 0
        departed = []
    }

    /// Restores a stored adventure; `nil` where the values break a rule of the game.
    package init?(
        pack: Pack, seed: UInt64, phase: Phase, advancedTo: GameTime, fight: Fight?,
        isBossEnraged: Bool,
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
        self.isBossEnraged = isBossEnraged
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

    /// Only a boss rush has breaths.
    fileprivate func allows(_ course: Adventure.Course) -> Bool {
        (0...(rush?.order.count ?? 0)).contains(course.fallenBosses)
            && (course.breathUntil == nil || rush != nil)
    }

    fileprivate func allows(_ fight: Adventure.Fight) -> Bool {
        foes[fight.foe] != nil && (0...Party.numberMax).contains(fight.left)
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
