/// Decides which of a host's addresses to try, and for how long. Pure; times in milliseconds.
///
/// Each address but the last gets a quarter of the time for the whole attempt.
struct AddressAttempts {
    /// The next one last.
    private var untried: [NetworkAddress] = []
    private let share: Int64
    private let deadline: Int64
    private var attemptDeadline = Int64.max

    init(timeoutMilliseconds: Int64, now: Int64) {
        share = timeoutMilliseconds / 4
        deadline = now + timeoutMilliseconds
    }

    /// Records the host's addresses; `turn` selects the first to try.
    mutating func begin(_ addresses: [NetworkAddress], turn: Int) {
        let first = turn % addresses.count
        untried = Array((addresses[first...] + addresses[..<first]).reversed())
    }

    /// Returns the next address to try; `nil`: there is none left.
    mutating func next(at now: Int64) -> NetworkAddress? {
        guard let address = untried.popLast() else { return nil }
        attemptDeadline = untried.isEmpty ? .max : now + share
        return address
    }

    /// Whether there is an address to try, and time for it.
    func hasNext(at now: Int64) -> Bool { !untried.isEmpty && now < deadline }

    /// Whether the current address has had its share of the time.
    func isAttemptOver(at now: Int64) -> Bool { now >= attemptDeadline }

    /// Whether the time for the whole attempt has passed.
    func isTimeOver(at now: Int64) -> Bool { now >= deadline }
}
