import GameLogic

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

extension PartyEvent.Kind {
    /// The end of an adventure in some pack.
    static func over(_ outcome: Outcome) -> Self { .adventureOver(outcome, in: .sample) }
}
