/// What the product promises of events, told a second time: the playtest must not ask the policy
/// that it checks.
enum Invariants {
    /// A fall that was over sooner may have gone unheard: its alert was not on its way yet, and
    /// then nothing was left to be done (Q9).
    static let unheardFallMillisecondsMax = 3000

    /// What a phone may get of starts by push, below the ten that it has been seen to take (A7).
    static let startsAnHourMax = 3
    static let startsADayMax = 8

    /// A crowd's budgets are nobody's to spend (A8).
    static let spectatorPriorityMax = 5

    /// Rules Q3 and Q5, and the ends of a story.
    static func isHighPriority(_ kind: String) -> Bool {
        switch kind {
        case "adventureBegan", "knockedDown", "bossAppeared", "bossDefeated", "partyDefeated",
            "timeLimitReached", "adventureOver":
            true
        default: false
        }
    }
}
