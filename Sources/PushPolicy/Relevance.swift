internal import GameLogic

/// Which of the app's cards is nearest the top, and in the Dynamic Island (rule Q14): Apple's
/// examples are 25, 50, 75 and 100.
package enum Relevance {
    /// The player must act.
    package static let alerting = 100
    /// The hero is down, or the boss is here.
    package static let urgent = 75
    package static let ordinary = 50
    /// Nothing happens: before the adventure.
    package static let idle = 25

    /// The score of a push that tells of the party as it is now.
    static func score(telling event: Int, of hero: HeroID, in party: Party) -> Int {
        guard party.isOnAdventure else { return idle }
        let isDown = party.member(hero)?.isKnockedDown ?? false
        let isBossHere = party.adventure?.boss != nil
        return isDown || isBossHere ? max(event, urgent) : event
    }
}
