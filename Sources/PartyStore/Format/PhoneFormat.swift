internal import ByteCoding
internal import PushPolicy

/// The budget in a row of `phones`: what ended Live Activities have left to the phone's next one.
enum PhoneFormat {
    /// Far more than a phone can have spent, in pushes × milliseconds per hour.
    private static let debts: ClosedRange<Int64> = 0...(1 << 40)
    private static let hourlies: ClosedRange<Int64> = 0...(1 << 20)

    static func write(_ left: PhoneAllowance?, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        var flags = Flags()
        flags.append(left != nil)
        flags.append(left?.lastActionAt != nil)
        bytes.append(flags)
        guard let left else { return }
        bytes.append(left.asOf)
        bytes.append(count: left.share)
        bytes.append(zigzag: left.debt)
        bytes.append(zigzag: left.hourly)
        bytes.append(count: left.alertsAt.count)
        for time in left.alertsAt { bytes.append(time, since: left.asOf) }
        if let time = left.lastActionAt { bytes.append(time, since: left.asOf) }
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> PhoneAllowance? {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        var flags = try bytes.flags(2)
        let (hasLeft, hasAction) = (flags.next(), flags.next())
        guard hasLeft else {
            guard !hasAction else { throw .invalid("nothing is left, and there is an action") }
            try bytes.finish()
            return nil
        }
        let asOf = try bytes.wallTime()
        let share = try bytes.number(in: 1...PhoneAllowance.whole, "share of the budget")
        let debt = try bytes.zigzag(in: debts, "debt")
        let hourly = try bytes.zigzag(in: hourlies, "hourly pushes")
        var alertsAt: [WallTime] = []
        for _ in 0..<(try bytes.count(max: Restraint.alertsInHour)) {
            alertsAt.append(try bytes.wallTime(since: asOf))
        }
        let lastActionAt = hasAction ? try bytes.wallTime(since: asOf) : nil
        try bytes.finish()
        return PhoneAllowance(
            share: share, debt: debt, hourly: hourly, alertsAt: alertsAt,
            lastActionAt: lastActionAt, asOf: asOf)
    }
}
