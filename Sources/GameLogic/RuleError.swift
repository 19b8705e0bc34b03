/// A refusal by the rules of the game, shown to the player.
package enum RuleError: Error, Hashable, Sendable {
    case partyFull(limit: Int)
    case tooManyHeroes(limit: Int)
    case alreadyInParty(HeroTag)
    case notInParty(HeroID)
    case notYourHero(HeroID)
    case notTheLeader
    /// The player was removed from the party, and may not return yet.
    case keptOut(hours: Int)
    /// The leader wants to remove one of their own heroes.
    case ownHero(HeroTag)
    case adventureRunning
    case noAdventure
    /// An adventure needs a hero.
    case noHero
    case noPotionLeft(HeroTag)
    case heroIsDown(HeroTag)
    case heroLostConnection(HeroTag)
    case heroIsHealthy(HeroTag)
    case bossAlreadyHere
    /// The adventure's pack has no such boss, nor item.
    case noSuchBoss(Boss)
    case noSuchItem(Item)
    /// The adventure's pauses would take too long together.
    case pausedTooLong(minutesLeft: Int)
    case notPaused
    /// The question is answered, or never was.
    case noSuchAsk(Int)
    /// The question is for other heroes.
    case notAsked(HeroTag)
    /// The leader's hero must win at an easier one first.
    case difficultyLocked(Difficulty, requires: Difficulty)
    case tooFewCoins(price: Int, coins: Int)
    case noRoomForPotions(Int)
    /// The adventure is not a shift against a world boss.
    case noShift
    /// The party knows already that the world boss is so weak, or weaker.
    case worldStagePassed
    /// No round against a world boss is open now.
    case noWorldBoss
    /// The hero has played its shifts of this round.
    case noShiftLeft(HeroID, limit: Int)
    case readyCheckRunning
    /// The ready check is over, and the party has not set out.
    case readyCheckOver
    /// The ready check has ended with an adventure.
    case hasSetOut
    /// The hero has stayed behind.
    case isAtInn(HeroTag)
    case notAtInn(HeroTag)
    case tooLateToFollow(HeroTag)
}

extension RuleError: CustomStringConvertible {
    package var description: String { sentence(naming: \.name) }

    /// Returns the refusal in words, in which heroes have the names that `name` returns.
    package func sentence(naming name: (HeroTag) -> String) -> String {
        switch self {
        case .partyFull(let limit): "The party is full: it takes at most \(limit) heroes."
        case .tooManyHeroes(let limit):
            "A player can have at most \(limit) heroes in a party."
        case .alreadyInParty(let hero): "\(name(hero)) is already in the party."
        case .notInParty(let hero): "Hero \(hero) is not in the party."
        case .notYourHero(let hero): "Hero \(hero) belongs to another player."
        case .notTheLeader: "Only the party's leader can do that."
        case .keptOut(let hours):
            "The leader has removed you from this party: you can return after \(hours) hours."
        case .ownHero(let hero): "\(name(hero)) is your own hero: let it leave instead."
        case .adventureRunning: "The party is already on an adventure."
        case .noAdventure: "The party is not on an adventure."
        case .noHero: "The party has no heroes. A hero must join first."
        case .noPotionLeft(let hero): "\(name(hero)) has no potion left."
        case .heroIsDown(let hero): "\(name(hero)) is knocked down; a friend can use a potion."
        case .heroLostConnection(let hero): "\(name(hero)) has lost connection."
        case .heroIsHealthy(let hero): "\(name(hero)) is at full health."
        case .bossAlreadyHere: "The boss is already here."
        case .noSuchBoss(let boss): "This adventure has no boss \"\(boss)\"."
        case .noSuchItem(let item): "This adventure has no item \"\(item)\"."
        case .pausedTooLong(let minutes):
            "All pauses of an adventure together last at most two hours: \(minutes) minutes are left."
        case .notPaused: "The adventure is not paused."
        case .noSuchAsk(let id): "Question \(id) is not open."
        case .notAsked(let hero): "\(name(hero)) is not asked this question now."
        case .difficultyLocked(let wanted, let needed):
            "\"\(wanted.name)\" requires a victory at \"\(needed.name)\"."
        case .tooFewCoins(let price, let coins):
            "That costs \(price) coins, and the hero has \(coins)."
        case .noRoomForPotions(let limit): "A hero keeps at most \(limit) potions at home."
        case .noShift: "The adventure is not a shift against a world boss."
        case .worldStagePassed: "The party already knows this stage of the world boss."
        case .noWorldBoss: "There is no world boss to fight now: GET /v1/world shows when."
        case .noShiftLeft(let hero, let limit):
            "Hero \(hero) has played \(limit) shifts in this round, the maximum."
        case .readyCheckRunning:
            "A ready check is already open: wait for its end, or cancel it."
        case .readyCheckOver: "The ready check is over, and the party has not set out."
        case .hasSetOut: "The ready check is over, and the party has set out."
        case .isAtInn(let hero): "The party has set out without \(name(hero)), who is at the inn."
        case .notAtInn(let hero): "\(name(hero)) is not at the inn."
        case .tooLateToFollow(let hero):
            "The party is past halfway: \(name(hero)) can come along next time."
        }
    }
}
