import GameLogic
import PushPolicy

/// Everything that the game can say: each kind of event with each item, foe, boss and outcome.
enum LocalizationPhrases {
    private static let panda = HeroTag(id: HeroID("panda"), name: "Power Panda")
    private static let egghead = HeroTag(id: HeroID("egghead"), name: "Egghead")

    static let all = kinds.flatMap { kind in
        [Policy.phrase(for: kind), Policy.phrase(for: kind, onCardOf: panda)] + alerts(of: kind)
    }

    private static func alerts(of kind: PartyEvent.Kind) -> [Phrase] {
        guard let alert = Policy.rule(for: kind).alert?.alert else { return [] }
        return [
            phrase(alert.titleKey, alert.titleArguments),
            phrase(alert.bodyKey, alert.bodyArguments),
        ]
    }

    private static func phrase(_ key: String, _ arguments: [String]) -> Phrase {
        switch arguments.first {
        case nil: Phrase(key)
        case .some(let name): Phrase(key, .name(name))
        }
    }

    static let kinds: [PartyEvent.Kind] = plain + items + foes + bosses + outcomes

    private static let plain: [PartyEvent.Kind] = [
        .adventureBegan, .smallHeal(panda, amount: 20), .knockedDown(panda),
        .potionUsed(by: panda, on: panda), .potionUsed(by: egghead, on: panda), .revived(panda),
        .stormRaised, .heroJoined(panda), .heroLeft(panda), .connectionLost(panda),
        .connectionReturned(panda), .partyDefeated, .timeLimitReached,
    ]

    private static let items: [PartyEvent.Kind] = Item.allCases.flatMap {
        [.commonLootFound(panda, $0), .rareLootFound(panda, $0)]
    }

    private static let foes: [PartyEvent.Kind] = Foe.allCases.flatMap {
        [
            .hurt(panda, by: $0, damage: 1), .criticallyHit(panda, by: $0, damage: 1),
            .foeDefeated($0, by: panda),
        ]
    }

    private static let bosses: [PartyEvent.Kind] = Boss.allCases.flatMap {
        [.bossAppeared($0), .bossEnraged($0), .bossDefeated($0, by: panda)]
    }

    private static let outcomes: [PartyEvent.Kind] = [
        .adventureOver(.bossDefeated(.dragon, by: panda)), .adventureOver(.partyDefeated),
        .adventureOver(.timeLimit), .adventureOver(.endedByGameMaster), .adventureOver(.abandoned),
    ]

    /// A number for each kind: a new kind does not compile here until it has one, and has to be
    /// added above.
    static func number(of kind: PartyEvent.Kind) -> Int {
        switch kind {
        case .adventureBegan: 0
        case .commonLootFound: 1
        case .rareLootFound: 2
        case .smallHeal: 3
        case .hurt: 4
        case .criticallyHit: 5
        case .knockedDown: 6
        case .potionUsed: 7
        case .revived: 8
        case .foeDefeated: 9
        case .bossAppeared: 10
        case .bossEnraged: 11
        case .bossDefeated: 12
        case .stormRaised: 13
        case .heroJoined: 14
        case .heroLeft: 15
        case .connectionLost: 16
        case .connectionReturned: 17
        case .partyDefeated: 18
        case .timeLimitReached: 19
        case .adventureOver: 20
        }
    }
}
