import APNsClient
import HTTPServer
import Isolation
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// PR22: players who invent push tokens, at a server that plays with others.
@Suite("Invented push tokens", .timeLimit(.minutes(2)), .simulated)
struct NewTokenTests {
    /// Calls tokens bad that begin with "bad".
    private static let judge = FakeAPNs.Answer.by { request in
        guard request.token.hex.hasPrefix("bad") else { return .accepted(apnsUniqueID: nil) }
        return .refused(
            APNsClient.Refusal(
                status: 400, reason: "BadDeviceToken", timestamp: nil,
                action: APNsReason.action(status: 400, reason: "BadDeviceToken")))
    }

    private static func pushes(_ stage: Stage, to token: String) -> Int {
        stage.apns.pushes.count { $0.request.token.hex.hasPrefix(token) }
    }

    /// A player on an adventure with so many activities, whose tokens APNs does not know.
    private static func inventor(
        _ number: Int, activities: Int, at server: TestServer, from address: String? = nil
    ) async throws -> TestPlayer {
        let player = try await TestPlayer.make("Thief \(number)", at: server, from: address)
        let party = try await player.found().id
        for activity in 0..<activities {
            let token = "bad" + String(100_000 + 10 * number + activity) + "0"
            #expect(await player.watch("t-\(number)-\(activity)", token: token).status == 204)
        }
        #expect(await player.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        return player
    }

    @Test("after three bad tokens a player's new ones get no push, those of others do")
    func rest() async throws {
        let stage = try await Stage.make(speed: 1000)
        stage.apns.answer(Self.judge)
        let thief = try await Self.inventor(1, activities: 3, at: stage.server)
        #expect(await stage.server.step(until: { Self.pushes(stage, to: "bad") == 3 }))
        #expect(await thief.watch("t-1-9", token: "bad9").status == 204)
        #expect(await thief.watch("t-1-0", token: "bad8").status == 204)
        #expect(await thief.offer("phone", token: "bad7").status == 204)
        try await stage.start()
        #expect(await stage.server.step(until: { Self.pushes(stage, to: "abcd") > 3 }))
        #expect(Self.pushes(stage, to: "bad") == 3)
        #expect(Self.held(stage.server.metrics) == 2)
        await stage.server.server.drain()
    }

    @Test("an unknown outcome says nothing of a token, nor does a 410")
    func otherOutcomes() async throws {
        let stage = try await Stage.make()
        stage.apns.answer(
            .at(
                once: .refused(
                    APNsClient.Refusal(
                        status: 410, reason: "Unregistered", timestamp: nil,
                        action: APNsReason.action(status: 410, reason: "Unregistered")))))
        try await stage.start()
        for number in 1...5 {
            await stage.apns.untilSent(number)
            await stage.server.untilAsleep()
            #expect(await stage.panda.watch("activity-1", token: "ef0\(number)").status == 204)
        }
        #expect(await stage.server.step(until: { stage.apns.pushes.count > 5 }))
        await stage.server.server.drain()
    }

    @Test(
        "PR22: while one network invents tokens, its first pushes wait; a newcomer's and those of a proven player do not"
    )
    func share() async throws {
        let stage = try await Stage.make(speed: 1000)
        stage.apns.answer(Self.judge)
        try await stage.start()
        #expect(await stage.server.step(until: { Self.pushes(stage, to: "abcd") == 1 }))
        var number = 0
        func invent(until isEnough: @Sendable () -> Bool) async throws {
            while !isEnough(), !Task.isCancelled {
                _ = try await Self.inventor(
                    number, activities: 4, at: stage.server, from: "2001:db8:bad:\(number)::1")
                number += 1
                await stage.server.untilAsleep()
            }
        }
        let metrics = stage.server.metrics
        try await invent { metrics.value(.newTokensSlowed) == 1 }
        #expect(stage.server.logged.withLock { $0 }.contains("many new tokens"))
        try await invent { Self.held(metrics) > 0 }
        let held = Self.held(metrics)
        let newcomer = try await TestPlayer.make("Hero", at: stage.server, from: "192.0.2.1")
        try await Self.play(newcomer, "n-1", token: "eeee0001")
        await stage.server.untilAsleep()
        #expect(Self.pushes(stage, to: "eeee") == 1)
        #expect(await stage.panda.watch("activity-2", token: "abcd2222").status == 204)
        await stage.server.untilAsleep()
        #expect(Self.pushes(stage, to: "abcd2222") == 1)
        #expect(Self.held(metrics) == held)
        // A neighbour of the inventors waits with them, for seconds.
        let neighbour = try await TestPlayer.make(
            "Nearby", at: stage.server, from: "2001:db8:bad:ff::1")
        try await Self.play(neighbour, "n-2", token: "eeee0002")
        await stage.server.untilAsleep()
        #expect(Self.pushes(stage, to: "eeee0002") == 0)
        #expect(await stage.server.step(until: { Self.pushes(stage, to: "eeee0002") > 0 }))
        await stage.server.step(forSeconds: 61)
        _ = await newcomer.watch("n-9", token: "eeee9999")
        #expect(await stage.server.step(until: { metrics.value(.newTokensSlowed) == 0 }))
        await stage.server.server.drain()
    }

