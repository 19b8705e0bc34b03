/// Slows sending down while APNs finds too much wrong with our requests: pure, on the steady
/// clock in milliseconds.
///
/// "An error code beginning with 4XX slows down your ability to send", and APNs disconnects who
/// errs too often. So when a tenth of the answers are such errors, and more than a hundred within
/// ten seconds, only two hundred requests a second leave until it is better. A 410 is no error in
/// Apple's eyes, and 429 is for one device.
struct ErrorGuard: Sendable {
    /// Answers are counted over this time, in two halves: the older one is forgotten whole.
    static let windowMilliseconds: Int64 = 10_000
    /// So many errors in the window are too many…
    static let errorsMin = 100
    /// …if at least one in so many answers is one.
    static let answersPerError = 10
    /// What may leave in a second while sending is slowed.
    static let slowedPerSecond = 200

    private struct Tally: Hashable {
        var answers = 0
        var errors = 0
    }

    private enum Pace: Hashable {
        case free
        /// What is left to send in the second that began then.
        case slowed(left: Int, second: Int64)
    }

    private var older = Tally()
    private var newer = Tally()
    private var halfBegan: Int64 = 0
    private var pace = Pace.free

    /// Whether sending is slowed.
    var isSlowing: Bool { pace != .free }

    /// Whether an answer counts as an error with Apple.
    static func isError(status: Int) -> Bool {
        (400..<500).contains(status) && status != 410 && status != 429
    }

    /// Hears of an answer.
    mutating func heard(status: Int, at now: Int64) {
        turn(at: now)
        newer.answers += 1
        if Self.isError(status: status) { newer.errors += 1 }
    }

    /// How many of a batch may leave now; the others should wait for a second.
    mutating func allowance(of count: Int, at now: Int64) -> Int {
        turn(at: now)
        guard isTooMuch else {
            pace = .free
            return count
        }
        var left = Self.slowedPerSecond
        var second = now
        if case .slowed(let rest, let began) = pace, now - began < 1_000 {
            (left, second) = (rest, began)
        }
        let allowed = min(count, left)
        pace = .slowed(left: left - allowed, second: second)
        return allowed
    }

    private var isTooMuch: Bool {
        let errors = older.errors + newer.errors
        return errors >= Self.errorsMin
            && errors * Self.answersPerError >= older.answers + newer.answers
    }

    private mutating func turn(at now: Int64) {
        let half = Self.windowMilliseconds / 2
        guard now - halfBegan >= half else { return }
        older = now - halfBegan < 2 * half ? newer : Tally()
        newer = Tally()
        halfBegan = now
    }
}
