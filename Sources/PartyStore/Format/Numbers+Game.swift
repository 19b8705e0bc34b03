internal import GameLogic

// The game's words by number.

extension Item: Numbered {
    var number: UInt8 {
        switch self {
        case .coin: 1
        case .mushroom: 2
        case .rope: 3
        case .map: 4
        case .acorn: 5
        case .sword: 6
        case .shield: 7
        case .crown: 8
        case .crystal: 9
        case .cloak: 10
        }
    }

    init?(number: UInt8) {
        switch number {
        case 1: self = .coin
        case 2: self = .mushroom
        case 3: self = .rope
        case 4: self = .map
        case 5: self = .acorn
        case 6: self = .sword
        case 7: self = .shield
        case 8: self = .crown
        case 9: self = .crystal
        case 10: self = .cloak
        default: return nil
        }
    }
}

extension Foe: Numbered {
    var number: UInt8 {
        switch self {
        case .slime: 1
        case .bat: 2
        case .goblin: 3
        case .troll: 4
        case .ghost: 5
        case .storm: 6
        case .dragon: 7
        case .kraken: 8
        case .robot: 9
        }
    }

    init?(number: UInt8) {
        switch number {
        case 1: self = .slime
        case 2: self = .bat
        case 3: self = .goblin
        case 4: self = .troll
        case 5: self = .ghost
        case 6: self = .storm
        case 7: self = .dragon
        case 8: self = .kraken
        case 9: self = .robot
        default: return nil
        }
    }
}

extension Boss: Numbered {
    var number: UInt8 {
        switch self {
        case .dragon: 1
        case .kraken: 2
        case .robot: 3
        }
    }

    init?(number: UInt8) {
        switch number {
        case 1: self = .dragon
        case 2: self = .kraken
        case 3: self = .robot
        default: return nil
        }
    }
}

extension Scene: Numbered {
    var number: UInt8 {
        switch self {
        case .commonLoot: 1
        case .rareLoot: 2
        case .campfire: 3
        case .foe: 4
        case .woods: 5
        }
    }

    init?(number: UInt8) {
        switch number {
        case 1: self = .commonLoot
        case 2: self = .rareLoot
        case 3: self = .campfire
        case 4: self = .foe
        case 5: self = .woods
        default: return nil
        }
    }
}
