import APNsClient
import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// A7: whose phone it is, as long as its token lives.
@Suite("Push-to-start tokens", .timeLimit(.minutes(2)), .simulated)
struct PushToStartTokenTests {
    @Test("A7: a rotated token replaces the old one")
    func rotation() async throws {
        let scene = try await StartScene.make()
        _ = await scene.egghead.offer("phone", token: "b2")
        try await scene.start()
        await scene.server.apns.untilSent(2)
        #expect(scene.starts.map(\.request.token.hex) == ["b2"])
        await scene.server.server.drain()
    }

    @Test("A7: a deleted token starts nothing, and cannot be deleted twice")
    func takenBack() async throws {
        let scene = try await StartScene.make()
        let path = "/v1/players/me/push-to-start-tokens/phone"
        #expect(await scene.egghead.send(.delete, path).status == 204)
        #expect(await scene.egghead.send(.delete, path).status == 404)
        try await scene.start()
        await scene.server.apns.untilSent(1)
        for _ in 0..<10 { await scene.server.step() }
        #expect(scene.starts.isEmpty)
        await scene.server.server.drain()
    }

    @Test("A7: a phone that changes hands starts activities of its new player only")
    func newOwner() async throws {
        let scene = try await StartScene.make()
        let thief = try await TestPlayer.make("New owner", at: scene.server)
        #expect(await thief.offer("my-phone", token: "bb").status == 204)
        try await scene.start()
        await scene.server.apns.untilSent(1)
        #expect(scene.starts.isEmpty)
        await scene.server.server.drain()
    }

    @Test("an invalid token is refused with the field's name", arguments: ["xyz", "ABCD", "a"])
    func badToken(token: String) async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let answer = await panda.offer("phone", token: token)
        #expect(answer.status == 400)
        #expect(answer.body["detail"].string?.contains("\"pushToStartToken\"") == true)
        let other = await panda.offer("phone", token: "aa", attributesType: "OtherAttributes")
        #expect(other.status == 400)
        #expect(
            other.body["detail"].string?.hasPrefix(
                "The field \"attributesType\" must be \"AdventureAttributes\": this server starts")
                == true)
        await server.server.drain()
    }

    @Test("a player has at most eight devices; deleting one makes room")
    func tooMany() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        for number in 1...PutStartToken.devicesMax {
            #expect(await panda.offer("phone-\(number)", token: "a\(number)").status == 204)
        }
        #expect(await panda.offer("phone-9", token: "a9").status == 409)
        #expect(await panda.offer("phone-8", token: "b8").status == 204)
        _ = await panda.send(.delete, "/v1/players/me/push-to-start-tokens/phone-1")
        #expect(await panda.offer("phone-9", token: "a9").status == 204)
        await server.server.drain()
    }

    @Test(
        "A6: a token that Apple calls invalid is retired, unless it was registered after that",
        arguments: [(1000, false), (-1000, true)])
    func deadToken(milliseconds: Int64, survives: Bool) async throws {
        // In life's own time: a minute of pause is no whole adventure.
        let scene = try await StartScene.make(speed: 1000)
        let since = scene.server.clock.now.milliseconds + milliseconds
        let refusal = APNsClient.Refusal(
            status: 410, reason: "Unregistered", timestamp: since, action: .dropToken)
        scene.server.apns.answer(
            .by { $0.token.hex == "bb" ? .refused(refusal) : .accepted(apnsUniqueID: nil) })
        try await scene.start()
        await scene.server.apns.untilSent(2)
        if survives {
            #expect(await scene.server.step(until: { scene.starts.count > 1 }))
        } else {
            await scene.server.step(forSeconds: 100)
            #expect(scene.starts.count == 1)
        }
        await scene.server.server.drain()
    }

    private static let dead = APNsClient.Outcome.refused(
        APNsClient.Refusal(
            status: 410, reason: "Unregistered", timestamp: nil,
            action: APNsReason.action(status: 410, reason: "Unregistered")))

    @Test(
        "A6: a start whose token is put while its 410 is under way is tried again a minute later",
        arguments: ["bb", "b2"])
    func putMeanwhile(token: String) async throws {
        let scene = try await StartScene.make(speed: 1000)
        scene.server.apns.answer(.later)
        try await scene.start()
        await scene.server.apns.untilSent(2)
        #expect(await scene.egghead.offer("phone", token: token).status == 204)
        let refusedAt = scene.server.clock.now
        scene.server.apns.answer(.at(once: Self.dead))
        scene.server.apns.release(Self.dead)
        for _ in 0..<60 where scene.starts.count < 2 { await scene.server.step(forSeconds: 10) }
        #expect(scene.starts.map(\.request.token.hex) == ["bb", token])
        #expect(Set(scene.starts.map(\.request.id)).count == 1)
        let waited = scene.server.clock.now.milliseconds - refusedAt.milliseconds
        #expect(waited >= OutcomeRules.doubtfulTokenDelay)
        // Nobody has put it again meanwhile, so this refusal counts.
        let store = try await SQLiteStore.openReadOnly(path: scene.server.file)
        await TestServer.until {
            let devices = try? await store.startDevices(of: [PlayerID(scene.egghead.id)])
            return devices?.map(\.token) == [nil] && devices?.map(\.starts) == [DeviceStarts()]
        }
        await store.close()
        await scene.server.step(forSeconds: 300)
        #expect(scene.starts.count == 2)
        await scene.server.server.drain()
    }
}
