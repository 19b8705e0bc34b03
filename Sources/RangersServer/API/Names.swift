internal import GameLogic

// The API's names of the game's cases: part of the contract with clients, so written out.

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
        case .fled: "fled"
        case .stopped: "stopped"
        case .worldBossDefeated: "worldBossDefeated"
        }
    }
}
