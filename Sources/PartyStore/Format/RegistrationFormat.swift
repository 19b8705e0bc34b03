internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// A row of `activities`: what a client registered of its Live Activity.
enum RegistrationFormat {
    static func write(_ activity: ActivityRegistration, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        var flags = Flags()
        flags.append(activity.pushToken != nil)
        flags.append(activity.device != nil)
        flags.append(activity.channel != nil)
        flags.append(activity.frequentPushesEnabled)
        flags.append(activity.screen == .page)
        flags.append(activity.quietHours != nil)
        bytes.append(flags)
        bytes.append(activity.id)
        bytes.append(activity.player)
        bytes.append(activity.hero)
        bytes.append(activity.party)
        bytes.append(activity.createdAt)
        bytes.append(activity.tokenRegisteredAt, since: activity.createdAt)
        bytes.append(activity.tokenConfirmedAt, since: activity.tokenRegisteredAt)
        bytes.append(activity.environment)
        bytes.append(activity.language)
        bytes.append(activity.state)
        bytes.append(text: activity.osVersion)
        if let token = activity.pushToken { bytes.append(token) }
        if let device = activity.device { bytes.append(device) }
        if let channel = activity.channel { bytes.append(channel) }
        bytes.append(activity.stateVersion)
        bytes.append(count: Int(activity.revision))
        if let hours = activity.quietHours { append(hours, to: &bytes) }
    }

    private static func append(_ hours: QuietHours, to bytes: inout ByteWriter) {
        bytes.append(zigzag: Int64(hours.utcOffsetMinutes))
        bytes.append(count: hours.from)
        bytes.append(count: hours.to)
    }

    private static func quietHours(
        _ bytes: inout ByteReader
    ) throws(FormatError) -> QuietHours? {
        let offsets = Int64(QuietHours.offsets.lowerBound)...Int64(QuietHours.offsets.upperBound)
        let offset = Int(try bytes.zigzag(in: offsets, "time zone"))
        let (from, to) = (
            try bytes.number(in: 0...23, "hour"), try bytes.number(in: 0...23, "hour")
        )
        return QuietHours(utcOffsetMinutes: offset, from: from, to: to)
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> ActivityRegistration {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        var flags = try bytes.flags(6)
        let (hasToken, hasDevice, hasChannel) = (flags.next(), flags.next(), flags.next())
        let (frequentPushesEnabled, isPage, hasHours) = (flags.next(), flags.next(), flags.next())
        let (id, player) = (
            try bytes.identifier(ActivityID.self), try bytes.identifier(PlayerID.self)
        )
        let (hero, party) = (
            try bytes.identifier(HeroID.self), try bytes.identifier(PartyID.self)
        )
        let createdAt = try bytes.wallTime()
        let tokenRegisteredAt = try bytes.wallTime(since: createdAt)
        let confirmedAt = try bytes.wallTime(since: tokenRegisteredAt)
        let environment = try bytes.numbered(PushEnvironment.self)
        let language = try bytes.numbered(Language.self)
        let state = try bytes.numbered(ActivityState.self)
        let osVersion = try bytes.text()
        let pushToken = hasToken ? try bytes.token() : nil
        let device = hasDevice ? try bytes.identifier(DeviceID.self) : nil
        let channel = hasChannel ? try bytes.identifier(ChannelName.self) : nil
        let stateVersion = try bytes.numbered(StateVersion.self)
        let revision = try bytes.number(in: 0...Int(UInt32.max), "revision")
        let quietHours = hasHours ? try quietHours(&bytes) : nil
        let activity = ActivityRegistration(
            id: id, player: player, hero: hero, party: party,
            screen: isPage ? .page : .device, pushToken: pushToken,
            tokenRegisteredAt: tokenRegisteredAt, tokenConfirmedAt: confirmedAt,
            environment: environment, frequentPushesEnabled: frequentPushesEnabled,
            language: language, osVersion: osVersion, state: state,
            stateVersion: stateVersion, revision: UInt32(revision), quietHours: quietHours,
            device: device, channel: channel, createdAt: createdAt)
        try bytes.finish()
        return activity
    }
}
