import APNsClient
import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Secrets
import Testing

@testable import RangersServer

@Suite("C6: the leaderboard's widgets", .timeLimit(.minutes(3)), .simulated)
struct WidgetTests {
    typealias Pair = FormerMemberTests.Pair
    private static let token = "00ddba11"

    /// Registers the phone of a player.
    @discardableResult
    private static func register(
        _ player: TestPlayer, token: String = token, device: String = "phone"
    ) async -> TestServer.Answer {
        await player.send(
            .put, "/v1/players/me/widgets/\(device)",
            #"{"pushToken":"\#(token)","environment":"sandbox"}"#)
    }

    private static func pushes(_ server: TestServer) -> [FakeAPNs.Push] {
        server.apns.pushes.filter { $0.request.pushType == .widgets }
    }

    /// A server where a player's widget has noted that there is no rank yet.
    private static func scene() async throws -> Pair {
        let pair = try await Pair.make()
        #expect(await register(pair.panda).status == 204)
        await pair.server.step(forSeconds: WidgetService.restSeconds + 1)
        #expect(pushes(pair.server).isEmpty)
        return pair
    }

    /// Advances the clock at once, and lets the service look.
    private static func pass(_ seconds: Int64, _ server: TestServer) async {
        server.clock.advance(to: server.clock.now.adding(seconds: seconds))
        await server.step(forSeconds: WidgetService.restSeconds + 1)
    }

    @Test("a changed rank reloads the widget once: low priority, no Live Activity's push")
    func changed() async throws {
        let pair = try await Self.scene()
        try await LeaderboardTests.play(pair)
        await pair.server.step(forSeconds: 3 * WidgetService.restSeconds)
        let pushes = Self.pushes(pair.server)
        #expect(pushes.count == 1)
        let push = try #require(pushes.first)
        #expect(push.request.token.hex == Self.token)
        #expect(push.request.priority == .low)
        #expect(push.request.topic == TestServer.bundleID + ".push-type.widgets")
        #expect(push.aps["content-changed"].bool == true)
        let sent = pair.server.metrics.value(.widgetPushes, labels: #"result="accepted""#)
        #expect(sent == 1)
        await pair.server.server.drain()
    }

    @Test("a token that is removed and put 200 times at once gets no push sooner")
    func putAgain() async throws {
        let pair = try await Self.scene()
        try await LeaderboardTests.play(pair)
        await pair.server.step(forSeconds: 3 * WidgetService.restSeconds)
        #expect(Self.pushes(pair.server).count == 1)
        await withTaskGroup { group in
            for number in 1...200 {
                group.addTask {
                    guard number.isMultiple(of: 2) else {
                        _ = await pair.panda.send(.delete, "/v1/players/me/widgets/phone")
                        return
                    }
                    await Self.register(pair.panda)
                }
            }
        }
        // The token moves on to another player, and back.
        #expect(await Self.register(pair.egghead).status == 204)
        #expect(await Self.register(pair.panda).status == 204)
        await pair.server.step(forSeconds: WidgetService.restSeconds + 1)
        let wall = pair.server.clock.wall.milliseconds
        let left = (Season(at: wall).end - wall) / 1000
        #expect(left > WidgetState.intervalSeconds)
        try await LeaderboardTests.play(pair, "forest-quest")
        await pair.server.step(forSeconds: 3 * WidgetService.restSeconds)
        #expect(Self.pushes(pair.server).count == 1)
        await pair.server.server.drain()
    }

    @Test("more widgets than a page are all reloaded at once, each once")
    func pages() async throws {
        let (file, clock) = (TestServer.freshFile(), VirtualClock())
        let count = WidgetService.pageSize + 50
        let store = try await SQLiteStore.open(path: file)
        let epoch = try await store.takeOwnership()
        for number in 1...count {
            let player = PlayerID("player-\(number)")
            let phone = DeviceRecord(
                key: DeviceRecord.Key(player: player, device: DeviceID("phone")),
                tokenHash: Digest.sha256("\(number)".utf8), createdAt: clock.wall)
            try await store.insert(phone, epoch: epoch)
            let widget = WidgetToken(
                player: player, device: phone.key.device, environment: .sandbox,
                token: PushToken(hex: "\(10_000_000 + number)"), confirmedAt: clock.wall)
            let put = try await store.put(
                widget, by: phone.key.device, amongAtMost: 1, epoch: epoch)
            #expect(put == .written)
        }
        await store.close()
        let server = try await TestServer(file: file, clock: clock)
        await server.step(forSeconds: WidgetService.restSeconds + 1)
        #expect(Self.pushes(server).isEmpty)
        let wall = server.clock.wall.milliseconds
        await Self.pass((Season(at: wall).end - wall) / 1000, server)
        let tokens = Self.pushes(server).map(\.request.token.hex)
        #expect(tokens.count == count && Set(tokens).count == count)
        await server.server.drain()
    }

    @Test("the end of a season reloads every widget, after a restart too, and once")
    func seasonsEnd() async throws {
        let pair = try await Self.scene()
        try await LeaderboardTests.play(pair)
        await pair.server.step(forSeconds: 3 * WidgetService.restSeconds)
        #expect(Self.pushes(pair.server).count == 1)
        let file = pair.server.file
        await pair.server.server.drain()
        let wall = pair.server.clock.wall.milliseconds
        let left = (Season(at: wall).end - wall) / 1000
        let next = try await TestServer(file: file, clock: pair.server.clock)
        await next.step(forSeconds: WidgetService.restSeconds + 1)
        #expect(Self.pushes(next).isEmpty)
        await Self.pass(left, next)
        #expect(Self.pushes(next).count == 1)
        await Self.pass(3600, next)
        #expect(Self.pushes(next).count == 1)
        await next.server.drain()
    }

    @Test("a dead token is removed")
    func dead() async throws {
        let pair = try await Self.scene()
        pair.server.apns.answer(
            .by { request in
                guard request.pushType == .widgets else { return .accepted(apnsUniqueID: nil) }
                return .refused(
                    APNsClient.Refusal(
                        status: 410, reason: "Unregistered", timestamp: nil, action: .dropToken))
            })
        try await LeaderboardTests.play(pair)
        await pair.server.step(forSeconds: 3 * WidgetService.restSeconds)
        #expect(Self.pushes(pair.server).count == 1)
        let export = await pair.panda.send(.get, "/v1/me/export").body
        #expect(export["widgets"].array.isEmpty)
        await pair.server.server.drain()
    }

    @Test("a push that fails goes again half an hour later, not sooner")
    func failed() async throws {
        let pair = try await Self.scene()
        pair.server.apns.answer(
            .by { request in
                request.pushType == .widgets
                    ? .notSent("the host is away") : .accepted(apnsUniqueID: nil)
            })
        try await LeaderboardTests.play(pair)
        await pair.server.step(forSeconds: 3 * WidgetService.restSeconds)
        #expect(Self.pushes(pair.server).count == 1)
        pair.server.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        await Self.pass(29 * 60 - 60, pair.server)
        #expect(Self.pushes(pair.server).count == 1)
        await Self.pass(120, pair.server)
        #expect(Self.pushes(pair.server).count == 2)
        await pair.server.server.drain()
    }

    @Test("a player whose other tokens were bad gets no first push to a widget; others do")
    func unproven() async throws {
        let pair = try await Self.scene()
        #expect(await Self.register(pair.egghead, token: "00e99e").status == 204)
        await pair.server.step(forSeconds: WidgetService.restSeconds + 1)
        pair.server.apns.answer(
            .by { request in
                guard request.token.hex.hasPrefix("bad") else {
                    return .accepted(apnsUniqueID: nil)
                }
                let reason = "BadDeviceToken"
                return .refused(
                    APNsClient.Refusal(
                        status: 400, reason: reason, timestamp: nil,
                        action: APNsReason.action(status: 400, reason: reason)))
            })
        for number in 1...3 {
            let watched = await pair.panda.watch("a-\(number)", token: "bad\(number)")
            #expect(watched.status == 204)
        }
        try await LeaderboardTests.play(pair)
        await pair.server.step(forSeconds: 3 * WidgetService.restSeconds)
        #expect(Self.pushes(pair.server).map(\.request.token.hex) == ["00e99e"])
        await pair.server.server.drain()
    }

    @Test("while all pushes are paused widgets wait")
    func paused() async throws {
        let pair = try await Self.scene()
        #expect(await pair.server.admin(.put, "/v1/admin/push-pause").status == 200)
        try await LeaderboardTests.play(pair)
        await pair.server.step(forSeconds: 3 * WidgetService.restSeconds)
        #expect(Self.pushes(pair.server).isEmpty)
        #expect(await pair.server.admin(.delete, "/v1/admin/push-pause").status == 200)
        await pair.server.step(forSeconds: WidgetService.restSeconds + 1)
        #expect(Self.pushes(pair.server).count == 1)
        await pair.server.server.drain()
    }

    @Test("a widget's token is put and removed, and nobody else's device is touched")
    func routes() async throws {
        let pair = try await Pair.make()
        let path = "/v1/players/me/widgets/phone"
        #expect(await pair.panda.send(.delete, path).status == 404)
        #expect(await Self.register(pair.panda).status == 204)
        let export = await pair.panda.send(.get, "/v1/me/export")
        #expect(export.body["widgets"].array.compactMap { $0["device"].string } == ["phone"])
        #expect(!export.text.contains(Self.token))
        #expect(await pair.egghead.send(.delete, path).status == 404)
        #expect(await pair.panda.send(.delete, path).status == 204)
        #expect(await Self.register(pair.panda, token: "xyz").status == 400)
        for number in 1...8 {
            let put = await Self.register(
                pair.panda, token: "0\(number)", device: "phone-\(number)")
            #expect(put.status == 204, "\(put.text)")
        }
        #expect(await Self.register(pair.panda, token: "09", device: "phone-9").status == 409)
        await pair.server.server.drain()
    }
}
