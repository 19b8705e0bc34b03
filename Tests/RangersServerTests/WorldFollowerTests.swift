import APNsClient
import GameLogic
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("A8: followers of the world boss", .timeLimit(.minutes(2)), .simulated)
struct WorldFollowerTests {
    /// A server with channels, and a player.
    private struct Scene {
        let server: TestServer
        let player: TestPlayer
        let channels: FakeChannels

        static func make(
            file: String = TestServer.freshFile(), channels: FakeChannels = FakeChannels(),
            orphans: ChannelSweep.Orphans = .keep,
            wrapping wrap: @Sendable (SQLiteStore) -> any Store = { $0 }
        ) async throws -> Scene {
            let server = try await TestServer(
                file: file, channels: channels, orphans: orphans, wrapping: wrap)
            let player = try await TestPlayer.make("Power Panda", at: server)
            return Scene(server: server, player: player, channels: channels)
        }

        /// Opens an event of one round, of an hour.
        func open(_ body: String = #"{"heroShifts":1,"roundMinutes":60}"#) async throws {
            let opened = await server.admin(.post, "/v1/admin/world", body)
            try #require(opened.status == 201, "\(opened.text)")
        }

        func channel(_ language: String = "en") async -> TestServer.Answer {
            await server.send(.get, "/v1/world/channel", as: player.token, language: language)
        }

        /// The broadcasts on the channel of a language, each as its event and priority.
        func told(_ language: String = "en") async -> [String] {
            let id = await channel(language).body["channel"].string ?? ""
            return told(on: ChannelID(base64: id))
        }

        func told(on id: ChannelID) -> [String] {
            channels.broadcasts.filter { $0.request.channel == id }.map {
                "\($0.aps["event"].string ?? "") \($0.request.priority.rawValue)"
            }
        }
    }

    @Test("each language has a channel while a round is open, and its card ends with the round")
    func round() async throws {
        let scene = try await Scene.make()
        #expect(await scene.channel().status == 404)
        try await scene.open()
        let isOpen = await scene.server.step { await scene.channel().status == 200 }
        try #require(isOpen)
        await scene.server.step(forSeconds: 5)
        #expect(scene.channels.created == Language.allCases.count)
        let shown = await scene.channel("de-AT").body
        #expect(shown["language"].string == "de")
        let id = ChannelID(base64: shown["channel"].string ?? "")
        let first = try #require(scene.channels.broadcasts.first { $0.request.channel == id })
        let state = first.aps["content-state"]
        #expect(state["currentHealthLevel"].number == 1)
        #expect(state["link"].string == "game:///world/1")
        #expect(state["eventDescription"].string?.isEmpty == false)
        #expect(first.aps["relevance-score"].number == Double(Relevance.following))
        var context = PayloadLinter.Context()
        context.destination = .broadcast
        #expect(PayloadLinter().findings(in: first.request.payload, context: context).isEmpty)
        #expect(scene.told(on: id) == ["update 5"])
        await scene.server.step(forSeconds: 3700)
        // One repeats what the cards show, before they become stale.
        #expect(scene.told(on: id) == ["update 5", "update 5", "end 5"])
        #expect(await scene.channel("de").status == 404)
        // The sweeper deletes it when no phone can miss its end any more.
        await scene.server.step(forSeconds: 4300)
        #expect(scene.channels.deleted.contains(id))
        #expect(scene.channels.listed.isEmpty)
        await scene.server.server.drain()
    }

