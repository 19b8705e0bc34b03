/// What the product promises of events, told a second time: the playtest must not ask the policy
/// that it checks.
enum Invariants {
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
