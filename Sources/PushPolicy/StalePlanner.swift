internal import GameLogic

/// Decides when an activity becomes stale (rules P8, Q15). Each push moves the date on. Nothing
/// becomes stale during a pause: the time counts from its end.
package enum StalePlanner {
    /// A running adventure always has an event before this.
    package static let staleAfterSeconds: Int64 = 15 * 60
    /// The same, however slow the adventure is.
    package static let staleAfterSecondsMax: Int64 = 60 * 60
    /// A hero in the woods: the content soon becomes a guess.
    package static let lostStaleAfterSeconds: Int64 = 60

    /// Returns the date for a hero in this condition; `nil`: the hero is not in the party.
    static func staleDate(
        for condition: Member.Condition?, in current: CurrentParty, at now: WallTime
    ) -> WallTime? {
        guard current.isOnAdventure else { return nil }
        let start = max(now, current.pausedUntil ?? now)
        switch condition {
        case .lostConnection: return start.adding(seconds: lostStaleAfterSeconds)
        case .standing, .knockedDown, nil: return start.adding(milliseconds: current.staleAfter)
        }
    }
}
