import APNsClient
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("Provider tokens survive their server", .timeLimit(.minutes(2)), .simulated)
struct ProviderTokenKeepingTests {
    private static let jwt = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJURUFNIn0.c2lnbmF0dXJl"

    /// A token that was signed a minute ago.
    private static func token(at clock: VirtualClock) -> StoredProviderToken {
        StoredProviderToken(
            keyID: "KEYNUMBER1", teamID: "TEAM123456",
            token: ProviderToken(jwt: jwt, issuedAt: 1_685_952_000),
            signedAt: clock.now.milliseconds - 60_000,
            noOtherBefore: clock.now.milliseconds + 1_200_000)
    }

    @Test("PR8: the next server on the file takes over what the client has signed")
    func restart() async throws {
        let first = try await TestServer()
        #expect(first.apns.kept.isEmpty)
        let token = Self.token(at: first.clock)
        await first.apns.storage?.save(token)
        await first.server.drain()
        let second = try await TestServer(file: first.file)
        #expect(second.apns.kept == [token])
        await second.server.drain()
    }

    /// Steps in seconds: before the token is saved, between that and the end, while the server is
    /// down.
    @Test(
        "PR12: a token is as old as it is, whenever the wall clock is stepped",
        arguments: [
            (0, 0, 0), (0, 0, 172_800), (0, 172_800, -172_800), (172_800, -172_800, 0),
            (-3600, 3600, 172_800),
        ])
    func stepped(before: Int64, then: Int64, down: Int64) async throws {
        let clock = VirtualClock()
        let first = try await TestServer(clock: clock)
        await first.untilAsleep()
        clock.stepWall(bySeconds: before)
        let token = Self.token(at: clock)
        await first.apns.storage?.save(token)
        clock.stepWall(bySeconds: then)
        await first.server.drain()
        clock.stepWall(bySeconds: down)
        clock.advance(to: clock.now.adding(seconds: 10))
        let second = try await TestServer(file: first.file, clock: clock)
        #expect(second.apns.kept == [token])
        let storage = try #require(second.apns.storage)
        #expect(storage.now - token.signedAt == 70_000)
        await second.server.drain()
    }

    @Test("PR17: a store that cannot keep a token is reported, without the token")
    func failure() async throws {
        let stage = try await Stage.make()
        stage.store.failWrites(.unavailable("the disk is full"))
        await stage.apns.storage?.save(Self.token(at: stage.server.clock))
        stage.store.failWrites(nil)
        await stage.server.server.drain()
        let log = stage.server.logged.withLock { $0 }
        #expect(log.contains("a provider token cannot be stored"))
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
