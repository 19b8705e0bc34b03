internal import Glibc

/// Monotonic time in nanoseconds, for the watchdog and the reports.
enum CoarseClock {
    /// The time for deadlines: some milliseconds late, at a fifth of the cost of the exact time.
    static var now: Int64 { read(CLOCK_MONOTONIC_COARSE) }

    /// The exact time, for durations.
    static var exact: Int64 { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
