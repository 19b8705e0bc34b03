import Foundation
import Simulation
import Testing

/// Promise PR6 at some thousand Live Activities; `rangers-tools simulate outage` does it at 100,000.
@Suite("PR6: outages in virtual time", .timeLimit(.minutes(5)))
struct OutagePlayTests {
    private func play(_ kind: OutageKind, parties: Int, seconds: Int64) throws -> OutageFigures {
        let file = NSTemporaryDirectory() + "/outage-" + UUID().uuidString + ".db"
        defer {
            for ending in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: file + ending)
            }
        }
        return try OutagePlay.measure(
            OutagePlay.Settings(parties: parties, seconds: seconds, kind: kind, data: file))
    }

    @Test(
        "after a refusal of all pushes everything is current within 10 seconds, after others 60",
        arguments: [
            (OutageKind.forbidden, 10 as Int64), (.tooManyRequests, 10), (.unreachable, 10),
        ])
    func recovers(from kind: OutageKind, within seconds: Int64) throws {
        let figures = try play(kind, parties: 500, seconds: 180)
        #expect(figures.owed > 1_000)
        #expect(figures.current == figures.owed)
        #expect(figures.secondsToCurrent <= seconds)
        #expect(figures.pushesPerActivity <= 1.25)
    }

    @Test("an outage that outlasts the adventures owes every Live Activity its end")
    func ends() throws {
        let figures = try play(.forbidden, parties: 25, seconds: 2_700)
        #expect(figures.owed == figures.activities)
        #expect(figures.current == figures.owed)
        #expect(figures.secondsToCurrent <= 10)
    }

    @Test(
        "during it one push tries each 1 to 8 seconds, and nothing else is committed",
        arguments: [OutageKind.tooManyRequests, .unreachable])
    func tries(in kind: OutageKind) throws {
        let figures = try play(kind, parties: 250, seconds: 600)
        #expect((7...15).contains(figures.triesPerMinute))
        #expect(figures.shortestDistance >= 1_000)
        #expect(figures.longestDistance <= 9_000)
        #expect(figures.heldBack == 0)
    }

    @Test("the same outage with the same seed costs the same")
    func isRepeatable() throws {
        var (one, other) = (
            try play(.unavailable, parties: 25, seconds: 300),
            try play(.unavailable, parties: 25, seconds: 300)
        )
        (one.memoryGrowth, other.memoryGrowth) = (0, 0)
        #expect(one == other)
        #expect(one.owed > 50)
    }
}
