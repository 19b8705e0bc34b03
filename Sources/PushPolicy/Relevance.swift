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

    /// How many bits of a precedence come from the activity's id. With those of its start and of the
    /// score they are the 53 bits of a number in JSON.
    private static let idBits: UInt64 = 14
    private static let precedences = UInt64(1) << (32 + idBits)

    /// Returns what decides between activities of the same score (`PlannedPush.precedence`): the
    /// milliseconds of its start, of which the lower 32 bits last for 49 days. Activities that are
    /// registered in the same millisecond, as after a change of a phone's settings, differ by their
    /// ids.
    static func precedence(ofStart time: WallTime, _ activity: ActivityID? = nil) -> UInt64 {
        let start = UInt64(UInt32(truncatingIfNeeded: time.milliseconds))
        return start << idBits | (activity.map(hash) ?? 0) & (1 << idBits - 1)
    }

    /// FNV-1a: the same in every process.
    private static func hash(_ activity: ActivityID) -> UInt64 {
        activity.rawValue.utf8.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
    }

    /// Returns the number for the device, which differs between its activities.
    package static func score(_ score: Int, precedence: UInt64) -> Double {
        Double(score) + Double(precedence % precedences) / Double(precedences)
    }

    /// Returns the score of a push with an event of this relevance, in the current state.
    static func score(of event: Int, on card: Card, in current: CurrentParty) -> Int {
        guard current.isOnAdventure else { return current.isAskedReady ? asking : idle }
        if current.hasQuestion(on: card) { return max(event, asking) }
        return current.raisesRelevance(current.condition(of: card.hero))
            ? max(event, raised) : event
    }
}
