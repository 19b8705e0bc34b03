package import PushPolicy

/// The server's time: milliseconds since 1970 that never step.
package struct ServerClock: Sendable {
    package let now: @Sendable () -> WallTime
    /// Returns at that time, or earlier when the task is cancelled.
    package let sleep: @Sendable (_ until: WallTime) async -> Void

    package init(
        now: @escaping @Sendable () -> WallTime,
        sleep: @escaping @Sendable (_ until: WallTime) async -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }
}