    /// Founds a party, shows it on a device with this token, and sets out.
    private static func play(
        _ player: TestPlayer, _ activity: String, token: String
    ) async throws {
        let party = try await player.found().id
        #expect(await player.watch(activity, token: token).status == 204)
        #expect(await player.send(.post, "/v1/parties/\(party)/adventure").status == 201)
    }

    /// How many pushes to new tokens were held back.
    private static func held(_ metrics: Metrics) -> Double {
        ["5", "10"].reduce(0) { sum, priority in
            let labels = #"priority="\#(priority)",status="",reason="new token""#
            return sum + metrics.value(.pushes, labels: labels)
        }
    }

    @Test("an outcome of the last server counts also for a party that a request reads first")
    func inherited() async throws {
        let stage = try await Stage.make(speed: 1000)
        try await stage.start()
        try #require(await stage.isAcceptanceWrittenAlone())
        await stage.server.server.drain()
        var rates = RateSettings()
        rates[.pushTokens] = try #require(Rate("1/h"))
        stage.apns.answer(.later)
        // The request's read begins before all parties are found, and ends after.
        let (hasBegun, mayEnd) = (Locked(false), Locked(false))
        let server = try await TestServer(
            file: stage.server.file, clock: stage.server.clock, apns: stage.apns, rates: rates,
            wrapping: { sqlite in
                let store = FaultyStore(sqlite)
                store.beforeReading { party in
                    if party == nil {
                        await TestServer.until { hasBegun.withLock { $0 } }
                    } else {
                        hasBegun.withLock { $0 = true }
                        await TestServer.until { mayEnd.withLock { $0 } }
                    }
                }
                return store
            })
        let panda = stage.panda.moved(to: server)
        async let watched = panda.watch("activity-1")
        await TestServer.until { server.logged.withLock { $0.contains("the parties are loaded") } }
        for _ in 0..<1000 { await Task.yield() }
        mayEnd.withLock { $0 = true }
        #expect(await watched.status == 204)
        for number in 1...3 {
            #expect(await panda.watch("activity-2", token: "ef0\(number)").status == 204)
        }
        stage.apns.release(.accepted(apnsUniqueID: nil))
        await server.server.drain()
    }

    @Test("after a restart a player with an accepted token is proven")
    func restart() async throws {
        let stage = try await Stage.make(speed: 1000)
        try await stage.start()
        #expect(await stage.server.step(until: { await stage.storeKnowsOfAcceptance() }))
        await stage.server.server.drain()
        var rates = RateSettings()
        rates[.pushTokens] = try #require(Rate("1/h"))
        // Nothing is accepted now that could prove anybody.
        stage.apns.answer(.later)
        let server = try await TestServer(
            file: stage.server.file, clock: stage.server.clock, apns: stage.apns, rates: rates)
        let panda = stage.panda.moved(to: server)
        // The party is read.
        #expect(await panda.watch("activity-1").status == 204)
        for number in 1...3 {
            #expect(await panda.watch("activity-2", token: "ef0\(number)").status == 204)
        }
        let egghead = try await TestPlayer.make("Egghead", at: server)
        _ = try await egghead.found()
        #expect(await egghead.watch("egg", token: "ee01").status == 204)
        #expect(await egghead.watch("egg", token: "ee02").status == 429)
        stage.apns.release(.accepted(apnsUniqueID: nil))
        await server.server.drain()
    }
}
