import APNsClient
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// PR12: the wall clock is stepped, at a start and while the server runs, and the machine sleeps.
/// What the phone shows is what its system keeps of the pushes: it drops those that are older than
/// what it has.
@Suite("Steps of the wall clock harm no Live Activity", .timeLimit(.minutes(4)), .simulated)
struct WallClockTests {
    private static let day: Int64 = 24 * 3600
    private static let steps = [-2 * day, -3600, 3600, 2 * day]
    /// At this speed the whole adventure takes half an hour of real time.
    private static let speed: Int64 = 1000

    /// An adventure in its second minute.
    private func playing() async throws -> Stage {
        let stage = try await Stage.make(speed: Self.speed)
        try await stage.start()
        await stage.server.step(forSeconds: 90)
        #expect(try shown(on: stage) == (try await card(stage)))
        return stage
    }

    /// What a Live Activity shows.
    private struct Card: Equatable {
        let health: Double?
        let text: String?

        init(_ content: Value) {
            health = content["currentHealthLevel"].number
            text = content["eventDescription"].string
        }
    }

    /// The content that the phone keeps of all pushes.
    private func shown(on stage: Stage) throws -> Card? {
        var newest: Double = 0
        var content: Card?
        for push in stage.apns.pushes {
            let timestamp = try #require(push.aps["timestamp"].number)
            #expect(timestamp > newest, "the phone drops it")
            guard timestamp > newest else { continue }
            newest = timestamp
            content = Card(push.aps["content-state"])
        }
        return content
    }

