import APNsClient
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("Provider tokens survive their server", .timeLimit(.minutes(2)))
struct ProviderTokenKeepingTests {
    private static let jwt = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJURUFNIn0.c2lnbmF0dXJl"

    private static let token = StoredProviderToken(
        keyID: "KEYNUMBER1", teamID: "TEAM123456",
        token: ProviderToken(jwt: jwt, issuedAt: 1_685_952_000),
        noOtherBefore: 1_685_953_200_000)

    @Test("PR8: the next server on the file takes over what the client has signed")
    func restart() async throws {
        let first = try await TestServer()
        #expect(first.apns.kept.isEmpty)
        await first.apns.storage?.save(Self.token)
        await first.server.drain()
        let second = try await TestServer(file: first.file)
        #expect(second.apns.kept == [Self.token])
        await second.server.drain()
    }

    @Test("PR12: a token is as old as it is, although the wall clock was stepped meanwhile")
    func stepped() async throws {
        let first = try await TestServer()
        await first.untilAsleep()
        await first.apns.storage?.save(Self.token)
        await first.server.drain()
        let clock = VirtualClock(now: first.clock.now)
        clock.stepWall(bySeconds: 172_800)
        let second = try await TestServer(file: first.file, clock: clock)
        let kept = try #require(second.apns.kept.first)
        #expect(kept.token == Self.token.token)
        #expect(kept.clockStep == 172_800_000)
        await second.server.drain()
    }

    @Test("PR17: a store that cannot keep a token is reported, without the token")
    func failure() async throws {
        let stage = try await Stage.make()
        stage.store.failWrites(.unavailable("the disk is full"))
        await stage.apns.storage?.save(Self.token)
        stage.store.failWrites(nil)
        await stage.server.server.drain()
        let log = stage.server.logged.withLock { $0 }
        #expect(log.contains("a provider token cannot be kept"))
        #expect(!log.contains(Self.jwt))
    }

    @Test(
        "T5: a token that is registered leaves the quarantine, also when it is the same as before")
    func registered() async throws {
        let stage = try await Stage.make()
        #expect(stage.apns.quarantineLifted.map(\.hex) == ["abcd"])
        #expect(await stage.panda.watch("activity-1").status == 204)
        #expect(await stage.panda.offer("tablet", token: "beef").status == 204)
        #expect(stage.apns.quarantineLifted.map(\.hex) == ["abcd", "abcd", "beef"])
        await stage.server.server.drain()
    }

    @Test("T5: a token registered after Apple found it invalid is tried again")
    func doubtful() async throws {
        let stage = try await Stage.make()
        stage.apns.answer(
            .at(
                once: .refused(
                    APNsClient.Refusal(
                        status: 410, reason: "Unregistered", timestamp: 1, action: .dropToken))))
        try await stage.start()
        await stage.apns.untilSent(1)
        await stage.server.step()
        #expect(stage.apns.quarantineLifted.count == 2)
        await stage.server.server.drain()
    }

    @Test("PR8: a push that was held back is sent when the client allows it")
    func heldBack() async throws {
        let stage = try await Stage.make()
        stage.apns.answer(
            .at(once: .heldBack("the host is in trouble", retryAfterMilliseconds: 7_000)))
        let start = stage.server.clock.now
        try await stage.start()
        await stage.apns.untilSent(1)
        stage.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        #expect(await stage.server.step(until: { stage.apns.pushes.count > 1 }))
        #expect(stage.server.clock.now >= start.adding(milliseconds: 7_000))
        #expect(
            stage.server.metrics.value(
                .pushes, labels: "priority=\"10\",status=\"\",reason=\"held back\"") == 1)
        await stage.server.server.drain()
    }
}
