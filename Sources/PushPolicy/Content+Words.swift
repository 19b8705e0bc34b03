internal import GameLogic

// The game's things in the English sentences that are keys of the String Catalog, with articles.

extension Item {
    var word: String {
        switch self {
        case .coin: "a coin"
        case .mushroom: "a mushroom"
        case .rope: "a rope"
        case .map: "a map"
        case .acorn: "an acorn"
        case .sword: "a sword"
        case .shield: "a shield"
        case .crown: "a crown"
        case .crystal: "a crystal"
        case .cloak: "a cloak"
        }
    }
}

extension Foe {
    var word: String {
        switch self {
        case .slime: "a slime"
        case .bat: "a bat"
        case .goblin: "a goblin"
        case .troll: "a troll"
        case .ghost: "a ghost"
        case .storm: "the storm"
        case .dragon: Boss.dragon.word
        case .kraken: Boss.kraken.word
        case .robot: Boss.robot.word
        }
    }
}

extension Boss {
    var word: String {
        switch self {
        case .dragon: "the dragon"
        case .kraken: "the kraken"
        case .robot: "the giant robot"
        }
    }
}

extension HeroTag {
    var gap: Phrase.Argument { .name(name) }
}
