internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// The two halves of a row of `start_devices`: the app's report and the server's starts, which are
/// written separately.
enum StartDeviceFormat {
    /// The most starts that a guard remembers.
    private static let startsMax = 1 << 16

    // MARK: The app's report

    static func write(traits: StartDevice.Traits, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        bytes.append(traits.tokenRegisteredAt)
        bytes.append(traits.tokenConfirmedAt, since: traits.tokenRegisteredAt)
        bytes.append(traits.language)
        bytes.append(text: traits.osVersion)
        var flags = Flags()
        flags.append(traits.frequentPushesEnabled)
        bytes.append(flags)
    }

    static func traits(_ row: UnsafeRawBufferPointer) throws(FormatError) -> StartDevice.Traits {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let tokenRegisteredAt = try bytes.wallTime()
        let confirmedAt = try bytes.wallTime(since: tokenRegisteredAt)
        let language = try bytes.numbered(Language.self)
        let osVersion = try bytes.text()
        var flags = try bytes.flags(1)
        try bytes.finish()
        return StartDevice.Traits(
            tokenRegisteredAt: tokenRegisteredAt, tokenConfirmedAt: confirmedAt,
            language: language, osVersion: osVersion, frequentPushesEnabled: flags.next())
    }

    // MARK: Starts

    static func write(starts: DeviceStarts, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        let times = starts.guardian.times
        bytes.append(count: times.count)
        for time in times { bytes.append(time) }
        var flags = Flags()
        flags.append(starts.pending != nil)
        flags.append(starts.contactedAt != nil)
        bytes.append(flags)
        if let pending = starts.pending { append(pending, to: &bytes) }
        bytes.append(count: starts.unfollowed.count)
        for start in starts.unfollowed { append(start, to: &bytes) }
        if let time = starts.contactedAt { bytes.append(time) }
    }

    static func starts(_ row: UnsafeRawBufferPointer) throws(FormatError) -> DeviceStarts {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        var times: [WallTime] = []
        for _ in 0..<(try bytes.count(max: startsMax)) { times.append(try bytes.wallTime()) }
        var flags = try bytes.flags(2)
        let pending = flags.next() ? try start(&bytes) : nil
        var unfollowed: [PendingStart] = []
        for _ in 0..<(try bytes.count(max: DeviceStarts.unfollowedMax)) {
            unfollowed.append(try start(&bytes))
        }
        let contactedAt = flags.next() ? try bytes.wallTime() : nil
        try bytes.finish()
        return DeviceStarts(
            guardian: PushToStartGuard(times: times), pending: pending, unfollowed: unfollowed,
            contactedAt: contactedAt)
    }

    private static func append(_ start: PendingStart, to bytes: inout ByteWriter) {
        bytes.append(start.party)
        bytes.append(start.hero)
        bytes.append(fixed: start.adventure)
        ContentFormat.write(start.content, Roster(), to: &bytes)
        bytes.append(start.news)
        bytes.append(start.language)
        bytes.append(count: start.sequence)
        bytes.append(start.reason)
        bytes.append(start.dueAt)
        bytes.append(zigzag: start.timestamp &- start.dueAt.seconds)
        switch start.phase {
        case .sent: bytes.append(byte: 1)
        case .again(notBefore: let time):
            bytes.append(byte: 2)
            bytes.append(time, since: start.dueAt)
        }
        bytes.append(count: start.refusals)
    }

    private static func start(_ bytes: inout ByteReader) throws(FormatError) -> PendingStart {
        let (party, hero) = (
            try bytes.identifier(PartyID.self), try bytes.identifier(HeroID.self)
        )
        let adventure = try bytes.fixed()
        let content = try ContentFormat.read(&bytes, Roster())
        let news = try bytes.newsMark()
        let language = try bytes.numbered(Language.self)
        let sequence = try bytes.number("sequence")
        let reason = try bytes.numbered(StartReason.self)
        let dueAt = try bytes.wallTime()
        let timestamp = try bytes.zigzag(in: Bounds.seconds, since: dueAt.seconds, "timestamp")
        return PendingStart(
            party: party, hero: hero, adventure: adventure, content: content, telling: news,
            language: language, sequence: sequence, reason: reason, dueAt: dueAt,
            timestamp: timestamp,
            phase: try phase(&bytes, since: dueAt),
            refusals: try bytes.number(in: 0...OwnRefusals.sameMax, "number of refusals"))
    }

    private static func phase(
        _ bytes: inout ByteReader, since dueAt: WallTime
    ) throws(FormatError) -> PendingStart.Phase {
        let number = try bytes.byte()
        switch number {
        case 1: return .sent
        case 2: return .again(notBefore: try bytes.wallTime(since: dueAt))
        default: throw .unknownNumber(UInt64(number), of: "phase of a start")
        }
    }
}
