internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// The limits of an activity's pushes and alerts, at the end of its outbox.
enum RestraintFormat {
    static func append(
        _ restraint: Restraint, since base: WallTime, to bytes: inout ByteWriter
    ) {
        var flags = Flags()
        flags.append(restraint.gapEndsAt != nil)
        flags.append(restraint.lastActionAt != nil)
        flags.append(restraint.share != PhoneAllowance.whole)
        bytes.append(flags)
        if let time = restraint.gapEndsAt { bytes.append(time, since: base) }
        if let time = restraint.lastActionAt { bytes.append(time, since: base) }
        if restraint.share != PhoneAllowance.whole { bytes.append(count: restraint.share) }
        bytes.append(count: restraint.ignored)
        bytes.append(count: restraint.alertsAt.count)
        for time in restraint.alertsAt { bytes.append(time, since: base) }
    }

    static func next(
        _ bytes: inout ByteReader, since base: WallTime
    ) throws(FormatError) -> Restraint {
        var flags = try bytes.flags(3)
        let (hasGap, hasAction, isShared) = (flags.next(), flags.next(), flags.next())
        let gapEndsAt = hasGap ? try bytes.wallTime(since: base) : nil
        let lastActionAt = hasAction ? try bytes.wallTime(since: base) : nil
        let share = isShared ? try bytes.number("share of the budget") : PhoneAllowance.whole
        let ignored = try bytes.number("number of ignored alerts")
        var alertsAt: [WallTime] = []
        for _ in 0..<(try bytes.count(max: Restraint.alertsInHour)) {
            alertsAt.append(try bytes.wallTime(since: base))
        }
        guard
            let restraint = Restraint(
                gapEndsAt: gapEndsAt, alertsAt: alertsAt, ignored: ignored,
                lastActionAt: lastActionAt, share: share)
        else { throw .invalid("its alerts or its share are more than there can be") }
        return restraint
    }
}
