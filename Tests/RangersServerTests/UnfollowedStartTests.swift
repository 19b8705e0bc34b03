import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// A7: starts that APNs accepts and no phone carries out.
@Suite("Starts that no phone carries out", .timeLimit(.minutes(2)), .simulated)
struct UnfollowedStartTests {
    /// Plays an adventure of which Egghead's app tells nothing.
    private func adventure(_ scene: StartScene) async throws {
        try await scene.start()
        try await scene.end()
        await scene.later(minutes: 61)
    }

    /// Begins an adventure that lasts, because a game master pauses it for an hour.
    private static func lasting() async throws -> StartScene {
        let scene = try await StartScene.make(speed: 1000)
        await scene.later(minutes: 1)
        try await scene.start()
        let paused = await scene.server.admin(
            .post, "/v1/admin/commands",
            #"{"command":{"name":"pause","minutes":60},"party":"\#(scene.party)"}"#)
        try #require(paused.status == 200, "\(paused.text)")
        return scene
    }

    private func stopped() async throws -> StartScene {
        let scene = try await StartScene.make()
        await scene.later(minutes: 1)
        for _ in 0..<4 { try await adventure(scene) }
        return scene
    }

    private func device(_ scene: StartScene) async -> Value {
        await scene.egghead.send(.get, "/v1/me").body["devices"][0]
    }

    @Test("A7: after three starts that nothing followed there is no fourth, and all can see why")
    func stops() async throws {
        let scene = try await stopped()
        #expect(scene.starts.count == 3)
        #expect(scene.starts("sent") == 3)
        #expect(scene.starts("stopped") == 1)
        #expect(await device(scene)["unfollowedStarts"].number == 3)
        let rule = await scene.decisions().last?["rule"].string
        #expect(rule?.contains("no activity followed the last 3 starts") == true)
        let listed = await scene.server.admin(.get, "/v1/admin/devices").body["devices"][0]
        #expect(listed["unfollowedStarts"].number == 3)
        let player = await scene.server.admin(.get, "/v1/admin/players/\(scene.egghead.id)").body
        #expect(player["devices"][0]["unfollowedStarts"].number == 3)
        await scene.server.server.drain()
    }

    @Test("A7: an app that registers its token again, even the same one, gets starts again")
    func registersAgain() async throws {
        let scene = try await stopped()
        #expect(await scene.egghead.offer("phone", token: "bb").status == 204)
        #expect(await device(scene)["unfollowedStarts"].number == 0)
        await scene.later(minutes: 1)
        try await scene.start()
        #expect(scene.starts.count == 4)
        #expect(await device(scene)["unfollowedStarts"].number == 1)
        await scene.server.server.drain()
    }

    @Test("A7: `why` says how many starts no activity has followed, and what stops them")
    func why() async throws {
        let scene = try await stopped()
        let activity = "push-to-start/\(scene.egghead.hero)/phone"
        let text = try await ActivityStory.text(
            of: activity, party: scene.party, in: .file(scene.server.file))
        #expect(text.contains("no activity has followed 3 starts by push"))
        #expect(text.contains("No further start is sent until then."))
        await scene.server.server.drain()
    }

    /// Egghead leaves the party, and joins it again while the adventure is running.
    private func rejoin(_ scene: StartScene) async throws {
        let left = await scene.egghead.send(
            .post, "/v1/parties/\(scene.party)/actions",
            #"{"hero":"\#(scene.egghead.hero)","action":"leave"}"#)
        try #require(left.status == 200)
        let code = await scene.panda.send(.post, "/v1/parties/\(scene.party)/code")
        let inviteCode = code.body["inviteCode"].string ?? ""
        try #require(await scene.egghead.join(inviteCode).status == 200)
    }

    @Test("A7: there is no second start for an adventure, until the app is in contact")
    func sameAdventure() async throws {
        let scene = try await Self.lasting()
        #expect(scene.starts.count == 1)
        await scene.later(minutes: 20)
        try await rejoin(scene)
        #expect(scene.starts.count == 1)
        #expect(scene.starts("unadopted") == 1)
        let body = #"{"device":"phone","activities":[]}"#
        #expect(await scene.egghead.send(.post, "/v1/me/reconcile", body).status == 200)
        await scene.later(minutes: 1)
        try await rejoin(scene)
        #expect(scene.starts.count == 2)
        await scene.server.server.drain()
    }

    @Test("A7: an activity that is reported after half an hour is the one that was started")
    func lateReport() async throws {
        let scene = try await Self.lasting()
        let startedAt = scene.server.clock.now
        await scene.later(minutes: 30)
        #expect(await scene.egghead.watch("egg-card", token: "e1", device: "phone").status == 204)
        #expect(scene.starts("reported") == 1)
        #expect(await device(scene)["unfollowedStarts"].number == 0)
        let card = await scene.egghead.send(.get, "/v1/activities/egg-card").body
        let ageMax = 1000 * ActivityOutbox.ageMaxSeconds
        #expect(card["endsBy"].number == Double(startedAt.milliseconds + ageMax))
        await scene.server.server.drain()
    }

    @Test("A7: a restart forgets neither the starts nor the adventure")
    func restart() async throws {
        let scene = try await stopped()
        await scene.server.server.drain()
        let clock = VirtualClock(now: scene.server.clock.now.adding(seconds: 1))
        let server = try await TestServer(file: scene.server.file, clock: clock)
        let second = scene.moved(to: server)
        try await second.start()
        #expect(server.metrics.value(.starts, labels: "result=\"stopped\"") == 1)
        #expect(await device(second)["unfollowedStarts"].number == 3)
        await server.server.drain()
    }

    @Test("every result of a start is in the metrics from the beginning, for the alert's ratio")
    func series() async throws {
        let server = try await TestServer()
        let text = await server.send(.get, "/metrics", as: TestServer.adminKey).text
        for result in ["sent", "pending", "unadopted", "stopped", "held", "reported"] {
            #expect(text.contains(#"rangers_starts_total{result="\#(result)"} 0"#))
        }
        await server.server.drain()
    }
}
