/// A Live Activity on a phone.
package final class PhoneCard: @unchecked Sendable {
    // Safe to share: as the scheduler.
    package let activity: String
    package let player: Int
    package let hero: String
    package let party: String
    /// Those that it has had, the newest last.
    package internal(set) var tokens: [String]
    /// The newest one that the server has acknowledged.
    package internal(set) var registered: String?
    package internal(set) var phase = Phase.active
    /// What the next registration is numbered.
    var revision = 0

    /// What ActivityKit says of it.
    package enum Phase: Sendable { case active, ended, dismissed }

    init(activity: String, player: Int, hero: String, party: String, token: String) {
        self.activity = activity
        self.player = player
        self.hero = hero
        self.party = party
        tokens = [token]
    }

    package var token: String { tokens.last ?? "" }

    var sight: TokenSight {
        TokenSight(
            token: token, purpose: .activity, player: player, party: party, hero: hero)
    }
}
