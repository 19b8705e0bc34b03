import APNsClient
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import RangersServer
import Testing

/// E1: a game master stops an adventure's clock for a while.
@Suite("Pauses of an adventure", .timeLimit(.minutes(2)), .simulated)
struct PauseTests {
    /// An adventure in real time, with one phone.
    private static func playing(clock: VirtualClock = VirtualClock()) async throws -> Stage {
        let stage = try await Stage.make(clock: clock, speed: 1000)
        try await stage.start()
        await pass(100, at: stage.server)
        return stage
    }

    /// Lets time pass in long steps, because little happens; until the condition holds, if there is
    /// one.
    private static func pass(
        _ seconds: Int64, at server: TestServer, until condition: () async -> Bool = { false }
    ) async {
        let end = server.clock.now.adding(seconds: seconds)
        while server.clock.now < end, await !condition() {
            await server.untilAsleep()
            let next = min(server.clock.nextSleeper ?? end, end)
            server.clock.advance(to: max(next, server.clock.now.adding(milliseconds: 1)))
            await server.untilAsleep()
        }
    }

    private static func send(
        _ command: String, to stage: Stage, _ more: String = ""
    ) async -> TestServer.Answer {
        await stage.server.admin(
            .post, "/v1/admin/commands",
            #"{"command":\#(command),"party":"\#(stage.party)"\#(more)}"#)
    }

    private static func pause(_ minutes: Int, _ stage: Stage) async -> Int {
        await send(#"{"name":"pause","minutes":\#(minutes)}"#, to: stage).status
    }

    private static func adventure(_ stage: Stage) async -> Value {
        await stage.panda.send(.get, "/v1/parties/\(stage.party)").body["adventure"]
    }

    private static func time(_ time: WallTime) -> Double { Double(time.milliseconds) }

    @Test("E1: during a pause nothing happens, then the adventure goes on where it was")
    func standsStill() async throws {
        let stage = try await Self.playing()
        let clock = stage.server.clock
        let until = clock.now.adding(seconds: 30 * 60)
        #expect(await Self.pause(30, stage) == 200)
        #expect(await Self.adventure(stage)["pausedUntil"].number == Self.time(until))
        let before = try #require(await Self.adventure(stage)["gameTimeMilliseconds"].number)
        let told = await stage.events()
        #expect(told.last?["kind"].string == "adventurePaused")

        await Self.pass(30 * 60 - 1, at: stage.server)
        #expect(await stage.events().count == told.count)
        #expect(await Self.adventure(stage)["gameTimeMilliseconds"].number == before)

        #expect(await stage.server.step { await stage.events().count > told.count })
        let next = try #require(await stage.events().last)
        let gameTime = try #require(next["gameTimeMilliseconds"].number)
        #expect(gameTime - before == (next["at"].number ?? 0) - Self.time(until))
        #expect(await Self.adventure(stage)["pausedUntil"].isNull)
        await stage.server.server.drain()
        #expect(await Replay.report(file: stage.server.file, party: nil).differences == [])
    }

    @Test("E1: phones hear of a pause quietly, and their cards are not stale before its end")
    func cards() async throws {
        let stage = try await Self.playing()
        await stage.server.untilAsleep()
        let until = stage.server.clock.now.adding(seconds: 45 * 60)
        #expect(await Self.pause(45, stage) == 200)
        await stage.server.untilAsleep()
        let push = try #require(stage.apns.pushes.last)
        let said = push.aps["content-state"]["eventDescription"].string ?? ""
        #expect(Sentences.of("party.pauses").contains(said))
        #expect(push.request.priority == .low)
        #expect(push.aps["alert"].isNull)
        let stale = until.adding(seconds: StalePlanner.staleAfterSeconds)
        #expect(push.aps["stale-date"].number == Double(stale.seconds))
        await stage.server.server.drain()
    }

    @Test("E1: a pause ends early, and its rest is given back")
    func resume() async throws {
        let stage = try await Self.playing()
        #expect(await Self.send(#"{"name":"resume"}"#, to: stage).status == 409)
        #expect(await Self.pause(60, stage) == 200)
        await Self.pass(60, at: stage.server)
        #expect(await Self.send(#"{"name":"resume"}"#, to: stage).status == 200)
        #expect(await Self.send(#"{"name":"resume"}"#, to: stage).status == 409)
        let told = await stage.events()
        #expect(told.last?["kind"].string == "adventureResumed")
        #expect(await Self.adventure(stage)["pausedUntil"].isNull)
        #expect(await stage.server.step { await stage.events().count > told.count })
        for minutes in [60, 59] {
            #expect(await Self.pause(minutes, stage) == 200)
            await Self.pass(Int64(minutes) * 60, at: stage.server)
        }
        #expect(await Self.pause(1, stage) == 409)
        await stage.server.server.drain()
        #expect(await Replay.report(file: stage.server.file, party: nil).differences == [])
    }

    @Test("E1: all pauses together last two hours; a new one takes the place of the rest")
    func twoHours() async throws {
        let stage = try await Self.playing()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { await Self.pause(60, stage) } }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.count == 200)
        // Some may come while the party has enough to do.
        #expect(statuses.allSatisfy { [200, 503].contains($0) } && statuses.contains(200))
        await Self.pass(3600, at: stage.server)
        #expect(await Self.pause(60, stage) == 200)
        await Self.pass(3600, at: stage.server)
        let refused = await Self.send(#"{"name":"pause","minutes":1}"#, to: stage)
        #expect(refused.status == 409)
        #expect(refused.body["detail"].string?.hasSuffix("0 minutes are left.") == true)
        await stage.server.server.drain()
    }

    @Test(
        "E1: a pause survives a restart, and a wall clock that was set makes it no longer",
        arguments: [-48 * 3600, -600, 0, 600, 48 * 3600])
    func restart(step: Int64) async throws {
        let first = try await Self.playing()
        #expect(await Self.pause(30, first) == 200)
        let told = await first.events().count
        await first.server.server.drain()
        let clock = VirtualClock(now: first.server.clock.now.adding(seconds: step))
        let server = try await TestServer(file: first.server.file, clock: clock, speed: 1000)
        let second = first.moved(to: server)
        let start = clock.now
        await Self.pass(2 * 3600, at: server) { await second.events().count > told }
        let waited = clock.now.milliseconds - start.milliseconds
        let left = max(0, 30 * 60 - max(0, step)) * 1000
        #expect(waited >= left)
        #expect(waited <= left + 2 * 60_000)
        await server.server.drain()
        #expect(await Replay.report(file: server.file, party: nil).differences == [])
    }

    @Test("A9: a card that ages during a pause is followed by another")
    func rollsOver() async throws {
        let scene = try await StartScene.make(speed: 500)
        _ = await scene.panda.offer("panda-phone", token: "cc")
        _ = await scene.panda.watch("panda-card", token: "aa", device: "panda-phone")
        await scene.later(minutes: ActivityOutbox.rollOverAgeSeconds / 60 - 5)
        try await scene.start()
        let paused = await scene.server.admin(
            .post, "/v1/admin/commands",
            #"{"command":{"name":"pause","minutes":60},"party":"\#(scene.party)"}"#)
        #expect(paused.status == 200)
        let until = scene.server.clock.now.adding(seconds: 3600)
        #expect(await scene.server.step { !scene.pushes(to: "cc").isEmpty })
        #expect(scene.server.clock.now < until)
        let start = try #require(scene.pushes(to: "cc").last)
        #expect(start.aps["event"].string == "start")
        let stale = until.adding(seconds: StalePlanner.staleAfterSeconds)
        #expect(start.aps["stale-date"].number == Double(stale.seconds))
        await scene.server.server.drain()
    }

    // MARK: The end of one party

    @Test("E1: the end of a party comes a minute later, also after a restart", arguments: [0, 90])
    func end(away: Int64) async throws {
        let first = try await Self.playing()
        let planned = await Self.send(#"{"name":"end"}"#, to: first, #","dryRun":true"#)
        #expect(planned.body["end"]["events"][0]["kind"].string == "adventureOver")
        #expect(planned.body["end"]["sum"]["pushes"].number == 1)
        let end = first.server.clock.now.adding(seconds: 60)
        let command = #"{"name":"end","outcome":"timeLimit"}"#
        #expect(await Self.send(command, to: first).status == 200)
        #expect(await Self.adventure(first)["endsAt"].number == Self.time(end))
        await Self.pass(59, at: first.server)
        #expect(await Self.adventure(first)["phase"].string == "quest")
        await first.server.server.drain()
        let clock = VirtualClock(now: first.server.clock.now.adding(seconds: away))
        let server = try await TestServer(file: first.server.file, clock: clock, speed: 1000)
        let second = first.moved(to: server)
        #expect(await server.step { await second.isOver() })
        #expect(await Self.adventure(second)["outcome"].string == "timeLimit")
        #expect(clock.now >= end)
        #expect(clock.now < end.adding(seconds: away + 2))
        #expect(await Self.adventure(second)["pausedUntil"].isNull)
        await server.server.drain()
        #expect(await Replay.report(file: server.file, party: nil).differences == [])
    }

    @Test(
        "E1: until then the end can be undone",
        arguments: [#"{"name":"resume"}"#, #"{"name":"pause","minutes":2}"#])
    func undo(command: String) async throws {
        let stage = try await Self.playing()
        let path = "/v1/admin/parties/\(stage.party)/end"
        #expect(await stage.server.admin(.post, path).status == 200)
        await Self.pass(59, at: stage.server)
        #expect(await Self.send(command, to: stage).status == 200)
        #expect(await Self.adventure(stage)["endsAt"].isNull)
        let told = await stage.events().count
        #expect(await stage.server.step { await stage.events().count > told })
        #expect(await Self.adventure(stage)["phase"].string == "quest")
        await stage.server.server.drain()
        #expect(await Replay.report(file: stage.server.file, party: nil).differences == [])
    }

    @Test("E1: a request at the end's time finds it done")
    func requestAfterEnd() async throws {
        let stage = try await Self.playing()
        #expect(await Self.send(#"{"name":"end"}"#, to: stage).status == 200)
        await stage.server.untilAsleep()
        let clock = stage.server.clock
        clock.advance(to: clock.now.adding(seconds: 60))
        #expect(await Self.send(#"{"name":"resume"}"#, to: stage).status == 409)
        #expect(await stage.isOver())
        await stage.server.server.drain()
    }

    @Test("E1: a cohort is paused by a job")
    func cohort() async throws {
        let stage = try await Self.playing()
        let made = await stage.server.admin(
            .post, "/v1/admin/commands",
            #"{"command":{"name":"pause","minutes":5},"cohort":{}}"#)
        #expect(made.status == 200)
        #expect(
            await stage.server.step {
                await Self.adventure(stage)["pausedUntil"].number != nil
            })
        await stage.server.server.drain()
    }
}