    @Test("the fall of the boss ends every follower's card, at high priority")
    func fall() async throws {
        let scene = try await Scene.make()
        try await scene.open()
        let isOpen = await scene.server.step { await scene.channel().status == 200 }
        try #require(isOpen)
        let id = ChannelID(base64: await scene.channel().body["channel"].string ?? "")
        let (party, _) = try await scene.player.found()
        let started = await scene.player.send(
            .post, "/v1/parties/\(party)/adventure",
            #"{"pack":"kraken-tide","difficulty":"gentle"}"#)
        try #require(started.status == 201)
        let hasFallen = await scene.server.step {
            await scene.player.send(.get, "/v1/world").body["status"].string == "fallen"
        }
        try #require(hasFallen)
        await scene.server.step(forSeconds: 3)
        #expect(scene.told(on: id).last == "end 10")
        let last = try #require(scene.channels.broadcasts.last { $0.request.channel == id })
        #expect(last.aps["content-state"]["currentHealthLevel"].number == 0)
        await scene.server.server.drain()
    }

    @Test("a store that cannot write opens no channel twice, and repeats nothing")
    func storeFails() async throws {
        let made = Locked<FaultyStore?>(nil)
        let scene = try await Scene.make { sqlite in
            let store = FaultyStore(sqlite)
            made.withLock { $0 = store }
            return store
        }
        let store = try #require(made.withLock { $0 })
        scene.channels.whileCreating { store.failWrites(.broken("the disk is full")) }
        try await scene.open()
        await scene.server.step(forSeconds: 30)
        #expect(scene.channels.created == 1)
        #expect(scene.channels.broadcasts.isEmpty)
        store.failWrites(nil)
        scene.channels.whileCreating {}
        let isOpen = await scene.server.step { await scene.channel("es").status == 200 }
        try #require(isOpen)
        await scene.server.step(forSeconds: 5)
        #expect(scene.channels.created == Language.allCases.count)
        let told = scene.channels.broadcasts.count
        #expect(told == Language.allCases.count)
        await scene.server.server.drain()
    }

    @Test("a restart opens no channel twice, and repeats nothing")
    func restart() async throws {
        let (file, channels) = (TestServer.freshFile(), FakeChannels())
        let first = try await Scene.make(file: file, channels: channels)
        try await first.open()
        let isOpen = await first.server.step { await first.channel().status == 200 }
        try #require(isOpen)
        await first.server.step(forSeconds: 5)
        let (created, told) = (channels.created, channels.broadcasts.count)
        await first.server.server.drain()
        let second = try await TestServer(
            file: file, clock: first.server.clock, channels: channels)
        await second.step(forSeconds: 5)
        #expect(channels.created == created && created == Language.allCases.count)
        #expect(channels.broadcasts.count == told)
        await second.server.drain()
    }

    @Test("what Apple refuses is tried again; a channel that is gone is replaced")
    func refusals() async throws {
        let scene = try await Scene.make()
        scene.channels.failCreation(.notSent)
        try await scene.open()
        await scene.server.step(forSeconds: 65)
        #expect(await scene.channel().status == 404)
        #expect(scene.channels.created == 0)
        scene.channels.failCreation(nil)
        scene.channels.answer(.notSent("no connection"))
        await scene.server.step(forSeconds: 11)
        #expect(scene.channels.created == 1)
        scene.channels.answer(.refused(FakeChannels.refusal("ChannelNotRegistered")))
        await scene.server.step(forSeconds: 11)
        scene.channels.answer(.accepted(apnsUniqueID: nil))
        let isOpen = await scene.server.step { await scene.channel().status == 200 }
        #expect(isOpen)
        await scene.server.step(forSeconds: 5)
        #expect(await scene.told() == ["update 5"])
        await scene.server.server.drain()
    }

    @Test(
        "what Apple refuses again and again is skipped, whatever it says",
        arguments: [
            ("BadPriority", OwnRefusals.sameMax), ("IdleTimeout", OwnRefusals.lifeMax),
        ])
    func skipped(reason: String, times: Int) async throws {
        let scene = try await Scene.make()
        scene.channels.answer(.refused(FakeChannels.refusal(reason)))
        try await scene.open()
        await scene.server.step(forSeconds: 1500)
        let told = Dictionary(grouping: scene.channels.broadcasts, by: \.request.channel)
        #expect(told.count == Language.allCases.count)
        #expect(told.values.allSatisfy { $0.count == times })
        await scene.server.server.drain()
    }

    @Test("PR8: the same update waits for 15 minutes after a 5xx, any for a minute after a 429")
    func failures() async throws {
        let scene = try await Scene.make()
        let failed = APNsClient.Refusal(
            status: 503, reason: "Shutdown", timestamp: nil, action: .retryLater)
        scene.channels.answer(.refused(failed))
        try await scene.open()
        // Each language is tried once, ten seconds after the one before.
        await scene.server.step(forSeconds: 600)
        let languages = Language.allCases.count
        #expect(scene.channels.broadcasts.count == languages)
        let tooMany = APNsClient.Refusal(
            status: 429, reason: "TooManyRequests", timestamp: nil, action: .backOffDevice)
        scene.channels.answer(.refused(tooMany))
        await scene.server.step(forSeconds: 420)
        let first = scene.channels.broadcasts[0].request.channel
        let count = scene.channels.broadcasts.count { $0.request.channel == first }
        #expect((2...4).contains(count), "\(count)")
        await scene.server.server.drain()
    }

    @Test("a channel whose creation has no answer is made again; the sweeper deletes the lost one")
    func unknownCreation() async throws {
        let scene = try await Scene.make(orphans: .delete)
        let lost = ChannelID(base64: "LOST")
        scene.channels.failCreation(.unknown)
        scene.channels.whileCreating { scene.channels.list(lost) }
        try await scene.open(#"{"heroShifts":1,"roundMinutes":360}"#)
        await scene.server.step(forSeconds: 5)
        #expect(scene.channels.listed == [lost] && scene.channels.created == 0)
        #expect(await scene.channel().status == 404)
        scene.channels.failCreation(nil)
        let isOpen = await scene.server.step { await scene.channel().status == 200 }
        try #require(isOpen)
        await scene.server.step(forSeconds: 5)
        #expect(scene.channels.created == Language.allCases.count)
        let isSwept = await scene.server.step { !scene.channels.listed.contains(lost) }
        #expect(isSwept && scene.channels.deleted == [lost])
        #expect(scene.channels.listed.count == Language.allCases.count)
        #expect(scene.channels.broadcasts.count { $0.request.channel == lost } == 0)
        await scene.server.server.drain()
    }

    @Test(
        "PR12: after a step of the wall clock followers' cards still get newer states, and their end",
        arguments: [-3600, 3600, 2 * 24 * 3600])
    func wallClock(step: Int64) async throws {
        let scene = try await Scene.make()
        try await scene.open()
        let isOpen = await scene.server.step { await scene.channel().status == 200 }
        try #require(isOpen)
        await scene.server.step(forSeconds: 5)
        let id = ChannelID(base64: await scene.channel().body["channel"].string ?? "")
        scene.server.clock.stepWall(bySeconds: step)
        // The round ends by the calendar.
        await scene.server.step(forSeconds: 7300)
        let told = scene.told(on: id)
        #expect(told.count > 1 && told.last == "end 5", "\(told)")
        let timestamps = scene.channels.broadcasts.filter { $0.request.channel == id }
            .compactMap { $0.aps["timestamp"].number }
        // A phone drops a state that is not newer than the one it has.
        #expect(
            timestamps.count == told.count && zip(timestamps, timestamps.dropFirst()).allSatisfy(<))
        // The dates are those of the wall clock, even if it was set back behind the timestamps.
        let last = try #require(scene.channels.broadcasts.last { $0.request.channel == id })
        let lead = (last.aps["dismissal-date"].number ?? 0) - (last.aps["timestamp"].number ?? 0)
        #expect(step < 0 ? lead <= 900 : lead == 900, "\(lead)")
        await scene.server.server.drain()
    }

    @Test("an owner's pause of all pushes holds for followers too")
    func pause() async throws {
        let scene = try await Scene.make()
        let paused = await scene.server.admin(.put, "/v1/admin/push-pause")
        try #require(paused.status == 200)
        try await scene.open()
        await scene.server.step(forSeconds: 65)
        #expect(scene.channels.created == 0 && scene.channels.broadcasts.isEmpty)
        #expect(await scene.server.admin(.delete, "/v1/admin/push-pause").status == 200)
        let isOpen = await scene.server.step { await scene.channel().status == 200 }
        #expect(isOpen)
        await scene.server.server.drain()
    }
}

@Suite("Updates for followers of the world boss")
struct FollowerUpdateTests {
    private static let now = WallTime(milliseconds: 1_800_000_000_000)

