internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// A row of `activities`: what a client registered of its Live Activity.
enum RegistrationFormat {
    /// The format of a token that was put again.
    private static let confirmed: UInt8 = 2
    /// The format of an app that decodes details, or has named its time zone; all other rows are of
    /// the first.
    private static let detailed: UInt8 = 3
    /// The format of a page's activity.
    private static let ofPage: UInt8 = 4
    /// The format of an app that counts its registrations.
    private static let counted: UInt8 = 5

    static func write(_ activity: ActivityRegistration, to bytes: inout ByteWriter) {
        let isConfirmed = activity.tokenConfirmedAt != activity.tokenRegisteredAt
        let isDetailed = activity.stateVersion != .first || activity.quietHours != nil
        let format =
            activity.revision > 0
            ? counted
            : activity.screen == .page
                ? ofPage : isDetailed ? detailed : isConfirmed ? confirmed : RowFormat.newest
        RowFormat.write(format, to: &bytes)
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
        if format >= confirmed {
            bytes.append(activity.tokenConfirmedAt, since: activity.tokenRegisteredAt)
        }
        if format >= detailed {
            bytes.append(activity.stateVersion)
            append(activity.quietHours, to: &bytes)
        }
        guard format == counted else { return }
        var screen = Flags()
        screen.append(activity.screen == .page)
        bytes.append(screen)
        bytes.append(count: Int(activity.revision))
    }

    private static func append(_ hours: QuietHours?, to bytes: inout ByteWriter) {
        var flags = Flags()
        flags.append(hours != nil)
        bytes.append(flags)
        guard let hours else { return }
        bytes.append(zigzag: Int64(hours.utcOffsetMinutes))
        bytes.append(count: hours.from)
        bytes.append(count: hours.to)
    }

    private static func quietHours(
        _ bytes: inout ByteReader
    ) throws(FormatError) -> QuietHours? {
        var flags = try bytes.flags(1)
        guard flags.next() else { return nil }
        let offsets = Int64(QuietHours.offsets.lowerBound)...Int64(QuietHours.offsets.upperBound)
        let offset = Int(try bytes.zigzag(in: offsets, "time zone"))
        let (from, to) = (
            try bytes.number(in: 0...23, "hour"), try bytes.number(in: 0...23, "hour")
        )
        return QuietHours(utcOffsetMinutes: offset, from: from, to: to)
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> ActivityRegistration {
        var bytes = ByteReader(row)
        let format = try RowFormat.read(&bytes, newest: counted)
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
        let stateVersion: StateVersion = format < detailed ? .first : try bytes.numbered()
        let quietHours = format < detailed ? nil : try quietHours(&bytes)
        let (isPage, revision) = try screenAndRevision(&bytes, format)
        let activity = ActivityRegistration(
            id: id, player: player, hero: hero, party: party,
            screen: isPage ? .page : .device, pushToken: pushToken,
            tokenRegisteredAt: tokenRegisteredAt, tokenConfirmedAt: confirmedAt,
            environment: environment, frequentPushesEnabled: frequentPushesEnabled,
            language: language, osVersion: osVersion, state: state,
            stateVersion: stateVersion, revision: revision, quietHours: quietHours,
            device: device, channel: channel, createdAt: createdAt)
        try bytes.finish()
        return activity
    }

    private static func screenAndRevision(
        _ bytes: inout ByteReader, _ format: UInt8
    ) throws(FormatError) -> (isPage: Bool, revision: UInt32) {
        guard format == counted else { return (format == ofPage, 0) }
        var screen = try bytes.flags(1)
        let revision = try bytes.number(in: 1...Int(UInt32.max), "revision")
        return (screen.next(), UInt32(revision))
    }
}
