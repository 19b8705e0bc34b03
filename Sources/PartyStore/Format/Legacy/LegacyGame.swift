internal import Content
internal import GameLogic

// The game's types as JSON of schemas 1 to 6. Names and nesting are the file's: they never change.

/// A hero in an event.
struct LegacyTag: Decodable {
    let id: String
    let name: String

    var tag: HeroTag { HeroTag(id: HeroID(id), name: name) }
}

/// A hero, in its own row or in a party.
struct LegacyHero: Decodable {
    let id: String
    let owner: String
    let name: String
    let avatar: String
    let heroType: String
    let healthLevel: Int
    let healthRecoveryRatePerHour: Int16
    let exp: Int32

    var hero: Hero {
        Hero(
            id: HeroID(id), owner: PlayerID(owner), name: name, avatar: avatar,
            heroType: heroType, healthLevel: Health(thousandths: healthLevel),
            healthRecoveryRatePerHour: Int(healthRecoveryRatePerHour), exp: Int(exp))
    }
}

/// A hero in a party.
struct LegacyMember: Decodable {
    enum Condition: Decodable {
        case standing
        case knockedDown
        case lostConnection(until: Int64)
    }

    let hero: LegacyHero
    let health: Int
    let potions: Int
    let condition: Condition
    let restRemainder: Int

    var member: Member? {
        Member(
            hero: hero.hero, health: Health(thousandths: health), potions: potions,
            condition: memberCondition, restRemainder: restRemainder)
    }

    private var memberCondition: Member.Condition {
        switch condition {
        case .standing: .standing
        case .knockedDown: .knockedDown
        case .lostConnection(until: let time):
            .lostConnection(until: GameTime(milliseconds: time))
        }
    }
}

/// A party, from `parties.party`.
struct LegacyParty: Decodable {
    let id: String
    let members: [LegacyMember]
    let adventure: LegacyAdventure?
    let lastEvent: LegacyEvent?
    let nextSequence: Int

    /// `nil` when a part of it breaks a rule of the game.
    var party: Party? {
        let members = members.compactMap(\.member)
        let adventure = adventure?.adventure
        guard members.count == self.members.count,
            (adventure == nil) == (self.adventure == nil)
        else { return nil }
        return Party(
            id: PartyID(id), members: members, adventure: adventure,
            lastEvent: lastEvent?.event, nextSequence: nextSequence)
    }
}

/// The adventure of a party.
struct LegacyAdventure: Decodable {
    enum Phase: Decodable {
        case quest
        case boss(LegacyBoss, health: Int)
        case over(LegacyOutcome)
    }

    struct Fight: Decodable {
        let foe: LegacyFoe
        let prey: String?
        let blowsLeft: Int
    }

    struct Random: Decodable {
        let state: UInt64
    }

    let seed: UInt64
    let phase: Phase
    let advancedTo: Int64
    let fight: Fight?
    let isBossEnraged: Bool
    let random: Random
    let nextBeatAt: Int64
    let beats: Int
    let lastScene: LegacyScene?
    let departed: [LegacyMember]

    /// `nil` when a part of it breaks a rule of the game.
    var adventure: Adventure? {
        let departed = departed.compactMap(\.member)
        guard departed.count == self.departed.count else { return nil }
        return Adventure(
            pack: EmbeddedPacks.classic, seed: seed, phase: adventurePhase,
            advancedTo: GameTime(milliseconds: advancedTo), fight: adventureFight,
            isBossEnraged: isBossEnraged,
            random: SeededRandom(seed: random.state),
            nextStepAt: GameTime(milliseconds: nextBeatAt), steps: beats,
            lastScene: lastScene?.scene, departed: departed)
    }

    private var adventurePhase: Adventure.Phase {
        switch phase {
        case .quest: .quest
        case .boss(let boss, health: let health): .boss(boss.boss, health: health)
        case .over(let outcome): .over(outcome.outcome)
        }
    }

    private var adventureFight: Adventure.Fight? {
        fight.map {
            Adventure.Fight(
                foe: $0.foe.foe, prey: $0.prey.map { HeroID($0) }, left: $0.blowsLeft)
        }
    }
}
