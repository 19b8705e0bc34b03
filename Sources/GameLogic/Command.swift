/// What players and game masters ask of a party. Together with the seed, the commands and their
/// times are the whole story: replaying them gives the same events.
package enum Command: Hashable, Sendable {
    case join(Hero)
    case leave(HeroID)
    /// Begins an adventure; `seed` rolls all of its dice.
    case start(seed: UInt64)
    /// A hero drinks a potion of their own, or gives it to a friend.
    case usePotion(by: HeroID, on: HeroID)
    /// Game master: the boss comes now.
    case summonBoss
    /// Game master: rare loot, for one hero or for all.
    case dropLoot(HeroID?)
    /// Game master: a storm hits everybody.
    case raiseStorm
    /// Game master: the adventure is over.
    case end
}
