/// The product's rules for events, implemented a second time: the playtest must not use the policy
/// that it checks.
package enum Invariants {
    /// A shorter knock-down may cause no alert: the alert was not in flight yet, and then no longer
    /// applied (Q9).
    static let knockDownWithoutAlertMillisecondsMax = 3000

    /// The limit of push-to-start pushes to a phone, below the observed limit of ten (A7).
    static let startsAnHourMax = 3
    static let startsADayMax = 8

    /// Pushes to spectators must not use up their budgets (A8).
    static let spectatorPriorityMax = 5

    /// Returns whether rules Q3 and Q5, or the end of an adventure, require high priority.
    package static func isHighPriority(_ kind: String) -> Bool {
        switch kind {
        case "adventureBegan", "readyAsked", "knockedDown", "bossAppeared", "bossDefeated",
            "partyDefeated",
            "timeLimitReached", "adventureOver", "bossGathers", "fleeAsked", "inDanger",
            "helpAsked", "lastStand", "stopAsked", "worldBossDefeated":
            true
        default: false
        }
    }

    /// Returns whether rule Q6 requires high priority in a boss rush.
    package static func isBlow(_ kind: String) -> Bool {
        ["hurt", "criticallyHit", "bossEnraged", "bossSweeps"].contains(kind)
    }

    /// Returns whether an event may alert the player of this hero: it is down or in danger, or a
    /// friend needs help. Whom a call for help asks, the API does not say.
    package static func isCall(_ kind: String, about hero: String?, to own: String) -> Bool {
        switch kind {
        case "knockedDown", "inDanger", "lastStand": hero == own
        case "helpAsked": hero != own
        default: false
        }
    }
}
