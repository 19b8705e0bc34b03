// Restoring stored values. Each initializer takes what the getters of its type return, and returns
// `nil` where that breaks a rule of the game, so that no stored value can trap the program.

extension Party {
    /// The largest number of an event, and the largest count of anything.
    package static let numberMax = 1 << 53

    package init?(
        id: PartyID, members: [Member], adventure: Adventure?, lastEvent: PartyEvent?,
        nextSequence: Int
    ) {
        guard members.count <= Self.sizeMax, Self.areDistinct(members),
            (1...Self.numberMax).contains(nextSequence),
            lastEvent.map({ (1..<nextSequence).contains($0.sequence) }) ?? true
        else { return nil }
        self.id = id
        self.members = members
        self.adventure = adventure
        self.lastEvent = lastEvent
        self.nextSequence = nextSequence
    }

    private static func areDistinct(_ members: [Member]) -> Bool {
        members.indices.allSatisfy { index in
            !members[..<index].contains { $0.hero.id == members[index].hero.id }
        }
    }
}

extension Member {
    /// The rest that amounts to a whole thousandth of health.
    private static let restWhole = Int(GameTime.minutes(60).milliseconds)

    package init?(
        hero: Hero, health: Health, potions: Int, condition: Condition, restRemainder: Int
    ) {
        guard (0...Balance.potionsMax).contains(potions),
            (0..<Self.restWhole).contains(restRemainder)
        else { return nil }
        if case .lostConnection(let until) = condition, !until.isInStory { return nil }
        self.hero = hero
        self.health = health
        self.potions = potions
        self.condition = condition
        self.restRemainder = restRemainder
    }
}

extension Adventure {
    package init?(
        seed: UInt64, phase: Phase, advancedTo: GameTime, fight: Fight?, isBossEnraged: Bool,
        random: SeededRandom, nextBeatAt: GameTime, beats: Int, lastScene: Scene?,
        departed: [Member]
    ) {
        guard advancedTo.isInStory, nextBeatAt.isInStory, phase.isPossible,
            (0...Party.numberMax).contains(beats), departed.count <= Self.departedMax,
            fight.map({ (0...Party.numberMax).contains($0.blowsLeft) }) ?? true
        else { return nil }
        self.seed = seed
        self.phase = phase
        self.advancedTo = advancedTo
        self.fight = fight
        self.isBossEnraged = isBossEnraged
        self.random = random
        self.nextBeatAt = nextBeatAt
        self.beats = beats
        self.lastScene = lastScene
        self.departed = departed
    }
}

extension Adventure.Phase {
    fileprivate var isPossible: Bool {
        switch self {
        case .boss(_, let health): (1...Balance.bossHealth).contains(health)
        case .quest, .over: true
        }
    }
}

extension GameTime {
    /// Whether an adventure can reach this time, or some time beyond its end, so that sums of times
    /// stay small.
    fileprivate var isInStory: Bool {
        (0...(2 * Adventure.timeLimit.milliseconds)).contains(milliseconds)
    }
}
