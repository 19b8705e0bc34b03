/// How a foe fights: one row of the content table.
package struct FoeTraits: Hashable, Sendable {
    /// Health that one blow costs a hero of a party of four, in thousandths.
    package let damage: ClosedRange<Int>
    /// Blows that the foe strikes before the heroes defeat it.
    package let blows: ClosedRange<Int>
    /// What the hero who defeats it learns.
    package let exp: Int
}

extension Foe {
    /// The foe's row; storms and bosses come from elsewhere, so no hero learns from their row.
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
    /// What every hero of the party learns from a defeated boss.
    package static let exp = 300
    /// What the hero who strikes the last blow learns on top.
    package static let lastBlowExp = 200

    /// The boss as the one who hurts a hero.
    package var foe: Foe {
        switch self {
        case .dragon: .dragon
        case .kraken: .kraken
        case .robot: .robot
        }
    }
}
