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
}
