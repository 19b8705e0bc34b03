internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// A row of `parties`, without its key, version, id and invite code, which are columns.
///
/// The times of creation and of the invite code, the clock, the party, the former members, then the
/// activities in their order, each with its outbox if it has one. What clients registered is in
/// separate rows.
enum PartyStateFormat {
    /// More activities than a party ever has.
    private static let activitiesMax = 1 << 16
    private static let speeds: ClosedRange<Int64> = 1...(1 << 40)

    static func write(_ stored: StoredParty, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        bytes.append(stored.createdAt)
        bytes.append(stored.code.renewedAt, since: stored.createdAt)
        append(stored.clock, since: stored.createdAt, to: &bytes)
        var roster = Roster()
        PartyFormat.append(stored.party, &roster, to: &bytes)
        append(stored.former, since: stored.createdAt, to: &bytes)
        let base = OutboxFormat.Base(time: stored.clock.beganAt, version: stored.version)
        bytes.append(count: stored.activities.count)
        // By index: a copy of an activity would count references to all its texts.
        for index in stored.activities.indices {
            bytes.append(stored.activities[index].registration.id)
            var flags = Flags()
            guard let outbox = stored.activities[index].outbox else {
                flags.append(false)
                bytes.append(flags)
                continue
            }
            flags.append(true)
            bytes.append(flags)
            OutboxFormat.append(outbox.snapshot, since: base, roster, to: &bytes)
        }
    }

    private static func append(
        _ clock: PartyClock, since start: WallTime, to bytes: inout ByteWriter
    ) {
        bytes.append(clock.beganAt, since: start)
        bytes.append(zigzag: clock.millisecondsPerSecond)
        var flags = Flags()
        flags.append(clock.pausedMilliseconds != 0)
        flags.append(clock.pause != nil)
        flags.append(clock.pause?.ending != nil)
        bytes.append(flags)
        if clock.pausedMilliseconds != 0 {
            bytes.append(zigzag: clock.pausedMilliseconds)
        }
        guard let pause = clock.pause else { return }
        bytes.append(pause.until, since: clock.beganAt)
        if let ending = pause.ending { bytes.append(ending) }
    }

    private static func clock(
        _ bytes: inout ByteReader, since start: WallTime
    ) throws(FormatError) -> PartyClock {
        let beganAt = try bytes.wallTime(since: start)
        let speed = try bytes.zigzag(in: speeds, "speed")
        var flags = try bytes.flags(3)
        let (hasPaused, hasPause, ends) = (flags.next(), flags.next(), flags.next())
        guard hasPause || !ends else { throw .invalid("an end has no pause") }
        let paused =
            hasPaused ? try bytes.zigzag(in: 0...PartyClock.pausesMax, "paused time") : 0
        var pause: PartyClock.Pause?
        if hasPause {
            let until = try bytes.wallTime(since: beganAt)
            pause = PartyClock.Pause(until: until, ending: ends ? try bytes.numbered() : nil)
        }
        return PartyClock(
            beganAt: beganAt, millisecondsPerSecond: speed, pause: pause,
            pausedMilliseconds: paused)
    }

    /// Reads a row, with the registrations of its activities.
    ///
    /// A registration without an activity in the row has ended: it comes last, without an outbox.
    /// An activity in the row without a registration is a fault.
    static func read(
        _ row: UnsafeRawBufferPointer, key: PartyKey, version: Int64, id: PartyID,
        inviteCode: String, registrations: [ActivityRegistration], packs: any PackSource
    ) throws(FormatError) -> StoredParty {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let createdAt = try bytes.wallTime()
        let codeRenewedAt = try bytes.wallTime(since: createdAt)
        let clock = try clock(&bytes, since: createdAt)
        var roster = Roster()
        let party = try PartyFormat.next(&bytes, id: id, &roster, packs: packs)
        let former = try former(&bytes, since: createdAt)
        let base = OutboxFormat.Base(time: clock.beganAt, version: version)
        let activities = try activities(
            &bytes, since: base, roster, registrations.map { $0.sharingTexts(of: party) })
        try bytes.finish()
        return StoredParty(
            key: key, version: version, party: party, clock: clock, activities: activities,
            inviteCode: inviteCode, createdAt: createdAt, codeRenewedAt: codeRenewedAt,
            former: former)
    }

    private static func append(
        _ former: FormerMembers, since start: WallTime, to bytes: inout ByteWriter
    ) {
        bytes.append(count: former.entries.count)
        for entry in former.entries {
            var flags = Flags()
            flags.append(entry.seesOutcome)
            flags.append(entry.kickedAt != nil)
            bytes.append(flags)
            bytes.append(entry.player)
            if let kickedAt = entry.kickedAt { bytes.append(kickedAt, since: start) }
        }
    }

    private static func former(
        _ bytes: inout ByteReader, since start: WallTime
    ) throws(FormatError) -> FormerMembers {
        var entries: [FormerMembers.Entry] = []
        for _ in 0..<(try bytes.count(max: FormerMembers.countMax)) {
            var flags = try bytes.flags(2)
            let (seesOutcome, isKicked) = (flags.next(), flags.next())
            entries.append(
                FormerMembers.Entry(
                    player: try bytes.identifier(),
                    kickedAt: isKicked ? try bytes.wallTime(since: start) : nil,
                    seesOutcome: seesOutcome))
        }
        return FormerMembers(entries: entries)
    }

    private static func activities(
        _ bytes: inout ByteReader, since base: OutboxFormat.Base, _ roster: Roster,
        _ registrations: [ActivityRegistration]
    ) throws(FormatError) -> [LiveActivity] {
        var isSeen = [Bool](repeating: false, count: registrations.count)
        let count = try bytes.count(max: activitiesMax)
        var activities: [LiveActivity] = []
        activities.reserveCapacity(registrations.count)
        for _ in 0..<count {
            let id = try bytes.identifier(ActivityID.self)
            let index = registrations.indices.first {
                !isSeen[$0] && registrations[$0].id.isSame(as: id)
            }
            guard let index else {
                throw .invalid("it has an activity that is not registered")
            }
            isSeen[index] = true
            var flags = try bytes.flags(1)
            let outbox =
                flags.next()
                ? ActivityOutbox(
                    activity: registrations[index].id,
                    try OutboxFormat.next(&bytes, since: base, roster)) : nil
            activities.append(LiveActivity(registration: registrations[index], outbox: outbox))
        }
        for index in registrations.indices where !isSeen[index] {
            activities.append(LiveActivity(registration: registrations[index], outbox: nil))
        }
        return activities
    }
}
