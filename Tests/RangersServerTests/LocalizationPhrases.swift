import GameLogic
import PushPolicy
import RangersServer

/// Everything that the game can say: each kind of event with each item, foe, boss and outcome, and
/// each button.
enum LocalizationPhrases {
    private static let panda = HeroTag(id: HeroID("panda"), name: "Power Panda")
    private static let egghead = HeroTag(id: HeroID("egghead"), name: "Egghead")

    /// Those of the String Catalog.
    static let all = everything.filter { !isOfPack($0) }

    /// Those of the program's packs.
    static let ofPacks = everything.filter(isOfPack)

    private static func isOfPack(_ text: LocalizableText) -> Bool { text.key.contains("/") }

    private static let everything =
        kinds.flatMap { kind in
            [EventTexts.text(for: kind), EventTexts.text(for: kind, onActivityOf: panda)]
                + alerts(of: kind)
        }
        + AskTexts.all + HeroClass.allCases.map { LocalizableText($0.bio) }
        + StartReason.allCases.flatMap {
            phrases(of: $0.alert(for: panda))
        }

    private static func alerts(of kind: PartyEvent.Kind) -> [LocalizableText] {
        guard let alert = Policy.rule(for: kind).alert?.alert else { return [] }
        return phrases(of: alert)
    }

    private static func phrases(of alert: Alert) -> [LocalizableText] {
        [
            phrase(alert.titleKey, alert.titleArguments),
            phrase(alert.bodyKey, alert.bodyArguments),
        ]
    }

    private static func phrase(_ key: String, _ arguments: [String]) -> LocalizableText {
        switch arguments.first {
        case nil: LocalizableText(key)
        case .some(let name): LocalizableText(key, .name(name))
        }
    }

    private static let kinds = PartyEvent.Kind.samples(of: panda, with: egghead)
}
