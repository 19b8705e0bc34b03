internal import FoundationEssentials
package import PushPolicy

extension ServerClock {
    /// Returns a clock that continues the wall clock of its start by the monotonic clock: a step of
    /// the wall clock (PR12) moves no party.
    package static func system() -> ServerClock {
        let started = WallTime.system
        let monotonic = ContinuousClock()
        let origin = monotonic.now
        let now: @Sendable () -> WallTime = {
            started.adding(milliseconds: Int64((monotonic.now - origin) / .milliseconds(1)))
        }
        let uptime: @Sendable () -> Int64 = {
            Int64((monotonic.now - origin) / .microseconds(1))
        }
        return ServerClock(now: now, uptime: uptime) { until in
            let wait = until.milliseconds - now().milliseconds
            guard wait > 0 else { return }
            // Only cancellation throws, and an early return is then correct.
            try? await Task.sleep(for: .milliseconds(wait), tolerance: .zero)
        }
    }
}

extension WallTime {
    /// The system's own clock, which may step: for provider tokens and logs.
    package static var system: WallTime {
        WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }
}
