internal import PushPolicy

/// Which failures of pushes are logged: of those that may concern every push, one a minute. Pure.
struct OutageLog: Hashable, Sendable {
    /// The shortest time between two lines, in milliseconds.
    static let interval: Int64 = 60_000

    struct Outage: Hashable, Sendable {
        let seconds: Int64
        let failures: Int
    }

    private var lastLine: WallTime?
    private var unlogged = 0
    private var began: WallTime?
    private var failures = 0

    init() {}

    /// Notes that the host takes no pushes.
    mutating func begin(at now: WallTime) {
        guard began == nil else { return }
        began = now
        failures = 0
    }

    /// Notes that the host takes pushes. Returns the outage, if there was one.
    mutating func end(at now: WallTime) -> Outage? {
        guard let began else { return nil }
        self.began = nil
        return Outage(
            seconds: max(0, now.seconds - began.seconds), failures: failures)
    }

    /// Counts a failure. Returns how many came since the last one that was logged; `nil`: this one
    /// is not logged either.
    mutating func failed(at now: WallTime) -> Int? {
        failures += 1
        if let lastLine, lastLine <= now,
            now.milliseconds - lastLine.milliseconds < Self.interval
        {
            unlogged += 1
            return nil
        }
        defer { unlogged = 0 }
        lastLine = now
        return unlogged
    }
}
