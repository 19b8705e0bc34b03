import Content
import GameLogic
import PushPolicy
import RangersServer

/// Everything that the game can say: each kind of event with each item, foe, boss and outcome, each
/// question and each button.
enum LocalizationPhrases {
    private static let panda = HeroTag(id: HeroID("panda"), name: "Power Panda")
    private static let egghead = HeroTag(id: HeroID("egghead"), name: "Egghead")

    /// Those of the String Catalog, which phones word themselves or which are no story.
    static let ofCatalog =
        [LocalizableText(Message.sample)] + kinds.flatMap(alerts) + AskTexts.all
        + HeroClass.allCases.map { LocalizableText($0.bio) }
        + StartReason.allCases.flatMap { phrases(of: $0.alert(for: panda)) }

    /// Those of `base.json`.
    static let ofBase = stories.filter { !PackKey.isOfPack($0.key) }

    /// Those of the program's packs.
    static let ofPacks = stories.filter { PackKey.isOfPack($0.key) }

    private static let stories =
        kinds.filter { $0.sentenceKey != nil }.flatMap { kind in
            [EventTexts.text(for: kind)]
                + kind.tellingConditions.map {
                    EventTexts.text(for: kind, onActivityOf: panda, $0)
                }
        } + AskTexts.sentences(of: panda, with: egghead)

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
