import APNsClient
import HTTPServer
import Playtest
import PushPolicy
import RangersServer
import Testing

/// A9, by the front door: a story that is longer than a card may live.
@Suite("Long adventures roll over to a new activity", .timeLimit(.minutes(2)), .simulated)
struct RollOverTests {
    /// A party at half speed whose adventure begins five minutes before Panda's card is to be
    /// followed by another.
    private static func scene() async throws -> StartScene {
        let scene = try await StartScene.make(speed: 500)
        _ = await scene.panda.offer("panda-phone", token: "cc")
        _ = await scene.panda.watch("panda-card", token: "aa", device: "panda-phone")
        await scene.later(minutes: ActivityOutbox.rollOverAgeSeconds / 60 - 5)
        try await scene.start()
        return scene
    }

    private static func isStart(_ push: FakeAPNs.Push) -> Bool {
        push.aps["event"].string == "start" && push.request.token.hex == "cc"
    }

    @Test("A9: a new activity starts by push, without a sound, and replaces the old one")
    func handsOver() async throws {
        let scene = try await Self.scene()
        let apns = scene.server.apns
        #expect(!apns.pushes.contains(where: Self.isStart))
        #expect(await scene.server.step { apns.pushes.contains(where: Self.isStart) })
        let start = try #require(apns.pushes.first(where: Self.isStart))
        #expect(start.aps["alert"]["title"]["loc-key"].string == "%@'s adventure goes on!")
        #expect(start.aps["alert"]["sound"].isNull)
        #expect(start.aps["attributes"]["hero"]["name"].string == "Power Panda")
        let old = scene.pushes(to: "aa")
        #expect(old.last?.aps["event"].string == "update")

        // The old card goes on until the new one can be pushed to.
        var answer = await scene.panda.watch("new-card", token: nil, device: "panda-phone")
        #expect(answer.status == 204)
        #expect(await scene.server.step { scene.pushes(to: "aa").count > old.count })
        #expect(scene.pushes(to: "aa").last?.aps["event"].string == "update")
        answer = await scene.panda.watch("new-card", token: "ab", device: "panda-phone")
        #expect(answer.status == 204)
        #expect(await scene.server.step { scene.pushes(to: "ab").count > 3 })
        let end = try #require(scene.pushes(to: "aa").last)
        #expect(end.aps["event"].string == "end")
        let dismissal = try #require(end.aps["dismissal-date"].number)
        #expect(try #require(end.aps["timestamp"].number) >= dismissal)

        // It happens once, and the new card lives on to the story's end.
        #expect(
            await scene.server.step {
                scene.pushes(to: "ab").last?.aps["event"].string == "end"
            })
        #expect(apns.pushes.count(where: Self.isStart) == 1)
        #expect(scene.pushes(to: "aa").last?.request.id == end.request.id)
        let rules = await scene.decisions().compactMap { $0["rule"].string }
        #expect(rules.count(where: { $0.contains("(A9)") }) == 1)
        await scene.server.server.drain()
    }

    @Test("A9: two heroes of one player are followed one after the other: one start at a time")
    func twoHeroes() async throws {
        let scene = try await StartScene.make(speed: 500)
        let other = try await scene.panda.anotherHero("Spouty")
        let code = await scene.panda.send(.get, "/v1/parties/\(scene.party)").body["inviteCode"]
        #expect(await other.join(code.string ?? "").status == 200)
        _ = await scene.panda.offer("panda-phone", token: "cc")
        _ = await scene.panda.watch("panda-card", token: "aa", device: "panda-phone")
        _ = await other.watch("spouty-card", token: "dd", device: "panda-phone")
        await scene.later(minutes: ActivityOutbox.rollOverAgeSeconds / 60 - 5)
        try await scene.start()
        let apns = scene.server.apns
        #expect(await scene.server.step { apns.pushes.contains(where: Self.isStart) })
        for _ in 0..<20 { await scene.server.step() }
        let starts = apns.pushes.filter(Self.isStart)
        #expect(starts.count == 1)
        let name = starts.first?.aps["attributes"]["hero"]["name"].string
        let first = name == other.name ? other : scene.panda
        _ = await first.watch("new-card", token: "ab", device: "panda-phone")
        let names = apns.pushes.filter(Self.isStart).map {
            $0.aps["attributes"]["hero"]["name"].string
        }
        #expect(Set(names) == ["Power Panda", "Spouty"])
        #expect(names.count == 2)
        await scene.server.server.drain()
    }

    @Test("A9: a start that was not sent is repeated with the same content and apns-id")
    func notSent() async throws {
        let scene = try await Self.scene()
        let apns = scene.server.apns
        apns.answer(
            .by { request in
                request.token.hex == "cc" ? .notSent("no way") : .accepted(apnsUniqueID: nil)
            })
        #expect(await scene.server.step { apns.pushes.count(where: Self.isStart) == 3 })
        apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        #expect(await scene.server.step { apns.pushes.count(where: Self.isStart) == 4 })
        for _ in 0..<1_000 { await scene.server.step() }
        let starts = apns.pushes.filter(Self.isStart)
        #expect(starts.count == 4)
        #expect(Set(starts.map(\.request.id)).count == 1)
        let titles = starts.map { $0.aps["alert"]["title"]["loc-key"].string }
        #expect(Set(titles) == ["%@'s adventure goes on!"])
        await scene.server.server.drain()
    }

    @Test(
        "A9: a restart starts no second activity, and the first one still follows the old one",
        arguments: RestartTests.Stop.allCases)
    func restart(stop: RestartTests.Stop) async throws {
        let first = try await Self.scene()
        #expect(await first.server.step { first.server.apns.pushes.contains(where: Self.isStart) })
        if stop == .drained { await first.server.server.drain() }
        let second = first.moved(
            to: try await TestServer(
                file: first.server.file,
                clock: VirtualClock(now: first.server.clock.now.adding(seconds: 1)), speed: 500))
        for _ in 0..<100 { await second.server.step() }
        #expect(!second.server.apns.pushes.contains(where: Self.isStart))
        #expect(second.pushes(to: "aa").allSatisfy { $0.aps["event"].string == "update" })
        _ = await second.panda.watch("new-card", token: "ab", device: "panda-phone")
        #expect(
            await second.server.step {
                second.pushes(to: "aa").last?.aps["event"].string == "end"
            })
        await second.server.server.drain()
        if stop == .crashed { await first.server.server.drain() }
    }

    @Test("N1: if no app registers a new activity, the old one ends before the system ends it")
    func alone() async throws {
        let scene = try await Self.scene()
        #expect(
            await scene.server.step {
                scene.pushes(to: "aa").last?.aps["event"].string == "end"
            })
        let end = try #require(scene.pushes(to: "aa").last)
        let sent = try #require(end.aps["timestamp"].number)
        #expect(
            end.aps["dismissal-date"].number == sent + Double(ActivityOutbox.dismissalSeconds))
        let start = try #require(scene.server.apns.pushes.first(where: Self.isStart))
        #expect(try #require(start.aps["timestamp"].number) < sent)
        await scene.server.server.drain()
    }

    @Test("L11: a dismissed activity is not followed by a new one")
    func dismissed() async throws {
        let scene = try await Self.scene()
        _ = await scene.panda.send(
            .post, "/v1/activities/panda-card/state", #"{"state":"dismissed"}"#)
        // The story goes on for ten minutes, far beyond the time of a new card.
        let end = scene.server.clock.now.adding(seconds: PendingStart.worthSeconds)
        #expect(await scene.server.step { scene.server.clock.now >= end })
        #expect(!scene.server.apns.pushes.contains(where: Self.isStart))
        await scene.server.server.drain()
    }
}
