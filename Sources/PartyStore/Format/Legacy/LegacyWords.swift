internal import GameLogic

// The game's words as JSON of schemas 1 to 6.

/// What heroes found.
enum LegacyItem: String, Decodable {
    case coin, mushroom, rope, map, acorn, sword, shield, crown, crystal, cloak

    var item: Item { Item(rawValue) }
}

/// The foes of heroes.
enum LegacyFoe: String, Decodable {
    case slime, bat, goblin, troll, ghost, storm, dragon, kraken, robot

    var foe: Foe { Foe(rawValue) }
}

/// A quest's boss.
enum LegacyBoss: String, Decodable {
    case dragon, kraken, robot

    var boss: Boss { Boss(rawValue) }
}

/// What a step of the quest brought.
enum LegacyScene: String, Decodable {
    case commonLoot, rareLoot, campfire, foe, woods

    var scene: Scene {
        switch self {
        case .commonLoot: .commonLoot
        case .rareLoot: .rareLoot
        case .campfire: .campfire
        case .foe: .foe
        case .woods: .woods
        }
    }
}
