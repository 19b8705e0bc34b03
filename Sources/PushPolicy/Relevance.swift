internal import GameLogic

/// The relevance score, which orders the app's activities and selects the one in the Dynamic Island
/// (rule Q14): Apple's examples are 25, 50, 75 and 100.
package enum Relevance {
    /// The player must act.
    package static let alerting = 100
    /// The player is asked something.
    package static let asking = 90
    /// The hero is knocked down, or the boss is here.
    package static let raised = 75
    package static let ordinary = 50
    /// Nothing happens: before the adventure.
    package static let idle = 25
    /// A party that one only follows, below every hero of one's own.
    package static let following = 10

    /// Returns what decides between activities of the same score (`PlannedPush.precedence`): the
    /// milliseconds of its start, of which the lower 32 bits last for 49 days.
    static func precedence(ofStart time: WallTime) -> UInt32 {
        UInt32(truncatingIfNeeded: time.milliseconds)
    }

    /// Returns the number for the device: no two activities have the same.
    package static func score(_ score: Int, precedence: UInt32) -> Double {
        Double(score) + Double(precedence) / Double(1 << 32)
    }

    /// Returns the score of a push with an event of this relevance, in the current state.
    static func score(
        of event: Int, for condition: Member.Condition?, in current: CurrentParty
    ) -> Int {
        guard current.isOnAdventure else { return current.isAskedReady ? asking : idle }
        return current.raisesRelevance(condition) ? max(event, raised) : event
    }
}
