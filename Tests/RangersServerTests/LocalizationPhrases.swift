import GameLogic
import PushPolicy
import RangersServer

/// Everything that the game can say: each kind of event with each item, foe, boss and outcome.
enum LocalizationPhrases {
    private static let panda = HeroTag(id: HeroID("panda"), name: "Power Panda")
    private static let egghead = HeroTag(id: HeroID("egghead"), name: "Egghead")

    static let all =
        kinds.flatMap { kind in
            [EventTexts.text(for: kind), EventTexts.text(for: kind, onCardOf: panda)]
                + alerts(of: kind)
        }
        + StartReason.allCases.flatMap {
            phrases(of: $0.alert(for: panda))
        }

    private static func alerts(of kind: PartyEvent.Kind) -> [Phrase] {
        guard let alert = Policy.rule(for: kind).alert?.alert else { return [] }
        return phrases(of: alert)
    }

    private static func phrases(of alert: Alert) -> [Phrase] {
        [
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

    static let kinds = PayloadSamples.kinds(of: panda, with: egghead)

    /// A number for each kind: a new kind does not compile here until it has one, and has to be
    /// added to the samples.
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
