internal import Isolation
package import PartyStore
package import PushPolicy

/// The server's time: milliseconds since 1970 that never step, not even over a restart. All times
/// in memory and in the store are in it.
///
/// The wall clock may step at any time, and is needed only where a time leaves or enters the
/// server. `wallOffsets` are what it differs by (docs/internals/time.md).
package struct ServerClock: Sendable {
    package let now: @Sendable () -> WallTime
    /// The time for rates, in microseconds since some moment: it never steps, and the clock of the
    /// adventures does not change it.
    package let uptime: @Sendable () -> Int64
    let machine: Machine
    /// Returns at that time, or earlier when the task is cancelled.
    package let sleep: Sleep
    /// How far the wall clock is ahead of `now`, as of the newest comparison.
    private let offsets: Locked<WallOffsets>

    package typealias Sleep = @Sendable (_ until: WallTime, _ rest: Rest) async -> Void

    /// What a task that sleeps has done before.
    package enum Rest: Sendable {
        /// Everything that it could do.
        case done
        /// It waits for something else too, which may arrive earlier: a test's clock does not take
        /// it for a task at rest.
        case waiting
    }

    /// The machine's clocks.
    package struct Machine: Sendable {
        /// Names the machine's start; empty: unknown.
        let bootID: String
        /// Milliseconds since the machine's start, times in suspension included.
        let sinceBoot: @Sendable () -> Int64
        /// The wall clock, which may be wrong.
        let wall: @Sendable () -> WallTime
        /// The wall clock of this machine, if `wall` is that of another one.
        let ownWall: @Sendable () -> WallTime

        package init(
            bootID: String, sinceBoot: @escaping @Sendable () -> Int64,
            wall: @escaping @Sendable () -> WallTime
        ) {
            self.bootID = bootID
            self.sinceBoot = sinceBoot
            self.wall = wall
            ownWall = wall
        }

        /// Creates the clocks of a node, which are those of its database.
        init(of database: DatabaseClock, on machine: Machine) {
            bootID = DatabaseClock.bootID
            sinceBoot = { database.sinceBoot }
            wall = { database.wall }
            ownWall = machine.ownWall
        }

        var reading: ClockReading {
            ClockReading(bootID: bootID, sinceBoot: sinceBoot(), wall: wall())
        }
    }

    /// Creates a clock. Without `uptime`, rates use `now`; without `machine`, the wall clock shows
    /// `now`.
    package init(
        now: @escaping @Sendable () -> WallTime,
        uptime: (@Sendable () -> Int64)? = nil,
        machine: Machine? = nil,
        sleep: @escaping Sleep
    ) {
        self.init(
            now: now, uptime: uptime ?? { now().milliseconds * 1000 },
            machine: machine
                ?? Machine(bootID: "", sinceBoot: { now().milliseconds }, wall: now),
            sleep: sleep, WallOffsets())
    }

    private init(
        now: @escaping @Sendable () -> WallTime, uptime: @escaping @Sendable () -> Int64,
        machine: Machine,
        sleep: @escaping Sleep, _ offsets: WallOffsets
    ) {
        self.now = now
        self.uptime = uptime
        self.machine = machine
        self.sleep = sleep
        self.offsets = Locked(offsets)
    }

    /// Returns this clock with those of the database that several servers share, so that all of
    /// them have the same time.
    func following(_ database: DatabaseClock) -> ServerClock {
        ServerClock(
            now: now, uptime: uptime, machine: Machine(of: database, on: machine), sleep: sleep,
            WallOffsets(database.wall.milliseconds - now().milliseconds))
    }

    /// Returns a clock that shows `time` now.
    func showing(_ time: WallTime, _ offsets: WallOffsets) -> ServerClock {
        let (now, sleep) = (now, sleep)
        let shift = time.milliseconds - now().milliseconds
        return ServerClock(
            now: { now().adding(milliseconds: shift) }, uptime: uptime, machine: machine,
            sleep: { await sleep($0.adding(milliseconds: -shift), $1) }, offsets)
    }
}

// MARK: - The wall clock

extension ServerClock {
    /// The smallest difference that counts as a step, in milliseconds. Less may be the time between
    /// two readings, and does no harm.
    static let stepMin: Int64 = 1000
    /// How far apart two readings may be to be compared, in milliseconds.
    private static let readingMax: Int64 = 100

    /// The wall clock minus the server's time, in milliseconds. It changes only by steps.
    package var wallOffset: Int64 { offsets.withLock { $0.newest } }

    /// The same, and what it was at times of the past.
    package var wallOffsets: WallOffsets { offsets.withLock { $0 } }

    /// Returns what the wall clock showed, or will show, at a time of the server. For a time of the
    /// past it is the same for ever, whatever the wall clock shows since, and over restarts too.
    package func wall(at time: WallTime) -> WallTime { offsets.withLock { $0.wall(at: time) } }

    /// Returns the server's time at which the wall clock shows `wall`.
    package func time(atWall wall: WallTime) -> WallTime {
        wall.adding(milliseconds: -wallOffset)
    }

    /// Compares the wall clock with the server's time, and follows it.
    ///
    /// - Returns: By how many milliseconds it was stepped since the last comparison, or `nil`.
    func followWall() -> Int64? {
        let before = now().milliseconds
        let wall = machine.wall().milliseconds
        let after = now().milliseconds
        // The process may have been stopped between two readings; the next comparison will do.
        guard after - before <= Self.readingMax else { return nil }
        return offsets.withLock { offsets in
            let step = wall - before - offsets.newest
            guard abs(step) >= Self.stepMin else { return nil }
            offsets.step(to: wall - before, at: WallTime(milliseconds: before))
            return step
        }
    }

    /// The server's time with the machine's clocks, to be kept.
    var anchor: ClockAnchor {
        ClockAnchor(time: now(), reading: machine.reading, offsets: wallOffsets)
    }
}
