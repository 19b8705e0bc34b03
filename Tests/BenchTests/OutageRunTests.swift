import Foundation
import Testing

@testable import Bench

/// Promise PR6 at some thousand Live Activities; `Scripts/bench outage` does it at 100,000.
@Suite("PR6: outages in virtual time", .timeLimit(.minutes(5)))
struct OutageRunTests {
    private func run(_ kind: OutageRun.Kind, parties: Int, seconds: Int64) async throws
        -> OutageSample
    {
        let file = NSTemporaryDirectory() + "/outage-" + UUID().uuidString + ".db"
        defer {
            for ending in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: file + ending)
            }
        }
        return try await OutageRun.measure(
            OutageRun.Settings(parties: parties, seconds: seconds, kind: kind, data: file))
    }

    @Test(
        "after a refusal of all pushes everything is current within 10 seconds, after others 60",
        arguments: [
            (OutageRun.Kind.forbidden, 10 as Int64), (.tooManyRequests, 10), (.unreachable, 10),
        ])
    func recovers(from kind: OutageRun.Kind, within seconds: Int64) async throws {
        let sample = try await run(kind, parties: 500, seconds: 180)
        #expect(sample.owed > 1_000)
        #expect(sample.current == sample.owed)
        #expect(sample.secondsToCurrent <= seconds)
        #expect(sample.pushesPerActivity <= 1.25)
    }

    @Test("an outage that outlasts the adventures owes every Live Activity its end")
    func ends() async throws {
        let sample = try await run(.forbidden, parties: 25, seconds: 2_700)
        #expect(sample.owed == sample.activities)
        #expect(sample.current == sample.owed)
        #expect(sample.secondsToCurrent <= 10)
    }

    @Test(
        "during it one push tries each 1 to 8 seconds, and nothing else is committed",
        arguments: [OutageRun.Kind.tooManyRequests, .unreachable])
    func tries(in kind: OutageRun.Kind) async throws {
        let sample = try await run(kind, parties: 250, seconds: 600)
        #expect((7...15).contains(sample.triesPerMinute))
        #expect(sample.shortestDistance >= 1_000)
        #expect(sample.longestDistance <= 9_000)
        #expect(sample.heldBack == 0)
    }
}
