/// The numbers of the rules, which every pack shares. With those of the packs they were found by
/// playing thousands of seeds: `rangers-tools playtest balance` shows how the game feels with them.
package enum Balance {
    /// The most potions of a hero; further ones are left behind.
    package static let potionsMax = 9
    /// The health that a potion restores; a knocked-down hero wakes with exactly this.
    package static let potionHeal = 500

    /// How a storm hurts, in thousandths.
    static let stormDamage = 60...140
    /// Seconds between two steps of a pack without stages.
    static let pace = 30...50
    static let campfireHeal = 60...120
    package static let woodsSeconds = 60...150
    /// The percentage of a foe's blows that hit the hero it struck first.
    static let preyChance = 60
    /// The percentage of blows that are critical.
    static let criticalChance = 15
    /// A critical hit's damage in percent of a plain one's.
    package static let criticalPercent = 170
    /// What a whole party takes from the boss between two of its blows.
    package static let partyBlow = 60...100
    /// The least that a hit costs a hero, in percent of a wanderer's at level 1.
    static let takenMin = 50

    /// The health that a potion restores which a standing order uses.
    static let potionHealByOrder = 300
    /// What each potion that a hero has drunk subtracts from the next, and the minimum left.
    static let potionWear = 100
    static let potionHealMin = 200
    /// The health at or below which a critical hit puts a hero in danger, and friends stand guard.
    static let dangerHealth = 200
    /// The health above which the danger is over.
    static let safeHealth = 500
    /// The health with which a second wind wakes a hero.
    static let secondWindHealth = 250
    /// The least health in a training.
    static let trainingHealthMin = 100
    /// Seconds until the next friend is asked for a potion.
    static let helpInterval = 180
    /// The potions that a friend has at least who gives one by a standing order.
    static let potionsToGive = 2
    /// A sweep's and a charge's damage in percent of a blow's, shared by the whole party.
    static let sweepPercent = 140
    static let chargePercent = 240
    static let drainPercent = 60
    /// What a drain gives the boss.
    static let drainHeal = 40
    /// What cover leaves of a charge, in percent.
    static let coverPercent = 50
    /// The blows that a guard takes.
    static let guardedBlows = 3
    /// The party's health, in percent, below which it is asked about flight.
    static let fleePercent = 30
    static let fleeSeconds = 60
    /// What flight from a foe costs each hero.
    static let fleeDamage = 30
    static let lootSeconds = 300
    /// The part of a foe's experience that the last blow adds, in percent.
    static let lastBlowPercent = 25
    /// What each further hero adds to everybody's experience, in percent.
    static let companyPercent = 5
    static let expAfterDefeat = 50
    static let expAfterFlight = 70

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
