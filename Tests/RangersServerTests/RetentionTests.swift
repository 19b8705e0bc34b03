import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// What happened long ago is folded, a little at a time; replay still proves the rest.
@Suite("Retention of the journal", .timeLimit(.minutes(2)), .simulated)
struct RetentionTests {
    @Test("after 30 days events are folded, the API reports it, and replay agrees")
    func folds() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        #expect(await stage.untilEnded())
        let told = await stage.events().count
        #expect(told > 10)
        let before = await stage.panda.send(.get, "/v1/parties/\(stage.party)")
        #expect(before.body["firstKeptEvent"].number == 1)
        let clock = stage.server.clock
        await stage.server.untilAsleep()
        let metrics = stage.server.metrics
        clock.advance(to: clock.now.adding(seconds: 29 * 24 * 3600))
        for _ in 0..<20 { await stage.server.step() }
        #expect(metrics.value(.journalRowsFolded) == 0)
        clock.advance(to: clock.now.adding(seconds: 2 * 24 * 3600))
        #expect(await stage.server.step(until: { metrics.value(.journalRowsFolded) > 0 }))
        for _ in 0..<20 { await stage.server.step() }
        let after = await stage.panda.send(.get, "/v1/parties/\(stage.party)")
        #expect(after.body["firstKeptEvent"].number == Double(told + 1))
        #expect(after.body["events"].array.isEmpty)
        #expect(after.body["heroes"][0]["exp"].number == before.body["heroes"][0]["exp"].number)

        // The next adventure is told and kept as ever.
        try await stage.start()
        #expect(await stage.server.step(until: { await stage.isOver() }))
        await stage.server.server.drain()
        let report = await Replay.report(file: stage.server.file, party: nil)
        #expect(report.differences == [])
        #expect(report.events > 10)
    }
}
