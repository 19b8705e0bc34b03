/// Slows sending while APNs reports too many of our requests as errors. Pure, on the steady clock
/// in milliseconds.
///
/// "An error code beginning with 4XX slows down your ability to send", and APNs disconnects senders
/// with many errors. If a tenth of the responses are such errors, and more than a hundred of them
/// come within ten seconds, the guard allows two hundred requests a second until the rate falls.
/// Apple does not count a 410 as an error, and a 429 concerns one device.
struct ErrorGuard: Sendable {
    /// The window of counted responses, in two halves; the older half is dropped as a whole.
    static let windowMilliseconds: Int64 = 10_000
    /// The fewest errors in the window that slow sending…
    static let errorsMin = 100
    /// …if at least one in this many responses is an error.
    static let responsesPerError = 10
    /// The requests allowed each second while sending is slowed.
    static let slowedPerSecond = 200

    private struct Tally: Hashable {
        var responses = 0
        var errors = 0
    }

    private enum Pace: Hashable {
        case free
        /// The requests left in the second that began then.
        case slowed(left: Int, second: Int64)
    }

    private var older = Tally()
    private var newer = Tally()
    private var halfBegan: Int64 = 0
    private var pace = Pace.free

    /// Whether sending is slowed.
    var isSlowing: Bool { pace != .free }

    /// Returns whether Apple counts a response as an error.
    static func isError(status: Int) -> Bool {
        (400..<500).contains(status) && status != 410 && status != 429
    }

    /// Records a response.
    mutating func record(status: Int, at now: Int64) {
        turn(at: now)
        newer.responses += 1
        if Self.isError(status: status) { newer.errors += 1 }
    }

    /// Returns how many of a batch may be sent now; the others should wait a second.
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
            && errors * Self.responsesPerError >= older.responses + newer.responses
    }

    private mutating func turn(at now: Int64) {
        let half = Self.windowMilliseconds / 2
        guard now - halfBegan >= half else { return }
        older = now - halfBegan < 2 * half ? newer : Tally()
        newer = Tally()
        halfBegan = now
    }
}
