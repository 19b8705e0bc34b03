/// What heroes find. The words for each are in the String Catalog.
package enum Item: String, CaseIterable, Hashable, Sendable {
    case coin, mushroom, rope, map, acorn
    case sword, shield, crown, crystal, cloak
}

extension Item {
    /// Found everywhere, and of no use.
    package static let common: [Item] = [.coin, .mushroom, .rope, .map, .acorn]

    /// Found rarely; each comes with a potion.
    package static let rare: [Item] = [.sword, .shield, .crown, .crystal, .cloak]
}

/// The foes on the way.
package enum Foe: String, CaseIterable, Hashable, Sendable {
    case slime, bat, goblin, troll, ghost, storm
    case dragon, kraken, robot
}

/// The boss at the end of the quest.
package enum Boss: String, CaseIterable, Hashable, Sendable {
    case dragon, kraken, robot
}

/// How a foe fights: one row of the adventure's content.
package struct FoeTraits: Hashable, Sendable {
    /// The health that one blow costs a hero in a party of four, in thousandths.
    package let damage: ClosedRange<Int>
    /// The number of blows before the heroes defeat the foe.
    package let blows: ClosedRange<Int>
    /// The experience of the hero who defeats the foe.
    package let exp: Int
}

extension Foe {
    /// The foe's traits. Storms and bosses have their own rules, so no hero learns from their row.
    package var traits: FoeTraits {
        switch self {
        case .slime: FoeTraits(damage: 60...110, blows: 1...1, exp: 30)
        case .bat: FoeTraits(damage: 70...130, blows: 1...2, exp: 40)
        case .goblin: FoeTraits(damage: 120...220, blows: 2...3, exp: 80)
        case .ghost: FoeTraits(damage: 140...250, blows: 2...3, exp: 100)
        case .troll: FoeTraits(damage: 180...300, blows: 2...4, exp: 130)
        case .storm: FoeTraits(damage: 60...140, blows: 1...1, exp: 0)
        case .dragon: FoeTraits(damage: 130...250, blows: 1...1, exp: 0)
        case .kraken: FoeTraits(damage: 110...270, blows: 1...1, exp: 0)
        case .robot: FoeTraits(damage: 160...220, blows: 1...1, exp: 0)
        }
    }
}

extension Boss {
    /// The experience of every hero of the party from a defeated boss.
    package static let exp = 300
    /// The additional experience of the hero who strikes the last blow.
    package static let lastBlowExp = 200

    /// The boss as the foe that hurts a hero.
    package var foe: Foe {
        switch self {
        case .dragon: .dragon
        case .kraken: .kraken
        case .robot: .robot
        }
    }
}
