internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// Limits within which sums and products of stored numbers cannot overflow.
enum Bounds {
    /// Milliseconds before and after 1970: some 285,000 years.
    static let milliseconds: ClosedRange<Int64> = -(1 << 53)...(1 << 53)
    /// The same time in seconds.
    static let seconds: ClosedRange<Int64> = -(1 << 43)...(1 << 43)
    /// Sequences, versions, amounts.
    static let number = 0...Party.numberMax
    /// The most elements for which memory is reserved before they are read.
    static let reservedMax = 1024
}

// MARK: Times and numbers

extension ByteWriter {
    /// Appends a time as the difference from a near one, which takes fewer bytes.
    mutating func append(_ time: WallTime, since base: WallTime = WallTime(milliseconds: 0)) {
        append(zigzag: time.milliseconds &- base.milliseconds)
    }

    mutating func append(_ time: GameTime) { append(zigzag: time.milliseconds) }

    mutating func append(_ health: Health) { append(count: health.thousandths) }
}

extension ByteReader {
    mutating func wallTime(
        since base: WallTime = WallTime(milliseconds: 0)
    ) throws(FormatError) -> WallTime {
        WallTime(
            milliseconds: try zigzag(in: Bounds.milliseconds, since: base.milliseconds, "time"))
    }

    mutating func gameTime() throws(FormatError) -> GameTime {
        GameTime(milliseconds: try zigzag(in: Bounds.milliseconds, "game time"))
    }

    mutating func health() throws(FormatError) -> Health {
        Health(thousandths: try number(in: 0...1000, "health"))
    }

    /// Reads a sequence, a version or an amount.
    mutating func number(_ name: StaticString) throws(FormatError) -> Int {
        try number(in: Bounds.number, name)
    }

    mutating func zigzag(
        in range: ClosedRange<Int64>, since base: Int64 = 0, _ name: StaticString
    ) throws(FormatError) -> Int64 {
        let value = try zigzag() &+ base
        guard range.contains(value) else { throw .invalid("its \(name) is out of range") }
        return value
    }
}
