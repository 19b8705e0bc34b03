/// The numbers of rules 1, which every pack shares. With those of the pack `classic` they were
/// found by playing thousands of seeds (BalanceTests): about even for a party of four without
/// help, and won with a few potions.
package enum Balance {
    /// The potions of each hero at the start.
    package static let potionsAtStart = 2
    /// The most potions of a hero; further ones are left behind.
    package static let potionsMax = 9
    /// The health that a potion restores; a knocked-down hero wakes with exactly this.
    package static let potionHeal = 500
    /// The least health at the start, however badly the last adventure ended.
    package static let healthToSetOut = Health(thousandths: 100)

    /// How a storm hurts, in thousandths.
    static let stormDamage = 60...140
    /// Seconds until a hero comes back for the others, who are all down.
    static let lostPace = 30...50
    static let campfireHeal = 60...120
    static let woodsSeconds = 60...150
    /// The percentage of a foe's blows that hit the hero it struck first.
    static let preyChance = 60
    /// The percentage of blows that are critical.
    static let criticalChance = 15
    /// A critical hit's damage in percent of a plain one's.
    package static let criticalPercent = 170
    package static let enragedPercent = 125
    /// Below this the boss is enraged.
    static let enragedBelow = 300
    /// What a whole party takes from the boss between two of its blows.
    package static let partyBlow = 60...100
    /// The most percent that levels add to a blow; each level above the first adds one.
    static let levelBonusMax = 20

    /// Returns how many heroes a foe's blow hits: a large party stands close together.
    static func targets(partySize: Int) -> Int { partySize > 4 ? 2 : 1 }

    /// Returns the damage in percent of a foe's traits, so that a party of any size has about the
    /// same odds.
    package static func damagePercent(partySize: Int) -> Int {
        damagePercents[min(max(partySize, 1), damagePercents.count) - 1]
    }

    /// For parties of 1, 2, 3 … heroes; from five on a blow hits two.
    private static let damagePercents = [28, 48, 67, 85, 55, 64, 73, 81]
}
