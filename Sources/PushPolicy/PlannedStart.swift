package import GameLogic

/// The parts of a push that only a start has. The device's row already records it as pending.
package struct PlannedStart: Hashable, Sendable {
    package let party: PartyID
    /// The hero in the attributes of the new activity.
    package let hero: Hero
    /// The event that called for it.
    package let sequence: Int
    /// Whether the device's system supports `input-push-token`.
    package let asksForPushToken: Bool

    package init(party: PartyID, hero: Hero, sequence: Int, asksForPushToken: Bool) {
        self.party = party
        self.hero = hero
        self.sequence = sequence
        self.asksForPushToken = asksForPushToken
    }
}
