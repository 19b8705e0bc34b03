internal import GameLogic
internal import PushPolicy

extension JSONRow {
    init(hero: Hero) throws(StoreError) {
        try self.init(
            table: "heroes", keys: [hero.id.rawValue, hero.owner.rawValue], encoding: hero)
    }

    init(activity: ActivityRegistration) throws(StoreError) {
        try self.init(
            table: "activities", keys: [activity.id.rawValue, activity.party.rawValue],
            encoding: activity)
    }

    init(channel: ChannelRecord) throws(StoreError) {
        try self.init(
            table: Self.channels,
            keys: [channel.environment.rawValue, channel.id.rawValue, channel.party.rawValue],
            encoding: channel)
    }

    static let channels = "channels"
}
