internal import Foundation
package import PushPolicy

extension ServerClock {
    /// The wall clock as it was at the start, carried on by the monotonic clock: a step of the
    /// wall clock (R12) moves no party.
    package static func system() -> ServerClock {
        let started = WallTime.system
        let monotonic = ContinuousClock()
        let origin = monotonic.now
        let now: @Sendable () -> WallTime = {
            started.adding(milliseconds: Int64((monotonic.now - origin) / .milliseconds(1)))
        }
        return ServerClock(now: now) { until in
            let wait = until.milliseconds - now().milliseconds
            guard wait > 0 else { return }
            // Only cancellation throws, and then returning early is what was promised.
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
