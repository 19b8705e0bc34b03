import Content
import GameLogic

extension Adventure {
    /// That of the classic pack, which the tests play.
    static let timeLimit = EmbeddedPacks.classic.timeLimit
}

extension PartyEvent.Kind {
    /// The end of an adventure, by default in the classic pack.
    static func over(_ outcome: Outcome, in pack: Pack = EmbeddedPacks.classic) -> Self {
        .adventureOver(outcome, in: pack.reference)
    }

    /// The time limit of the classic pack.
    static let nightFell = PartyEvent.Kind.timeLimitReached(in: EmbeddedPacks.classic.reference)
}

/// Four heroes as the demo has them, and parties of them.
enum Fixtures {
    static let panda = hero("panda", "Power Panda", "🐼")
    static let egghead = hero("egghead", "Egghead", "🥚")
    static let spouty = hero("spouty", "Spouty", "🐳")
    static let foxy = hero("foxy", "Foxy", "🦊")
    static let four = [panda, egghead, spouty, foxy]

    static func hero(
        _ id: String, _ name: String, _ avatar: String, health: Health = .full
    ) -> Hero {
        Hero(
            id: HeroID(id), owner: PlayerID("owner of " + id), name: name, avatar: avatar,
            heroType: "Forest Dweller", healthLevel: health)
    }

    /// As many heroes as wished, with simple names.
    static func heroes(_ count: Int) -> [Hero] {
        (0..<count).map { hero("hero-\($0)", "Hero \($0)", "🐸") }
    }

    static func party(of heroes: [Hero] = four) throws -> Party {
        var party = Party(id: PartyID("party"))
        for hero in heroes { _ = try party.apply(.join(hero), at: .zero) }
        return party
    }

    /// A party whose adventure has just begun.
    static func adventurers(_ heroes: [Hero] = four, seed: UInt64 = 7) throws -> Party {
        var party = try party(of: heroes)
        _ = try party.apply(.start(seed: seed, EmbeddedPacks.classic), at: .zero)
        return party
    }
}
