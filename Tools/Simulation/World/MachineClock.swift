internal import PushPolicy
internal import RangersServer

/// The clocks of a node's machine: they drift, the wall clock is set, and a boot begins a new count.
final class MachineClock: @unchecked Sendable {
    // Safe to share: as the scheduler.
    private let scheduler: Scheduler
    /// The machine's own time at `worldBase`, in milliseconds, over all boots.
    private var base: Int64 = 0
    private var worldBase = Scheduler.start
    private var millionths: Int64 = 0
    private var bootedAt: Int64 = -3_600_000
    private var boots = 1
    /// The wall clock minus `Scheduler.start` and the machine's own time.
    private var wallOffset: Int64 = 0

    /// Until then the machine's servers stand still while time goes on: nothing reaches them.
    private(set) var stillUntil = Scheduler.start

    private static let million: Int64 = 1_000_000

    init(_ scheduler: Scheduler) { self.scheduler = scheduler }

    /// The machine's own time, which does not stand still between boots.
    private var own: Int64 {
        let elapsed = scheduler.now - worldBase
        return base + elapsed + elapsed * millionths / Self.million
    }

    var sinceBoot: Int64 { own - bootedAt }
    var wall: Int64 { Scheduler.start + own + wallOffset }
    /// How far the wall clock is ahead of the world's time.
    var wallError: Int64 { wall - scheduler.now }

    func drift(by millionths: Int64) {
        base = own
        worldBase = scheduler.now
        self.millionths = millionths
    }

    func step(by milliseconds: Int64) { wallOffset += milliseconds }

    func standStill(for milliseconds: Int64) { stillUntil = scheduler.now + milliseconds }

    /// How much later than in `milliseconds` a server is reached, because it stands still.
    func wait(_ milliseconds: Int64) -> Int64 { max(milliseconds, stillUntil - scheduler.now) }

    func boot() {
        boots += 1
        bootedAt = own
    }

    /// The time of the world at which the machine's own time has gone on by so much.
    private func worldTime(in milliseconds: Int64) -> Int64 {
        scheduler.now + milliseconds * Self.million / (Self.million + millionths)
            + (millionths == 0 ? 0 : 1)
    }

    /// The clock of a server that starts now.
    func ofServer() -> ServerClock {
        let (started, origin, boot) = (wall, own, boots)
        let now: @Sendable () -> WallTime = { [self] in
            WallTime(milliseconds: started + own - origin)
        }
        return ServerClock(
            now: now, uptime: { [self] in (own - origin) * 1000 },
            machine: ServerClock.Machine(
                bootID: "boot-\(boot)", sinceBoot: { [self] in sinceBoot },
                wall: { [self] in WallTime(milliseconds: wall) }),
            sleep: { [self] until, _ in
                // Again if the clock drifts otherwise meanwhile.
                while true {
                    let wait = until.milliseconds - now().milliseconds
                    guard !Task.isCancelled else { return }
                    if wait > 0 {
                        await scheduler.wait(until: worldTime(in: wait))
                    } else if stillUntil > scheduler.now {
                        await scheduler.wait(until: stillUntil)
                    } else {
                        return
                    }
                }
            })
    }
}
