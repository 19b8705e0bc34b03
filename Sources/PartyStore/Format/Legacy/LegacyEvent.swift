internal import Content
internal import GameLogic

/// An event as JSON of schemas 1 to 6.
struct LegacyEvent: Decodable {
    enum Kind: Decodable {
        case adventureBegan
        case commonLootFound(LegacyTag, LegacyItem)
        case rareLootFound(LegacyTag, LegacyItem)
        case smallHeal(LegacyTag, amount: Int)
        case hurt(LegacyTag, by: LegacyFoe, damage: Int)
        case criticallyHit(LegacyTag, by: LegacyFoe, damage: Int)
        case knockedDown(LegacyTag)
        case potionUsed(by: LegacyTag, on: LegacyTag)
        case revived(LegacyTag)
        case foeDefeated(LegacyFoe, by: LegacyTag)
        case bossAppeared(LegacyBoss)
        case bossEnraged(LegacyBoss)
        case bossDefeated(LegacyBoss, by: LegacyTag)
        case stormRaised
        case heroJoined(LegacyTag)
        case heroLeft(LegacyTag)
        case connectionLost(LegacyTag)
        case connectionReturned(LegacyTag)
        case partyDefeated
        case timeLimitReached
        case adventureOver(LegacyOutcome)
    }

    let sequence: Int
    let time: Int64
    let kind: Kind

    var event: PartyEvent {
        PartyEvent(
            sequence: sequence, time: GameTime(milliseconds: time), kind: kind.kind)
    }
}

extension LegacyEvent.Kind {
    fileprivate var kind: PartyEvent.Kind {
        switch self {
        case .adventureBegan: .adventureBegan()
        case .commonLootFound(let hero, let item): .commonLootFound(hero.tag, item.item)
        case .rareLootFound(let hero, let item): .rareLootFound(hero.tag, item.item)
        case .smallHeal(let hero, amount: let amount): .smallHeal(hero.tag, amount: amount)
        case .hurt(let hero, by: let foe, damage: let damage):
            .hurt(hero.tag, by: foe.foe, damage: damage)
        case .criticallyHit(let hero, by: let foe, damage: let damage):
            .criticallyHit(hero.tag, by: foe.foe, damage: damage)
        case .knockedDown(let hero): .knockedDown(hero.tag)
        case .potionUsed(by: let giver, on: let taker):
            .potionUsed(by: giver.tag, on: taker.tag)
        case .revived(let hero): .revived(hero.tag)
        case .foeDefeated(let foe, by: let hero): .foeDefeated(foe.foe, by: hero.tag)
        case .bossAppeared(let boss): .bossAppeared(boss.boss)
        case .bossEnraged(let boss): .bossEnraged(boss.boss)
        case .bossDefeated(let boss, by: let hero): .bossDefeated(boss.boss, by: hero.tag)
        case .stormRaised: .stormRaised
        case .heroJoined(let hero): .heroJoined(hero.tag)
        case .heroLeft(let hero): .heroLeft(hero.tag)
        case .connectionLost(let hero): .connectionLost(hero.tag)
        case .connectionReturned(let hero): .connectionReturned(hero.tag)
        case .partyDefeated: .partyDefeated
        case .timeLimitReached: .timeLimitReached
        case .adventureOver(let outcome): .adventureOver(outcome.outcome)
        }
    }
}

/// An adventure's outcome as JSON of schemas 1 to 6.
enum LegacyOutcome: Decodable {
    case bossDefeated(LegacyBoss, by: LegacyTag)
    case partyDefeated
    case timeLimit
    case endedByGameMaster
    case abandoned

    var outcome: Outcome {
        switch self {
        case .bossDefeated(let boss, by: let hero): .bossDefeated(boss.boss, by: hero.tag)
        case .partyDefeated: .partyDefeated
        case .timeLimit: .timeLimit
        case .endedByGameMaster: .endedByGameMaster
        case .abandoned: .abandoned
        }
    }
}

/// A command as JSON of schemas 1 to 6.
struct LegacyLoggedCommand: Decodable {
    enum Asked: Decodable {
        case join(LegacyHero)
        case leave(String)
        case start(seed: UInt64)
        case usePotion(by: String, on: String)
        case summonBoss
        case dropLoot(String?)
        case raiseStorm
        case end
    }

    let command: Asked
    let time: Int64
}

extension LegacyLoggedCommand {
    var logged: LoggedCommand {
        LoggedCommand(command: asked, time: GameTime(milliseconds: time))
    }

    private var asked: Command {
        switch command {
        case .join(let hero): .join(hero.hero)
        case .leave(let hero): .leave(HeroID(hero), .silent)
        case .start(seed: let seed): .start(seed: seed, EmbeddedPacks.classic)
        case .usePotion(by: let giver, on: let taker):
            .usePotion(by: HeroID(giver), on: HeroID(taker))
        case .summonBoss: .summonBoss
        case .dropLoot(let hero): .dropLoot(hero.map { HeroID($0) })
        case .raiseStorm: .raiseStorm
        case .end: .end
        }
    }
}
