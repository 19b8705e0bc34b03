package import GameLogic
package import PushPolicy

/// A broadcast channel that this server has created, from its creation until it is deleted at
/// Apple: nobody else would remember to delete it.
package struct ChannelRecord: Hashable, Sendable {
    package let id: ChannelName
    /// Where it lives: in the other environment its id means nothing.
    package let environment: PushEnvironment
    package let party: PartyID
    package let createdAt: WallTime
    /// Since when nothing is published on it any more; `nil`: somebody may listen.
    package let overSince: WallTime?

    package init(
        id: ChannelName, environment: PushEnvironment, party: PartyID, createdAt: WallTime,
        overSince: WallTime?
    ) {
        self.id = id
        self.environment = environment
        self.party = party
        self.createdAt = createdAt
        self.overSince = overSince
    }

    /// The channel behind an activity; `nil` for a card on one phone.
    package init?(of activity: ActivityRegistration, overSince: WallTime?) {
        guard let channel = activity.channel else { return nil }
        self.init(
            id: channel, environment: activity.environment, party: activity.party,
            createdAt: activity.createdAt, overSince: overSince)
    }
}
