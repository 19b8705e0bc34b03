/// A question to players that one button answers: silence has a meaning too.
///
/// A hero's need of a potion is not such a question: the party's state shows it.
package struct Ask: Hashable, Sendable {
    /// The most questions that are open at a time; more are not asked.
    package static let openMax = 4

    /// Counts the adventure's questions, from 1.
    package let id: Int
    package let kind: Kind
    /// When the answer is silence; `nil`: when the fight is over, or with the boss's next blow.
    package let endsAt: GameTime?
    /// How its event told it: the question keeps these words.
    package let telling: Telling
    /// The heroes who said yes, in their order, and those who said no.
    package internal(set) var yes: [HeroID]
    package internal(set) var no: [HeroID]

    package enum Kind: Hashable, Sendable {
        /// Each standing hero may take cover from the boss's next blow.
        case brace
        /// More than half of the standing heroes leave the fight.
        case flee
        /// The first who says yes stands guard over this hero.
        case guardFriend(HeroID)
        /// Most votes choose the way; a tie is the safe one.
        case fork(Fork)
        /// A find goes to one of those who say yes; else its finder keeps it.
        case loot(Item, finder: HeroID)
        /// More than half of all heroes end the boss rush, between two bosses.
        case stop
    }

    package init(
        id: Int, kind: Kind, endsAt: GameTime?, telling: Telling = .first, yes: [HeroID] = [],
        no: [HeroID] = []
    ) {
        self.id = id
        self.kind = kind
        self.endsAt = endsAt
        self.telling = telling
        self.yes = yes
        self.no = no
    }

    /// Notes an answer in place of an earlier one of the same hero.
    mutating func note(_ hero: HeroID, _ isYes: Bool) {
        forget(hero)
        if isYes { yes.append(hero) } else { no.append(hero) }
    }

    mutating func forget(_ hero: HeroID) {
        yes.removeAll { $0 == hero }
        no.removeAll { $0 == hero }
    }
}

extension Ask.Kind {
    /// Whether this member is asked.
    package func concerns(_ member: Member) -> Bool {
        switch self {
        case .brace, .flee: member.isStanding
        case .guardFriend(let friend): member.isStanding && member.hero.id != friend
        case .fork, .loot, .stop: true
        }
    }

    /// Whether the story turns on the answer: it finds a place among the open questions.
    var isUrgent: Bool {
        switch self {
        case .brace, .flee, .fork, .stop: true
        case .guardFriend, .loot: false
        }
    }

    /// Whether the fight's end closes the question.
    var endsWithFight: Bool {
        switch self {
        case .brace, .flee, .guardFriend: true
        case .fork, .loot, .stop: false
        }
    }
}

extension Adventure {
    /// A hero who takes blows for a friend.
    package struct Guard: Hashable, Sendable {
        package let hero: HeroID
        package let friend: HeroID
        /// How many more.
        package internal(set) var blows: Int

        package init(hero: HeroID, friend: HeroID, blows: Int) {
            self.hero = hero
            self.friend = friend
            self.blows = blows
        }
    }

    /// The course of an adventure: where the party is, and what is open.
    package struct Course: Hashable, Sendable {
        package internal(set) var difficulty = Difficulty.normal
        /// The place of the stage among the pack's; beyond the last one the boss is due.
        @Compact<UInt16> package internal(set) var stage = 0
        /// The steps taken in the stage.
        @Compact<UInt16> package internal(set) var stageSteps = 0
        /// The place of the boss's phase among its phases.
        @Compact<UInt16> package internal(set) var bossPhase = 0
        /// The place of the boss's next move among those of the phase.
        @Compact<UInt16> package internal(set) var move = 0
        /// Whether the boss strikes everybody next.
        package internal(set) var isGathering = false
        /// Whether the heroes were asked about flight in this fight.
        package internal(set) var hasAskedToFlee = false
        /// Whether a game master has helped or hindered: the adventure counts nothing.
        package internal(set) var isAssisted = false
        /// How weak the world boss was when the server said so last.
        package internal(set) var worldStage: WorldStage?
        /// Everybody is down, and until then a potion can save the party.
        package internal(set) var lastStandUntil: GameTime?
        /// In the order of their ids.
        package internal(set) var asks: [Ask] = []
        @Compact<Int32> package internal(set) var nextAsk = 1
        /// The ready check that began the adventure, whose number no question has; 0: none did.
        @Compact<Int32> package internal(set) var readyCheck = 0
        package internal(set) var guards: [Guard] = []
        /// The bosses of a boss rush that have fallen: the next one's place in the order.
        @Compact<UInt16> package internal(set) var fallenBosses = 0
        /// When the next one comes, while the party takes a breath.
        package internal(set) var breathUntil: GameTime?
        /// The points of the party's blows at the world boss.
        @Compact<Int32> package internal(set) var worldPoints = 0
        /// The steps of the story and of the fights with bosses: what a hero can attend.
        @Compact<Int32> package internal(set) var told = 0
        /// The heroes who were on the adventure when it ended; 0: it runs, or ended before the
        /// server kept the number.
        @Compact<UInt8> package internal(set) var company = 0
        /// How often each sentence was told.
        package internal(set) var tellings = Tellings()

        package init() {}

        /// Restores what is stored; `nil` where the values break a rule of the game.
        package init?(
            difficulty: Difficulty, stage: Int, stageSteps: Int, bossPhase: Int, move: Int,
            isGathering: Bool, lastStandUntil: GameTime?, asks: [Ask], nextAsk: Int,
            guards: [Guard], hasAskedToFlee: Bool, fallenBosses: Int = 0,
            breathUntil: GameTime? = nil, worldStage: WorldStage? = nil, worldPoints: Int = 0,
            told: Int = 0, isAssisted: Bool = false, readyCheck: Int = 0, company: Int = 0,
            tellings: Tellings = Tellings()
        ) {
            let places = [stage, stageSteps, bossPhase, move, fallenBosses]
            let counts = [worldPoints, told, nextAsk, readyCheck]
            let times = ([lastStandUntil, breathUntil] + asks.map(\.endsAt)).compactMap(\.self)
            let ids = asks.map(\.id)
            guard places.count(where: UInt16.holds) == places.count,
                counts.min() ?? 0 >= 0, counts.count(where: Int32.holds) == counts.count,
                times.count(where: \.isWithinAdventure) == times.count,
                asks.count <= Ask.openMax, guards.count <= Party.sizeMax,
                (0...Party.sizeMax).contains(company),
                zip(ids, ids.dropFirst() + [nextAsk]).count(where: <) == ids.count,
                readyCheck < ids.first ?? nextAsk
            else { return nil }
            self.difficulty = difficulty
            self.stage = stage
            self.stageSteps = stageSteps
            self.bossPhase = bossPhase
            self.move = move
            self.isGathering = isGathering
            self.lastStandUntil = lastStandUntil
            self.asks = asks
            self.nextAsk = nextAsk
            self.guards = guards
            self.hasAskedToFlee = hasAskedToFlee
            self.fallenBosses = fallenBosses
            self.breathUntil = breathUntil
            self.worldStage = worldStage
            self.worldPoints = worldPoints
            self.told = told
            self.isAssisted = isAssisted
            self.readyCheck = readyCheck
            self.company = company
            self.tellings = tellings
        }

        /// Notes the ready check that began the adventure: its questions count on from there.
        mutating func openAsks(after check: Int) {
            readyCheck = min(check, Int(Int32.max) - 1)
            nextAsk = readyCheck + 1
        }

        func isReadyCheck(_ ask: Int) -> Bool { readyCheck > 0 && ask == readyCheck }
    }
}
