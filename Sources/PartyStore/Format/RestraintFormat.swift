internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// What keeps an activity quiet, at the end of its outbox.
enum RestraintFormat {
    static func append(
        _ restraint: Restraint, since base: WallTime, to bytes: inout ByteWriter
    ) {
        var flags = Flags()
        flags.append(restraint.gapEndsAt != nil)
        flags.append(restraint.lastDeedAt != nil)
        bytes.append(flags)
        if let time = restraint.gapEndsAt { bytes.append(time, since: base) }
        if let time = restraint.lastDeedAt { bytes.append(time, since: base) }
        bytes.append(count: restraint.unheeded)
        bytes.append(count: restraint.alertsAt.count)
        for time in restraint.alertsAt { bytes.append(time, since: base) }
    }

    static func next(
        _ bytes: inout ByteReader, since base: WallTime
    ) throws(FormatError) -> Restraint {
        var flags = try bytes.flags(2)
        let (hasGap, hasDeed) = (flags.next(), flags.next())
        let gapEndsAt = hasGap ? try bytes.wallTime(since: base) : nil
        let lastDeedAt = hasDeed ? try bytes.wallTime(since: base) : nil
        let unheeded = try bytes.number("alerts without a deed")
        var alertsAt: [WallTime] = []
        for _ in 0..<(try bytes.count(max: Restraint.alertsInHour)) {
            alertsAt.append(try bytes.wallTime(since: base))
        }
        guard
            let restraint = Restraint(
                gapEndsAt: gapEndsAt, alertsAt: alertsAt, unheeded: unheeded,
                lastDeedAt: lastDeedAt)
        else { throw .invalid("its alerts are more than there can be") }
        return restraint
    }
}
