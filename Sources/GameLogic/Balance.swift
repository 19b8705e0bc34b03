/// The numbers that decide how hard an adventure is, found by playing thousands of seeds
/// (BalanceTests): about even for a party of four that nobody helps, and won with a few potions.
package enum Balance {
    /// Potions with which each hero sets out.
    package static let potionsAtStart = 2
    /// More are left lying.
    package static let potionsMax = 9
    /// Health that a potion gives; a knocked-down hero wakes with exactly this.
    package static let potionHeal = 500
    /// Nobody sets out weaker than this, however badly the last adventure ended.
    package static let healthToSetOut = Health(thousandths: 100)

    static let campfireHeal = 60...120
    static let woodsSeconds = 60...150
    /// Of 100 blows of a foe, so many go for the hero it struck first.
    static let preyChance = 60
    /// Of 100 blows.
    static let criticalChance = 15
    /// A critical hit's damage in percent of a plain one's.
    static let criticalPercent = 170
    static let enragedPercent = 125
    static let bossHealth = 1000
    /// Below this the boss is enraged.
    static let enragedBelow = 300
    /// What a whole party takes from the boss between two of its blows.
    static let partyBlow = 60...100
    /// Each level above the first makes a blow one percent stronger, up to this.
    static let levelBonusMax = 20

    /// How many heroes a foe's blow hits: a large party stands close together.
    static func targets(partySize: Int) -> Int { partySize > 4 ? 2 : 1 }

    /// Damage in percent of a foe's table, so that a party of any size has about the same odds.
    static func damagePercent(partySize: Int) -> Int {
        damagePercents[min(max(partySize, 1), damagePercents.count) - 1]
    }

    /// For parties of 1, 2, 3 … heroes; from five on a blow hits two.
    private static let damagePercents = [28, 48, 67, 85, 55, 64, 73, 81]
}
