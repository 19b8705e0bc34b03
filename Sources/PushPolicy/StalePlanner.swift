internal import GameLogic

/// When a card must be shown as old (rules P8, Q15). Each push moves the date along.
package enum StalePlanner {
    /// A running adventure always has news before this.
    package static let staleAfterSeconds: Int64 = 15 * 60
    /// A hero in the woods: what the card says of them is a guess soon.
    package static let lostStaleAfterSeconds: Int64 = 60

    static func staleDate(of hero: HeroID, in party: Party, at now: WallTime) -> WallTime? {
        guard party.isOnAdventure else { return nil }
        let isLost = party.member(hero)?.hasLostConnection ?? false
        return now.adding(seconds: isLost ? lostStaleAfterSeconds : staleAfterSeconds)
    }
}
