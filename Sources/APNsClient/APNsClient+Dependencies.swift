internal import Dispatch
internal import Glibc
internal import Isolation

extension APNsClient {
    /// The client's dependencies: time, random numbers and waiting.
    package struct Dependencies: Sendable {
        /// Milliseconds since 1970, for `iat`.
        package var wall: @Sendable () -> Int64
        /// Milliseconds since an arbitrary moment; never goes back.
        package var steady: @Sendable () -> Int64
        /// A random number in 0..<1, for jitter.
        package var dice: @Sendable () -> Double
        /// Calls back after this number of milliseconds.
        package var wait: @Sendable (Int, @escaping @Sendable () -> Void) -> Void

        /// The machine's clocks and random numbers.
        package static let system = Dependencies(
            wall: { milliseconds(of: CLOCK_REALTIME) },
            steady: { milliseconds(of: CLOCK_BOOTTIME) },
            dice: { RandomSource.fraction() },
            wait: { delay, body in
                DispatchQueue.global().asyncAfter(
                    deadline: .now() + .milliseconds(delay), execute: body)
            })

        package init(
            wall: @escaping @Sendable () -> Int64, steady: @escaping @Sendable () -> Int64,
            dice: @escaping @Sendable () -> Double,
            wait: @escaping @Sendable (Int, @escaping @Sendable () -> Void) -> Void
        ) {
            self.wall = wall
            self.steady = steady
            self.dice = dice
            self.wait = wait
        }

        var moment: ProviderTokenPolicy.Moment {
            ProviderTokenPolicy.Moment(wall: wall(), steady: steady())
        }

        private static func milliseconds(of clock: clockid_t) -> Int64 {
            var time = timespec()
            clock_gettime(clock, &time)
            return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        }
    }
}
