package import GameLogic
package import PushPolicy

/// A broadcast channel that this server has created, from its creation until its deletion at Apple:
/// without the record it would never be deleted.
package struct ChannelRecord: Hashable, Sendable {
    package let id: ChannelName
    /// The channel's environment; its id is meaningless in the other one.
    package let environment: PushEnvironment
    package let party: PartyID
    package let createdAt: WallTime
    /// Since when nothing is published on it; `nil`: spectators may follow it.
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

    /// Creates the record of an activity's channel; `nil` for an activity on one device.
    package init?(of activity: ActivityRegistration, overSince: WallTime?) {
        guard let channel = activity.channel else { return nil }
        self.init(
            id: channel, environment: activity.environment, party: activity.party,
            createdAt: activity.createdAt, overSince: overSince)
    }
}
