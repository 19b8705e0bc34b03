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
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> ActivityRegistration {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
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
        let activity = ActivityRegistration(
            id: id, player: player, hero: hero, party: party,
            pushToken: hasToken ? try bytes.token() : nil, tokenRegisteredAt: tokenRegisteredAt,
            environment: environment, frequentPushesEnabled: frequentPushesEnabled,
            language: language, osVersion: osVersion, state: state,
            device: hasDevice ? try bytes.identifier() : nil,
            channel: hasChannel ? try bytes.identifier() : nil, createdAt: createdAt)
        try bytes.finish()
        return activity
    }
}
