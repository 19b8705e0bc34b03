import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import RangersServer
import Testing

/// PR12: the wall clock may be another one after a restart.
@Suite("Clock steps between two runs do no harm", .timeLimit(.minutes(2)), .simulated)
struct ClockStepTests {
    private static let day: Int64 = 24 * 3600
    /// At this speed the whole adventure takes half an hour of real time.
    private static let speed: Int64 = 1000

    private func gameTime(_ stage: Stage) async throws -> Double {
        let state = await stage.panda.send(.get, "/v1/parties/\(stage.party)")
        return try #require(state.body["adventure"]["gameTimeMilliseconds"].number)
    }

    /// A server that stops in the middle of an adventure, and another with its clock stepped.
    private func stepped(bySeconds step: Int64) async throws -> (before: Double, after: Stage) {
        let clock = VirtualClock()
        let first = try await Stage.make(clock: clock, speed: Self.speed)
        try await first.start()
        let end = clock.now.adding(seconds: 600)
        #expect(await first.server.step(until: { clock.now >= end }))
        let before = try await gameTime(first)
        await first.server.server.drain()
        let later = VirtualClock(now: clock.now.adding(seconds: step))
        let second = try await TestServer(file: first.server.file, clock: later, speed: Self.speed)
        return (before, first.moved(to: second))
    }

    @Test(
        "PR12: a stepped clock never advances a party by more than the catch-up's bound",
        arguments: [-2 * day, -3600, -1, 1, 3600, 2 * day])
    func bounded(step: Int64) async throws {
        let (before, second) = try await stepped(bySeconds: step)
        let start = second.server.clock.now
        for _ in 0..<8 { await second.server.step() }
        let elapsed = second.server.clock.now.milliseconds - start.milliseconds
        let after = try await gameTime(second)
        #expect(after >= before)
        // A beat of the story may lie up to a minute ahead, and is told when it is due.
        let beat: Int64 = 60_000
        #expect(Int64(after - before) <= PartyChange.catchUpMax + elapsed + beat)
        await second.server.server.drain()
    }

    /// What the shard makes of a party whose file has times of the future.
    private func changed(_ stage: Stage, at now: WallTime) async throws -> StoredParty {
        let stored = try #require(try await stage.store.party(PartyID(stage.party)))
        return PartyChange(stored, now: now).stored
    }

    @Test("PR12: a party that is ahead of the server's time goes on from where it is")
    func ahead() async throws {
        let stage = try await Stage.make(speed: Self.speed)
        try await stage.start()
        await stage.server.step(forSeconds: 90)
        let earlier = stage.server.clock.now.adding(seconds: -Self.day)
        let stored = try await changed(stage, at: earlier)
        let advanced = try #require(stored.party.adventure).advancedTo
        #expect(stored.clock.gameTime(at: earlier) == advanced)
        await stage.server.server.drain()
    }

    @Test("PR12: a pause that is ahead of the server's time lasts for an hour at most")
    func pauseAhead() async throws {
        let stage = try await Stage.make(speed: Self.speed)
        try await stage.start()
        await stage.server.step(forSeconds: 30)
        let pause = #"{"command":{"name":"pause","minutes":60},"party":"\#(stage.party)"}"#
        #expect(await stage.server.admin(.post, "/v1/admin/commands", pause).status == 200)
        let earlier = stage.server.clock.now.adding(seconds: -Self.day)
        let stored = try await changed(stage, at: earlier)
        #expect(stored.clock.pausedUntil(at: earlier) == earlier.adding(seconds: 3600))
        await stage.server.server.drain()
    }

    @Test(
        "PR12: a stepped clock never stalls a party", arguments: [-2 * day, -3600, 3600, 2 * day])
    func neverStalls(step: Int64) async throws {
        let (before, second) = try await stepped(bySeconds: step)
        let end = second.server.clock.now.adding(seconds: 5 * 60)
        #expect(await second.server.step(until: { second.server.clock.now >= end }))
        let after = try await gameTime(second)
        #expect(after >= before + 3 * 60_000)
        await second.server.server.drain()
        #expect(await Replay.report(file: second.server.file, party: nil).differences == [])
    }
}
