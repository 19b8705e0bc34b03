import Isolation
import PartyStore
import PushPolicy
import Testing

@testable import RangersServer

/// The clock of a database, as a machine that started ten seconds ago reads it.
@Suite("A node follows steps of its database's clock") struct DatabaseClockTests {
    private static let reading: Int64 = 1_685_952_000_000

    @Test(
        "a step counts unless the time that the reading took may explain it",
        arguments: [
            (999, 0, 0), (1000, 0, 1000), (-999, 0, 0), (-2000, 999, -2000), (5000, 1000, 0),
            (-5000, 60_000, 0),
        ] as [(Int64, Int64, Int64)])
    func note(step: Int64, way: Int64, followed: Int64) {
        let machine = ServerClock.Machine(
            bootID: "boot", sinceBoot: { 10_000 }, wall: { WallTime(milliseconds: 0) })
        let clock = DatabaseClock(on: machine, reading: Self.reading, at: 10_000)
        #expect(clock.wall == WallTime(milliseconds: Self.reading))
        clock.note(Self.reading + step, at: clock.sinceBoot, within: way)
        #expect(clock.wall == WallTime(milliseconds: Self.reading + followed))
        #expect(clock.sinceBoot == Self.reading)
    }

    @Test(
        "a node that joins after a step has the time of the others",
        arguments: [0, 60_000, -60_000] as [Int64])
    func joining(step: Int64) throws {
        let sinceBoot = Locked<Int64>(10_000)
        let now = { @Sendable in WallTime(milliseconds: sinceBoot.withLock { $0 }) }
        let machine = ServerClock.Machine(
            bootID: "boot", sinceBoot: { now().milliseconds }, wall: now)
        let own = ServerClock(now: now, machine: machine, sleep: { _, _ in })
        func clock(after record: ClockRecord, following database: DatabaseClock) -> ServerClock {
            let clock = own.following(database)
            let time = ServerClock.time(after: record, at: clock.machine.reading)
            return clock.showing(
                time,
                ServerClock.offsets(after: record, at: clock.machine.reading, showing: time))
        }
        let database = DatabaseClock(on: machine, reading: Self.reading, at: 10_000)
        let older = clock(after: ClockRecord(), following: database)
        sinceBoot.withLock { $0 += 5000 }
        let reading = Self.reading + 5000 + step
        database.note(reading, at: database.sinceBoot, within: 0)
        #expect(older.followWall() == (step == 0 ? nil : step))
        let record = ClockRecord(anchor: older.anchor)
        sinceBoot.withLock { $0 += 7000 }
        let newer = clock(
            after: record,
            following: DatabaseClock(on: machine, reading: reading + 7000, at: 22_000))
        #expect(newer.now() == older.now())
        #expect(newer.wallOffset == older.wallOffset)
        #expect(older.now() == WallTime(milliseconds: Self.reading + 12_000))
    }

    @Test(
        "PR12: when no node has run for hours, four of them count at most",
        arguments: [
            (-86_400, 0), (60, 60), (14_400, 14_400), (14_401, 14_400), (172_800, 14_400),
        ] as [(Int64, Int64)])
    func absence(shown: Int64, counted: Int64) {
        func reading(after seconds: Int64) -> ClockReading {
            ClockReading(
                bootID: DatabaseClock.bootID, sinceBoot: 0,
                wall: WallTime(milliseconds: Self.reading).adding(seconds: seconds))
        }
        let time = WallTime(milliseconds: Self.reading).adding(seconds: -30)
        let record = ClockRecord(anchor: ClockAnchor(time: time, reading: reading(after: 0)))
        #expect(
            ServerClock.time(after: record, at: reading(after: shown))
                == time.adding(seconds: counted))
    }
}