    /// The content that the server says the phone should show.
    private func card(_ stage: Stage) async throws -> Card {
        let state = await stage.panda.send(.get, "/v1/parties/\(stage.party)")
        return Card(try #require(state.body["heroes"].array.first)["card"])
    }

    private func gameTime(_ stage: Stage) async throws -> Int64 {
        let state = await stage.panda.send(.get, "/v1/parties/\(stage.party)")
        return Int64(try #require(state.body["adventure"]["gameTimeMilliseconds"].number))
    }

    /// Plays a minute, and expects the phone to be right then, by pushes whose dates are those of
    /// the wall clock, and the adventure to have gone on by no more than that minute and a beat.
    private func expectRight(
        after gameTime: Int64, _ stage: Stage, caughtUp: Int64 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = stage.apns.pushes.count
        await stage.server.step(forSeconds: 60)
        let wall = stage.server.clock.wall.seconds
        let pushes = stage.apns.pushes.dropFirst(before)
        let last = try #require(pushes.last, "nothing was sent", sourceLocation: sourceLocation)
        #expect(
            try shown(on: stage) == (try await card(stage)), sourceLocation: sourceLocation)
        let timestamp = Int64(try #require(last.aps["timestamp"].number))
        let stale = Int64(try #require(last.aps["stale-date"].number))
        #expect(timestamp > wall - 60, sourceLocation: sourceLocation)
        #expect(stale > max(wall, timestamp), sourceLocation: sourceLocation)
        let expiration = try #require(last.request.expiration)
        #expect(expiration > wall - 60, sourceLocation: sourceLocation)
        #expect(expiration <= wall + 3600, sourceLocation: sourceLocation)
        let state = await stage.panda.send(.get, "/v1/parties/\(stage.party)")
        let event = try #require(state.body["events"].array.last, sourceLocation: sourceLocation)
        let at = Int64(try #require(event["at"].number)) / 1000
        #expect((wall - 90...wall).contains(at), sourceLocation: sourceLocation)
        let beat: Int64 = 60_000
        let advanced = try await self.gameTime(stage) - gameTime
        #expect(advanced > 0, sourceLocation: sourceLocation)
        #expect(advanced <= 60_000 + beat + caughtUp, sourceLocation: sourceLocation)
    }

    /// Ends the adventure, and expects an end with a dismissal by the wall clock.
    private func expectEnd(_ stage: Stage) async throws {
        #expect([200, 201, 202].contains(await stage.server.end(stage.party)))
        #expect(await stage.untilEnded())
        #expect(try shown(on: stage) == (try await card(stage)))
        let last = try #require(stage.apns.pushes.last)
        let dismissal = Int64(try #require(last.aps["dismissal-date"].number))
        let wall = stage.server.clock.wall.seconds
        #expect((wall...wall + ActivityOutbox.dismissalSeconds).contains(dismissal))
        await stage.server.server.drain()
        #expect(await Replay.report(file: stage.server.file, party: nil).differences == [])
    }

    /// The server that a start on this clock gives, with the phones of before.
    private func restarted(_ stage: Stage, on clock: VirtualClock) async throws -> Stage {
        await stage.server.server.drain()
        return stage.moved(
            to: try await TestServer(
                file: stage.server.file, clock: clock, apns: stage.apns, speed: Self.speed))
    }

    @Test("PR12: a step while the server runs, and back again", arguments: steps)
    func running(step: Int64) async throws {
        let stage = try await playing()
        stage.server.clock.stepWall(bySeconds: step)
        try await expectRight(after: try await gameTime(stage), stage)
        #expect(stage.server.logged.withLock { $0.contains("the wall clock was stepped") })
        #expect(stage.server.metrics.value(.wallClockSteps) == 1)
        stage.server.clock.stepWall(bySeconds: -step)
        try await expectRight(after: try await gameTime(stage), stage)
        #expect(stage.server.metrics.value(.wallClockSteps) == 2)
        try await expectEnd(stage)
    }

    @Test(
        "PR12: a start with a wrong clock, set right while running, and another", arguments: steps)
    func sameBoot(step: Int64) async throws {
        let first = try await playing()
        let before = try await gameTime(first)
        let clock = VirtualClock(now: first.server.clock.now)
        clock.stepWall(bySeconds: step)
        let second = try await restarted(first, on: clock)
        try await expectRight(after: before, second)
        clock.stepWall(bySeconds: -step)
        try await expectRight(after: try await gameTime(second), second)
        let middle = try await gameTime(second)
        let third = try await restarted(second, on: VirtualClock(now: clock.now))
        try await expectRight(after: middle, third)
        try await expectEnd(third)
    }

    @Test("PR12: a boot with a wrong clock, set right while running", arguments: steps)
    func otherBoot(step: Int64) async throws {
        let first = try await playing()
        let before = try await gameTime(first)
        let clock = VirtualClock(
            now: first.server.clock.wall.adding(seconds: 20 + step), bootID: "boot-2")
        let second = try await restarted(first, on: clock)
        // What the machine was off for passes in the adventure too, at most a minute of it.
        try await expectRight(after: before, second, caughtUp: PartyChange.catchUpMax)
        clock.stepWall(bySeconds: -step)
        try await expectRight(after: try await gameTime(second), second)
        try await expectEnd(second)
    }

    @Test("PR12: a machine that was off for longer than counts is reported, and no step is counted")
    func offForLong() async throws {
        let first = try await playing()
        await first.server.server.drain()
        let (file, absence) = (first.server.file, ServerClock.absenceMax / 1000)
        for (seconds, isReported) in [(absence - 3600, false), (absence + 3600, true)] {
            let clock = VirtualClock(
                now: first.server.clock.wall.adding(seconds: seconds), bootID: "boot-\(seconds)")
            let copy = file + "-\(seconds)"
            try await SQLiteStore.copy(file: file, to: copy)
            let server = try await TestServer(file: copy, clock: clock, speed: Self.speed)
            let isLogged = server.logged.withLock { $0.contains("run for over four hours") }
            #expect(isLogged == isReported)
            #expect(server.metrics.value(.wallClockSteps) == 0)
            let offset = server.metrics.value(.wallClockOffset)
            #expect(abs(offset - (isReported ? 3600 : 0)) < 60)
            await server.server.drain()
        }
    }

    @Test("PR12: a first start with a wrong clock, set right while running", arguments: steps)
    func firstStart(step: Int64) async throws {
        let clock = VirtualClock()
        clock.stepWall(bySeconds: step)
        let stage = try await Stage.make(clock: clock, speed: Self.speed)
        try await stage.start()
        await stage.server.step(forSeconds: 30)
        clock.stepWall(bySeconds: -step)
        try await expectRight(after: try await gameTime(stage), stage)
        try await expectEnd(stage)
    }

    @Test("PR12: a machine that slept goes on with its adventures, and ages its activities")
    func suspended() async throws {
        let stage = try await playing()
        let before = try await gameTime(stage)
        stage.server.clock.advance(to: stage.server.clock.now.adding(seconds: 2 * 3600))
        try await expectRight(after: before, stage)
        #expect(stage.server.metrics.value(.wallClockSteps) == 0)
        try await expectEnd(stage)
    }

    @Test("PR12: a job comes when the wall clock shows its time, also after a step")
    func jobs() async throws {
        let stage = try await playing()
        let clock = stage.server.clock
        let at = clock.wall.adding(seconds: 3600)
        let made = await stage.server.admin(
            .post, "/v1/admin/commands",
            #"{"command":{"name":"end"},"party":"\#(stage.party)","at":\#(at.milliseconds)}"#)
        #expect([200, 201, 202].contains(made.status))
        await stage.server.step(forSeconds: 30)
        #expect(await !stage.isOver())
        clock.stepWall(bySeconds: 3600)
        await stage.server.step(forSeconds: 60)
        #expect(await stage.isOver())
        await stage.server.server.drain()
    }

    @Test("A6: a 410 of before the registration retires no token, also after a step")
    func deadToken() async throws {
        let stage = try await Stage.make(speed: Self.speed)
        let clock = stage.server.clock
        clock.stepWall(bySeconds: 3600)
        await stage.server.step(forSeconds: 30)
        #expect(await stage.panda.watch("activity-1", token: "ef01").status == 204)
        let refusal = APNsClient.Refusal(
            status: 410, reason: "Unregistered", timestamp: clock.wall.milliseconds - 60_000,
            action: .dropToken)
        stage.apns.answer(.at(once: .refused(refusal)))
        try await stage.start()
        await stage.apns.untilSent(1)
        stage.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        await stage.server.step(forSeconds: 120)
        #expect(stage.apns.pushes.count > 1)
        await stage.server.server.drain()
    }

    // MARK: The server's time at a start

    private static let noon = WallTime(milliseconds: 1_685_966_400_000)

    /// A start a minute after the anchor was written, or on another boot of the machine.
    private func start(
        boot: String, wallAfter seconds: Int64, sinceBoot: Int64 = 1_060_000,
        newest: WallTime? = nil, offset: Int64 = 0
    ) -> Int64 {
        let noon = Self.noon
        let anchor = ClockAnchor(
            time: noon,
            reading: ClockReading(
                bootID: "one", sinceBoot: 1_000_000, wall: noon.adding(seconds: offset)))
        let time = ServerClock.time(
            after: ClockRecord(anchor: anchor, newest: newest),
            at: ClockReading(
                bootID: boot, sinceBoot: sinceBoot,
                wall: noon.adding(seconds: offset + seconds)))
        return (time.milliseconds - noon.milliseconds) / 1000
    }

    @Test("PR12: on the same boot the server's time goes on exactly", arguments: steps + [0, 60])
    func exact(wall: Int64) {
        #expect(start(boot: "one", wallAfter: wall) == 60)
    }

    @Test("PR12: after a boot the wall clock says how long the machine was off, within limits")
    func absence() {
        let limit = ServerClock.absenceMax / 1000
        #expect(start(boot: "two", wallAfter: 60) == 60)
        #expect(start(boot: "two", wallAfter: 60, offset: 7200) == 60)
        #expect(start(boot: "two", wallAfter: -3600) == 0)
        #expect(start(boot: "two", wallAfter: 2 * Self.day) == limit)
        #expect(start(boot: "", wallAfter: 60) == 60)
        // The name is the same and the time since the boot is not: a copied machine.
        #expect(start(boot: "one", wallAfter: 30, sinceBoot: 5_000) == 30)
    }

    @Test("PR12: the server's time is never before a time of the file")
    func neverBefore() {
        let newest = Self.noon.adding(seconds: 900)
        for boot in ["one", "two"] {
            #expect(start(boot: boot, wallAfter: -3600, newest: newest) == 900)
        }
        #expect(start(boot: "two", wallAfter: 1000, newest: newest) == 1000)
    }

    @Test("PR12: without an anchor the wall clock is the server's time, unless the file is ahead")
    func older() {
        let reading = ClockReading(bootID: "one", sinceBoot: 0, wall: Self.noon)
        #expect(ServerClock.time(after: ClockRecord(), at: reading) == Self.noon)
        for (newest, time) in [(-60, 0), (3600, 3600)] as [(Int64, Int64)] {
            let record = ClockRecord(newest: Self.noon.adding(seconds: newest))
            #expect(ServerClock.time(after: record, at: reading) == Self.noon.adding(seconds: time))
        }
    }
}
