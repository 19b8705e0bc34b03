internal import GameLogic

/// When an activity must be shown as old (rules P8, Q15). Each push moves the date along.
package enum StalePlanner {
    /// A running adventure always has an event before this.
    package static let staleAfterSeconds: Int64 = 15 * 60
    /// A hero in the woods: what is said of them is a guess soon.
    package static let lostStaleAfterSeconds: Int64 = 60

    /// The date for a hero in this condition; `nil` stands for one who is not in the party.
    static func staleDate(
        for condition: Member.Condition?, in standing: Standing, at now: WallTime
    ) -> WallTime? {
        guard standing.isOnAdventure else { return nil }
        switch condition {
        case .lostConnection: return now.adding(seconds: lostStaleAfterSeconds)
        case .standing, .knockedDown, nil: return now.adding(seconds: staleAfterSeconds)
        }
    }
}
