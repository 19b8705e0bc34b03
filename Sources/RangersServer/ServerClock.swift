package import PushPolicy

/// The server's time: milliseconds since 1970 that never step.
package struct ServerClock: Sendable {
    package let now: @Sendable () -> WallTime
    /// The time for rates, in microseconds since some moment: it never steps, and the clock of the
    /// adventures does not change it.
    package let uptime: @Sendable () -> Int64
    /// Returns at that time, or earlier when the task is cancelled.
    package let sleep: @Sendable (_ until: WallTime) async -> Void

    /// Creates a clock. Without `uptime`, rates use `now`.
    package init(
        now: @escaping @Sendable () -> WallTime,
        uptime: (@Sendable () -> Int64)? = nil,
        sleep: @escaping @Sendable (_ until: WallTime) async -> Void
    ) {
        self.now = now
        self.uptime = uptime ?? { now().milliseconds * 1000 }
        self.sleep = sleep
    }
}
