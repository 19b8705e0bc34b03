internal import GameLogic

// The game's words as JSON of schemas 1 to 6.

/// What heroes found.
enum LegacyItem: String, Decodable {
    case coin, mushroom, rope, map, acorn, sword, shield, crown, crystal, cloak

    var item: Item {
        switch self {
        case .coin: .coin
        case .mushroom: .mushroom
        case .rope: .rope
        case .map: .map
        case .acorn: .acorn
        case .sword: .sword
        case .shield: .shield
        case .crown: .crown
        case .crystal: .crystal
        case .cloak: .cloak
        }
    }
}

/// The foes of heroes.
enum LegacyFoe: String, Decodable {
    case slime, bat, goblin, troll, ghost, storm, dragon, kraken, robot

    var foe: Foe {
        switch self {
        case .slime: .slime
        case .bat: .bat
        case .goblin: .goblin
        case .troll: .troll
        case .ghost: .ghost
        case .storm: .storm
        case .dragon: .dragon
        case .kraken: .kraken
        case .robot: .robot
        }
    }
}

/// A quest's boss.
enum LegacyBoss: String, Decodable {
    case dragon, kraken, robot

    var boss: Boss {
        switch self {
        case .dragon: .dragon
        case .kraken: .kraken
        case .robot: .robot
        }
    }
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
