internal import GameLogic

/// Decides when an activity becomes stale (rules P8, Q15). Each push moves the date on.
package enum StalePlanner {
    /// A running adventure always has an event before this.
    package static let staleAfterSeconds: Int64 = 15 * 60
    /// A hero in the woods: the content soon becomes a guess.
    package static let lostStaleAfterSeconds: Int64 = 60

    /// Returns the date for a hero in this condition; `nil`: the hero is not in the party.
    static func staleDate(
        for condition: Member.Condition?, in current: CurrentParty, at now: WallTime
    ) -> WallTime? {
        guard current.isOnAdventure else { return nil }
        switch condition {
        case .lostConnection: return now.adding(seconds: lostStaleAfterSeconds)
        case .standing, .knockedDown, nil: return now.adding(seconds: staleAfterSeconds)
        }
    }
}
