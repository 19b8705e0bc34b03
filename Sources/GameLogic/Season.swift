/// A season of the leaderboard: 28 days from a Monday 00:00 UTC, numbered from 5 January 1970.
///
/// Times are those of the wall clock, in milliseconds since 1970.
package struct Season: Hashable, Comparable, Sendable {
    package static let days: Int64 = 28

    private static let dayLength: Int64 = 86_400_000
    private static let firstMonday = 4 * dayLength

    package let number: Int64

    package init(number: Int64) { self.number = number }

    /// The season of a time.
    package init(at time: Int64) {
        let length = Self.days * Self.dayLength
        let (quotient, remainder) = (time - Self.firstMonday).quotientAndRemainder(
            dividingBy: length)
        number = remainder < 0 ? quotient - 1 : quotient
    }

    /// The first millisecond.
    package var start: Int64 { Self.firstMonday + number * Self.days * Self.dayLength }

    /// The first millisecond of the next season.
    package var end: Int64 { next.start }

    package var previous: Season { Season(number: number - 1) }
    package var next: Season { Season(number: number + 1) }

    /// The day of a time within the season, from 0 to 27; `nil` for a time of another season.
    package func day(of time: Int64) -> Int? {
        guard Season(at: time) == self else { return nil }
        return Int((time - start) / Self.dayLength)
    }

    package static func < (left: Season, right: Season) -> Bool { left.number < right.number }
}
