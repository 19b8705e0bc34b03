/// What a hero is good at. The class follows from the words of `Hero.heroType`, which the app shows;
/// any other words make a wanderer.
package enum HeroClass: String, CaseIterable, Hashable, Sendable {
    case guardian, striker, healer, trickster, wanderer

    /// The class of these words: those of Apple's sample heroes, or the name of the class.
    package init(heroType: String) {
        self =
            Self.allCases.first { $0.heroType == heroType || $0.rawValue == heroType } ?? .wanderer
    }

    /// The words for the class, as Apple's sample heroes have them.
    package var heroType: String {
        switch self {
        case .guardian: "Forest Dweller"
        case .striker: "Free Rangers"
        case .healer: "Deep Sea Goer"
        case .trickster: "Calcium Lover"
        case .wanderer: "Wanderer"
        }
    }

    /// What such a hero is like: a sentence, and its key in the String Catalog.
    package var bio: String {
        switch self {
        case .guardian: "Stands between friends and trouble."
        case .striker: "Strikes first, and asks questions later."
        case .healer: "Always has one more potion than you think."
        case .trickster: "Finds the best loot and the shortest way."
        case .wanderer: "Goes where the road leads."
        }
    }

    /// The damage of a blow at level 1, in percent of a wanderer's.
    package var might: Int {
        switch self {
        case .guardian: 90
        case .striker: 120
        case .healer: 92
        case .trickster, .wanderer: 100
        }
    }

    /// The health that a hit costs at level 1, in percent of a wanderer's.
    package var taken: Int {
        switch self {
        case .guardian: 85
        case .striker: 110
        case .healer: 95
        case .trickster, .wanderer: 100
        }
    }

    /// Thousandths of health restored by an hour of rest.
    package var recoveryPerHour: Int {
        switch self {
        case .guardian, .trickster, .wanderer: 250
        case .striker: 220
        case .healer: 590
        }
    }

    /// The potions that wait at home, after some rest.
    package var potions: Int { self == .healer ? 3 : 2 }

    /// The health that a potion of this hero restores beyond that of others.
    package var potionBonus: Int { self == .healer ? 100 : 0 }

    /// How likely rare loot is in the hero's company, in percent.
    package var rareLootPercent: Int { self == .trickster ? 200 : 100 }

    /// How long the hero strays in the woods, in percent.
    package var woodsPercent: Int { self == .trickster ? 50 : 100 }

    /// What a blow costs this hero who stands guard over a friend, in percent.
    package var guardPercent: Int { self == .guardian ? 50 : 75 }
}
