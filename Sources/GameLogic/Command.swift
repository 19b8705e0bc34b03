/// What players and game masters request. The seed, the commands and their times determine
/// everything: replaying them gives the same events.
package enum Command: Hashable, Sendable {
    /// Apart: each change has room for a command, and most have none.
    indirect case join(Hero)
    case leave(HeroID)
    /// The leader removes a hero, as if it left.
    case kick(HeroID)
    /// The leader hands over to this hero's player.
    case promote(HeroID)
    /// A member takes the lead with this hero while the leader is absent.
    case claimLead(HeroID)
    /// The leader sends everybody home.
    case disband
    /// Starts an adventure of the pack; `seed` rolls all of its dice.
    indirect case start(seed: UInt64, Pack, Departure = Departure())
    /// The leader asks all heroes whether they are ready for an adventure.
    indirect case checkReadiness(ReadyCheck.Plan)
    /// The server: all heroes are ready, or the time of the ready check is over.
    indirect case finishReadyCheck(Departure)
    /// The leader cancels the ready check, or its adventure cannot begin.
    case cancelReadyCheck
    /// A hero at the inn follows the others; `at` is the server's time, in milliseconds.
    case follow(HeroID, at: Int64)
    /// A hero drinks a potion of their own, or gives it to a friend.
    case usePotion(by: HeroID, on: HeroID)
    /// A hero answers one of the adventure's questions, or a ready check.
    case answer(HeroID, ask: Int, yes: Bool)
    /// A player changes what a hero has at home.
    case change(HeroID, HomeChange)
    /// Game master: the boss appears now.
    case summonBoss
    /// Game master: rare loot, for one hero or for all.
    case dropLoot(HeroID?)
    /// Game master: a storm hits every hero on the road.
    case raiseStorm
    /// Game master: ends the adventure.
    case end
    /// Game master: what the commands above do not choose.
    case arrange(Arrangement)
    /// The server: the world boss has become this weak, or has fallen. Replay has the command, so
    /// the engine never reads the pool that all parties share.
    case worldStage(WorldStage)
}

extension Command {
    /// The hero whose player acts for it; `nil` for leaders and game masters, and for who leaves.
    package var actor: HeroID? {
        switch self {
        case .join(let hero): hero.id
        case .change(_, .worldReward): nil
        case .usePotion(by: let hero, on: _), .answer(let hero, ask: _, yes: _),
            .change(let hero, _), .claimLead(let hero), .follow(let hero, at: _):
            hero
        case .leave, .kick, .promote, .disband, .start, .summonBoss, .dropLoot, .raiseStorm, .end,
            .arrange, .worldStage, .checkReadiness, .finishReadyCheck, .cancelReadyCheck:
            nil
        }
    }
}

/// What a game master chooses for a party on an adventure. No dice are rolled for what is chosen.
package enum Arrangement: Hashable, Sendable {
    /// In percent of an ordinary storm.
    package static let stormStrengths = 50...200
    package static let potionCounts = 1...3
    /// In thousandths of health.
    package static let healAmounts = 1...1000
    package static let pauseMinutes = 1...60

    /// This boss appears now.
    case boss(Boss)
    /// This item, for one hero or for all; a rare one comes with a potion.
    case item(Item, for: HeroID?)
    /// This many potions, for one hero or for all.
    case potions(Int, for: HeroID?)
    /// A storm of this strength hits every hero on the road.
    case storm(strength: Int)
    /// Health, for one hero or for all.
    case heal(HeroID?, amount: Int, Waking)
    /// The adventure ends like this.
    case end(Ending)
    /// The adventure's clock stands still for so long, and then it ends, unless it is resumed. The
    /// server keeps the clock: replay has all commands at their times on it.
    case pause(minutes: Int, then: Ending?)
    /// The clock goes on before the pause is over.
    case resume
    /// Every card says this.
    case message(Message)

    /// Whether healing puts heroes back on their feet.
    package enum Waking: Hashable, Sendable {
        /// It passes over heroes who are knocked down.
        case none
        case wakes
    }

    package enum Ending: Hashable, Sendable, CaseIterable {
        case timeLimit, partyDefeated, endedByGameMaster
    }
}
