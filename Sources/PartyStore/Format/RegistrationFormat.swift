internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// A row of `activities`: what a client registered of its Live Activity.
enum RegistrationFormat {
    /// The format of a token that was put again; all other rows are of the first.
    private static let confirmed: UInt8 = 2

    static func write(_ activity: ActivityRegistration, to bytes: inout ByteWriter) {
        let isConfirmed = activity.tokenConfirmedAt != activity.tokenRegisteredAt
        RowFormat.write(isConfirmed ? confirmed : RowFormat.newest, to: &bytes)
        var flags = Flags()
        flags.append(activity.pushToken != nil)
        flags.append(activity.device != nil)
        flags.append(activity.channel != nil)
        flags.append(activity.frequentPushesEnabled)
        bytes.append(flags)
        bytes.append(activity.id)
        bytes.append(activity.player)
        bytes.append(activity.hero)
        bytes.append(activity.party)
        bytes.append(activity.createdAt)
        bytes.append(activity.tokenRegisteredAt, since: activity.createdAt)
        bytes.append(activity.environment)
        bytes.append(activity.language)
        bytes.append(activity.state)
        bytes.append(text: activity.osVersion)
        if let token = activity.pushToken { bytes.append(token) }
        if let device = activity.device { bytes.append(device) }
        if let channel = activity.channel { bytes.append(channel) }
        if isConfirmed {
            bytes.append(activity.tokenConfirmedAt, since: activity.tokenRegisteredAt)
        }
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> ActivityRegistration {
        var bytes = ByteReader(row)
        let format = try RowFormat.read(&bytes, newest: confirmed)
        var flags = try bytes.flags(4)
        let (hasToken, hasDevice, hasChannel) = (flags.next(), flags.next(), flags.next())
        let frequentPushesEnabled = flags.next()
        let (id, player) = (
            try bytes.identifier(ActivityID.self), try bytes.identifier(PlayerID.self)
        )
        let (hero, party) = (
            try bytes.identifier(HeroID.self), try bytes.identifier(PartyID.self)
        )
        let createdAt = try bytes.wallTime()
        let tokenRegisteredAt = try bytes.wallTime(since: createdAt)
        let environment = try bytes.numbered(PushEnvironment.self)
        let language = try bytes.numbered(Language.self)
        let state = try bytes.numbered(ActivityState.self)
        let osVersion = try bytes.text()
        let pushToken = hasToken ? try bytes.token() : nil
        let device = hasDevice ? try bytes.identifier(DeviceID.self) : nil
        let channel = hasChannel ? try bytes.identifier(ChannelName.self) : nil
        let confirmedAt = format < confirmed ? nil : try bytes.wallTime(since: tokenRegisteredAt)
        let activity = ActivityRegistration(
            id: id, player: player, hero: hero, party: party, pushToken: pushToken,
            tokenRegisteredAt: tokenRegisteredAt, tokenConfirmedAt: confirmedAt,
            environment: environment, frequentPushesEnabled: frequentPushesEnabled,
            language: language, osVersion: osVersion, state: state, device: device,
            channel: channel, createdAt: createdAt)
        try bytes.finish()
        return activity
    }
}
