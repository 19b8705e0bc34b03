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

    /// The score of a push that tells of an event of this relevance, as things stand now.
    static func score(
        telling event: Int, for condition: Member.Condition?, in standing: Standing
    ) -> Int {
        guard standing.isOnAdventure else { return idle }
        return standing.isUrgent(condition) ? max(event, urgent) : event
    }
}
