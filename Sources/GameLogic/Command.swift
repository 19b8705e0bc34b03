/// What players and game masters ask of a party. The seed, the commands and their times determine
/// everything: replaying them gives the same events.
package enum Command: Hashable, Sendable {
    case join(Hero)
    case leave(HeroID, Succession = .announced)
    /// The leader removes a hero, as if it left.
    case kick(HeroID)
    /// The leader hands over to this hero's player.
    case promote(HeroID, Succession = .announced)
    /// A member takes the lead with this hero while the leader is absent.
    case claimLead(HeroID, Succession = .announced)
    /// The leader sends everybody home.
    case disband
    /// Starts an adventure; `seed` rolls all of its dice.
    case start(seed: UInt64)
    /// A hero drinks a potion of their own, or gives it to a friend.
    case usePotion(by: HeroID, on: HeroID)
    /// Game master: the boss appears now.
    case summonBoss
    /// Game master: rare loot, for one hero or for all.
    case dropLoot(HeroID?)
    /// Game master: a storm hits every hero on the road.
    case raiseStorm
    /// Game master: ends the adventure.
    case end
}

/// Whether a change of the leader is an event.
package enum Succession: Hashable, Sendable {
    case announced
    /// As commands were applied before version 0.2: their replay has no such event.
    case silent
}
