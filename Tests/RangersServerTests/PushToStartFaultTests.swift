import APNsClient
import GameLogic
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// A start that is lost is a card less; one that comes twice is a second card. So what is not
/// known is not repeated, and what is known is.
@Suite("Starts and faults", .timeLimit(.minutes(2)), .simulated)
struct PushToStartFaultTests {
    /// A party of one whose phone can be started, and has no card.
    private func makeStage(
        file: String = TestServer.freshFile(), apns: FakeAPNs = FakeAPNs()
    ) async throws -> Stage {
        let stage = try await Stage.make(file: file, apns: apns)
        _ = await stage.panda.send(.delete, "/v1/activities/activity-1")
        try #require(await stage.panda.offer("phone", token: "bb").status == 204)
        return stage
    }

    private func starts(_ stage: Stage) -> [FakeAPNs.Push] {
        stage.apns.pushes.filter { $0.aps["event"].string == "start" }
    }

    private func passMinutes(_ minutes: Int64, at stage: Stage) async {
        await stage.server.step(forSeconds: minutes * 60)
    }

    @Test("A7: a start with an unknown outcome is not repeated: it could show a second activity")
    func unknown() async throws {
        let stage = try await makeStage()
        stage.apns.answer(.at(once: .unknown("the connection was lost")))
        try await stage.start()
        await passMinutes(5, at: stage)
        #expect(starts(stage).count == 1)
        await stage.server.server.drain()
    }

    @Test("a start that was not sent is repeated with the same apns-id")
    func notSent() async throws {
        let stage = try await makeStage()
        stage.apns.answer(.at(once: .notSent("no connection")))
        try await stage.start()
        #expect(await stage.server.step(until: { starts(stage).count == 3 }))
        stage.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        #expect(await stage.server.step(until: { starts(stage).count == 4 }))
        await passMinutes(2, at: stage)
        #expect(starts(stage).count == 4)
        #expect(Set(starts(stage).map(\.request.id)).count == 1)
        let timestamps = starts(stage).compactMap { $0.aps["timestamp"].number }
        #expect(timestamps == timestamps.sorted())
        await stage.server.server.drain()
    }

    /// A party whose start was not sent, and which then pauses: nothing but the retry happens to it.
    private func stageWithRetry() async throws -> Stage {
        let stage = try await makeStage()
        stage.apns.answer(.at(once: .notSent("no connection")))
        try await stage.start()
        await stage.apns.untilSent(1)
        let paused = await stage.server.admin(
            .post, "/v1/admin/commands",
            #"{"command":{"name":"pause","minutes":60},"party":"\#(stage.party)"}"#)
        try #require(paused.status == 200, "\(paused.text)")
        return stage
    }

    @Test("a retry whose device cannot be read waits")
    func unread() async throws {
        let stage = try await stageWithRetry()
        stage.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        stage.store.failReads(.unavailable("away"))
        let complaint = "cannot read devices for push-to-start"
        #expect(
            await stage.server.step {
                stage.server.logged.withLock { $0.ranges(of: complaint).count } == 3
            })
        #expect(starts(stage).count == 1)
        stage.store.failReads(nil)
        #expect(await stage.server.step { starts(stage).count == 2 })
        await stage.server.server.drain()
    }

    @Test("a retry that finds nothing to start any more is the last one")
    func notSentNoMore() async throws {
        let stage = try await stageWithRetry()
        // The app has started the card by itself.
        stage.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        try #require(await stage.panda.watch("activity-2", device: "phone").status == 204)
        let reads = Locked(0)
        stage.store.beforeReading { party in
            if party == nil { reads.withLock { $0 += 1 } }
        }
        await passMinutes(2, at: stage)
        #expect(reads.withLock { $0 } == 1)
        #expect(starts(stage).count == 1)
        await stage.server.server.drain()
    }

    @Test("PR8: after a 503 the start would be too late: it is dropped, and does not count")
    func appleFailed() async throws {
        let stage = try await makeStage()
        let refusal = APNsClient.Refusal(
            status: 503, reason: "ServiceUnavailable", timestamp: nil, action: .backOffHost)
        stage.apns.answer(.at(once: .refused(refusal)))
        try await stage.start()
        await passMinutes(20, at: stage)
        #expect(starts(stage).count == 1)
        let devices = try await stage.store.startDevices(of: [.init(stage.panda.id)])
        #expect(devices.map(\.starts) == [DeviceStarts()])
        await stage.server.server.drain()
    }

    @Test("PR1: a start is sent only once its change is durable")
    func notBeforeCommit() async throws {
        let stage = try await makeStage()
        stage.store.failWrites(.unavailable("the disk is full"))
        let answer = await stage.panda.send(.post, "/v1/parties/\(stage.party)/adventure")
        #expect(answer.status == 503)
        #expect(starts(stage).isEmpty)
        stage.store.failWrites(nil)
        try await stage.start()
        await stage.apns.untilSent(1)
        #expect(starts(stage).count == 1)
        await stage.server.server.drain()
    }

    @Test("A7: a restart remembers what is pending", arguments: RestartTests.Stop.allCases)
    func restart(stop: RestartTests.Stop) async throws {
        let first = try await makeStage()
        if stop == .crashed { first.apns.answer(.later) }
        try await first.start()
        await first.apns.untilSent(1)
        if stop == .drained { await first.server.server.drain() }
        let clock = VirtualClock(now: first.server.clock.now.adding(seconds: 1))
        let apns = FakeAPNs()
        let server = try await TestServer(file: first.server.file, clock: clock, apns: apns)
        let second = first.moved(to: server)
        await server.end(second.party)
        try await second.start()
        for _ in 0..<10 { await server.step() }
        #expect(apns.pushes.isEmpty)
        #expect(server.metrics.value(.starts, labels: "result=\"pending\"") == 1)
        await server.server.drain()
        if stop == .crashed { await first.server.server.drain() }
    }

    @Test("two adventures that begin at once start one activity on the phone of a player in both")
    func twoParties() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let hero = await panda.send(
            .post, "/v1/heroes", #"{"name":"Twin","avatar":"🐼","heroType":"x"}"#)
        let twin = try #require(hero.body["id"].string)
        let first = try await panda.found().id
        let founded = await panda.send(.post, "/v1/parties", #"{"hero":"\#(twin)"}"#)
        let second = try #require(founded.body["id"].string)
        _ = await panda.offer("phone", token: "bb")
        async let one = panda.send(.post, "/v1/parties/\(first)/adventure")
        async let other = panda.send(.post, "/v1/parties/\(second)/adventure")
        #expect(await [one.status, other.status] == [201, 201])
        #expect(server.apns.pushes.count == 1)
        #expect(server.metrics.value(.starts, labels: "result=\"pending\"") == 1)
        await server.server.drain()
    }

    @Test("PR10: a damaged device's row stops no adventure")
    func corruptRow() async throws {
        let file = TestServer.freshFile()
        let first = try await makeStage(file: file)
        _ = await first.panda.offer("phone", token: "bb", osVersion: "18.7")
        await first.server.server.drain()
        // No activity has this version, only the device.
        #expect(try FileBytes.replace("18.7", with: "19.7", in: file) > 0)
        let server = try await TestServer(file: file)
        let second = first.moved(to: server)
        try await second.start()
        #expect(server.apns.pushes.isEmpty)
        #expect(server.logged.withLock { $0 }.contains("start_devices"))
        await server.server.drain()
    }
}
