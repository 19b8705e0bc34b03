import GameLogic

/// Heroes, and one event of every kind.
enum Samples {
    static let panda = hero("panda", "Power Panda")
    static let egghead = hero("egghead", "Egghead")
    static let spouty = hero("spouty", "Spouty")

    static func hero(_ id: String, _ name: String) -> Hero {
        Hero(
            id: HeroID(id), owner: PlayerID("owner of \(id)"), name: name, avatar: "🐼",
            heroType: "Forest Dweller")
    }

    static let kinds: [PartyEvent.Kind] = [
        .adventureBegan, .commonLootFound(panda.tag, .coin), .rareLootFound(panda.tag, .sword),
        .smallHeal(panda.tag, amount: 20), .hurt(panda.tag, by: .goblin, damage: 50),
        .criticallyHit(panda.tag, by: .troll, damage: 300), .knockedDown(panda.tag),
        .potionUsed(by: egghead.tag, on: panda.tag), .revived(panda.tag),
        .foeDefeated(.slime, by: panda.tag), .bossAppeared(.dragon), .bossEnraged(.kraken),
        .bossDefeated(.robot, by: panda.tag), .stormRaised, .heroJoined(panda.tag),
        .heroLeft(panda.tag), .connectionLost(panda.tag), .connectionReturned(panda.tag),
        .partyDefeated, .timeLimitReached, .adventureOver(.endedByGameMaster),
    ]

    /// The case's name. A new kind does not compile here until it has a name, and the table's
    /// tests fail until it has a sample.
    static func name(of kind: PartyEvent.Kind) -> String {
        switch kind {
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
