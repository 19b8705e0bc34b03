@testable import GameLogic
@testable import PushPolicy

/// Heroes, and events of every kind.
enum Samples {
    static let panda = hero("panda", "Power Panda")
    static let egghead = hero("egghead", "Egghead")
    static let spouty = hero("spouty", "Spouty")

    static func hero(_ id: String, _ name: String) -> Hero {
        Hero(
            id: HeroID(id), owner: PlayerID("owner of \(id)"), name: name, avatar: "🐼",
            heroType: "Forest Dweller")
    }

    /// Every kind of event, with each thing that it can concern.
    static let kinds = PartyEvent.Kind.samples(of: panda.tag, with: egghead.tag)
}

extension LocalizableContent {
    /// The content for a member of the party, on a card of version 1 that has told nothing yet.
    init?(of hero: HeroID, in party: Party) {
        let (current, card) = (CurrentParty(of: party), Card(of: hero))
        guard let text = current.sentence(on: card) ?? current.news(on: card)?.text,
            let content = current.content(on: card, saying: text)
        else { return nil }
        self = content
    }
}

extension PartyEvent.Kind {
    /// The end of an adventure in some pack.
    static func over(_ outcome: Outcome) -> Self { .adventureOver(outcome, in: .sample) }
}
