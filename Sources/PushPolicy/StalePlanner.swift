internal import GameLogic

/// Decides when an activity becomes stale (rules P8, Q15). Each push moves the date on. Nothing
/// becomes stale during a pause: the time counts from its end. No phone takes a button away by
/// itself, so a card with a question becomes stale when that ends.
package enum StalePlanner {
    /// A running adventure always has an event before this.
    package static let staleAfterSeconds: Int64 = 15 * 60
    /// The same, however slow the adventure is.
    package static let staleAfterSecondsMax: Int64 = 60 * 60
    /// A hero in the woods: the content soon becomes a guess.
    package static let lostStaleAfterSeconds: Int64 = 60

    /// Returns the date of a card; `nil`: it has none. A question's end is no later: a stale card has
    /// no button.
    static func staleDate(on card: Card, in current: CurrentParty, at now: WallTime) -> WallTime? {
        let end = current.nextEnd(on: card)
        guard current.isOnAdventure else { return end }
        let usual = usualDate(for: current.condition(of: card.hero), in: current, at: now)
        return end.map { min($0, usual) } ?? usual
    }

    /// Returns the date of an activity that is started by push, which must have one.
    static func staleDate(
        ofStart hero: HeroID, in current: CurrentParty, at now: WallTime
    ) -> WallTime {
        staleDate(on: Card(of: hero), in: current, at: now)
            ?? now.adding(seconds: staleAfterSeconds)
    }

    private static func usualDate(
        for condition: Member.Condition?, in current: CurrentParty, at now: WallTime
    ) -> WallTime {
        let start = max(now, current.pausedUntil ?? now)
        switch condition {
        case .lostConnection: return start.adding(seconds: lostStaleAfterSeconds)
        case .standing, .knockedDown, nil: return start.adding(milliseconds: current.staleAfter)
        }
    }
}
