package import GameLogic

/// What one activity is owed: a part of the party's row, so that it is committed with the events
/// that made it due (architecture decision 2).
package struct ActivityOutbox: Hashable, Codable, Sendable {
    package let activity: ActivityID
    package let hero: HeroID

    package init(activity: ActivityID, hero: HeroID, startedAt: WallTime) {
        self.activity = activity
        self.hero = hero
    }
}