    private static func event(
        _ remaining: Int64, _ status: WorldEvent.Status = .open, round: Int = 1
    ) -> WorldEvent {
        let plan = WorldEvent.Plan(
            pack: "kraken-tide", pool: 1000, startsAt: now, rounds: 2, roundSeconds: 3600,
            breakSeconds: 600)
        return WorldEvent(
            number: 1, plan: plan, createdBy: "lena", remaining: remaining, status: status,
            round: round)
    }

    /// Returns the next update of a channel that has told a percentage some seconds ago.
    private static func next(_ event: WorldEvent, after percent: Int?, seconds: Int64) -> String {
        let channel = WorldChannel(
            id: ChannelName("AAAA"), environment: .sandbox, event: 1, round: 1, language: .german,
            createdAt: now,
            told: percent.map {
                WorldChannel.Told(
                    percent: $0, at: now.adding(seconds: -seconds), timestamp: 1_800_000_000)
            })
        guard let update = FollowerUpdate(of: event, on: channel, at: now) else { return "none" }
        return "\(update.ends ? "end" : "update") \(update.priority) \(update.percent)"
    }

    @Test("followers get a new percentage once a minute, and the same one before the card is stale")
    func gap() {
        #expect(Self.next(Self.event(1000), after: nil, seconds: 0) == "update low 100")
        #expect(Self.next(Self.event(995), after: 100, seconds: 3000) == "update low 100")
        #expect(Self.next(Self.event(995), after: 100, seconds: 2699) == "none")
        #expect(Self.next(Self.event(500), after: 51, seconds: 59) == "none")
        #expect(Self.next(Self.event(500), after: 51, seconds: 60) == "update low 50")
    }

    @Test("the last tenth and the fall go at once, at high priority")
    func high() {
        #expect(Self.next(Self.event(100), after: 11, seconds: 1) == "update high 10")
        #expect(Self.next(Self.event(90), after: 10, seconds: 1) == "none")
        #expect(Self.next(Self.event(0, .fallen), after: 1, seconds: 1) == "end high 0")
    }

    @Test("the card ends with its round, and with the event")
    func end() {
        #expect(Self.next(Self.event(500, .resting), after: 51, seconds: 1) == "end low 50")
        #expect(Self.next(Self.event(500, round: 2), after: 51, seconds: 1) == "end low 50")
        #expect(Self.next(Self.event(500, .closed), after: 51, seconds: 1) == "end low 50")
        #expect(Self.next(Self.event(0, .fallen, round: 2), after: 51, seconds: 1) == "end low 0")
    }
}
