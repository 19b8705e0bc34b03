package import GameLogic

/// What only a start has: the device's row remembers it as pending already.
package struct PlannedStart: Hashable, Sendable {
    package let party: PartyID
    /// The attributes of the activity to be.
    package let hero: Hero
    /// The event that called for it.
    package let sequence: Int
    /// Whether the device's system knows `input-push-token`.
    package let asksForPushToken: Bool

    package init(party: PartyID, hero: Hero, sequence: Int, asksForPushToken: Bool) {
        self.party = party
        self.hero = hero
        self.sequence = sequence
        self.asksForPushToken = asksForPushToken
    }
}
