internal import GameLogic

/// The API's names of the game's cases: part of the contract with clients, so written out.
extension PartyEvent.Kind {
    var name: String {
        switch self {
        case .adventureBegan: "adventureBegan"
        case .commonLootFound: "commonLootFound"
        case .rareLootFound: "rareLootFound"
        case .smallHeal: "smallHeal"
        case .hurt: "hurt"
        case .criticallyHit: "criticallyHit"
        case .knockedDown: "knockedDown"
        case .potionUsed: "potionUsed"
        case .revived: "revived"
        case .foeDefeated: "foeDefeated"
        case .bossAppeared: "bossAppeared"
        case .bossEnraged: "bossEnraged"
        case .bossDefeated: "bossDefeated"
        case .stormRaised: "stormRaised"
        case .heroJoined: "heroJoined"
        case .heroLeft: "heroLeft"
        case .connectionLost: "connectionLost"
        case .connectionReturned: "connectionReturned"
        case .partyDefeated: "partyDefeated"
        case .timeLimitReached: "timeLimitReached"
        case .adventureOver: "adventureOver"
        }
    }
}

extension PartyEvent.Kind {
    /// The hero of the event; for a potion, the hero who receives it.
    var hero: HeroTag? {
        switch self {
        case .commonLootFound(let hero, _), .rareLootFound(let hero, _), .smallHeal(let hero, _),
            .hurt(let hero, _, _), .criticallyHit(let hero, _, _), .knockedDown(let hero),
            .potionUsed(_, let hero), .revived(let hero), .foeDefeated(_, let hero),
            .bossDefeated(_, let hero), .heroJoined(let hero), .heroLeft(let hero),
            .connectionLost(let hero), .connectionReturned(let hero):
            hero
        case .adventureBegan, .bossAppeared, .bossEnraged, .stormRaised, .partyDefeated,
            .timeLimitReached, .adventureOver:
            nil
        }
    }
}

extension Member.Condition {
    var name: String {
        switch self {
        case .standing: "standing"
        case .knockedDown: "knockedDown"
        case .lostConnection: "lostConnection"
        }
    }
}

extension Adventure.Phase {
    var name: String {
        switch self {
        case .quest: "quest"
        case .boss: "boss"
        case .over: "over"
        }
    }
}

extension Outcome {
    var name: String {
        switch self {
        case .bossDefeated: "bossDefeated"
        case .partyDefeated: "partyDefeated"
        case .timeLimit: "timeLimit"
        case .endedByGameMaster: "endedByGameMaster"
        case .abandoned: "abandoned"
        }
    }
}
