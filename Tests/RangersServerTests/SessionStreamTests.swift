import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// What open streams and other keys do to sessions.
@Suite("E2: sessions with open streams, and with other keys", .timeLimit(.minutes(2)))
struct SessionStreamTests {
    /// Opens the stream of a page that has signed in.
    private static func open(_ browser: Browser) async throws -> StreamClient {
        let client = StreamClient(to: browser.server)
        let headers = [
            "host": browser.host, "sec-fetch-site": "same-origin",
            "cookie": try #require(browser.cookie),
        ]
        let status = await client.get(
            "/v1/admin/stream?watch=pushes", as: nil, headers)
        try #require(status == 200)
        return client
    }

    private static func pass(minutes: Int64, _ server: TestServer) async {
        await server.untilAsleep()
        server.clock.advance(to: server.clock.now.adding(seconds: minutes * 60))
        await server.untilAsleep()
    }

    @Test("an open stream is use: its session outlives 30 minutes, and not 12 hours")
    func streamIsUse() async throws {
        let server = try await TestServer()
        let (open, idle) = (
            try await Browser(server).signedIn(), try await Browser(server).signedIn()
        )
        let client = try await Self.open(open)
        for _ in 0..<4 { await Self.pass(minutes: 20, server) }
        #expect(await open.status() == 200)
        #expect(await idle.status() == 401)
        for _ in 0..<35 { await Self.pass(minutes: 20, server) }
        let last = await client.messages { _ in false }.last
        #expect(last?.name == "closed" && last?.data == #"{"reason":"session"}"#)
        #expect(await open.status() == 401)
        await server.server.drain()
    }

    @Test("signing out ends the streams of the session, and no other's")
    func signedOut() async throws {
        let server = try await TestServer()
        let (first, second) = (
            try await Browser(server).signedIn(), try await Browser(server).signedIn()
        )
        let (gone, left) = (try await Self.open(first), try await Self.open(second))
        #expect(await first.send(.delete, "/v1/admin/session").status == 204)
        let last = await gone.messages { _ in false }.last
        #expect(last?.name == "closed" && last?.data == #"{"reason":"session"}"#)
        await TestServer.until { server.metrics.value(.consoleStreams) == 1 }
        #expect(await second.status() == 200)
        await server.server.drain()
        let heard = Set(await left.messages { _ in false }.map(\.name))
        #expect(!heard.contains("closed"))
    }

    @Test("another owner's key ends every session, and the same key none")
    func otherOwner() async throws {
        let server = try await TestServer()
        let made = await server.admin(
            .post, "/v1/admin/keys", #"{"name":"lena","role":"observer"}"#)
        let key = try #require(made.body["key"].string)
        let owner = try await Browser(server).signedIn()
        let lena = try await Browser(server).signedIn(with: key)
        await server.server.drain()
        for (ownerKey, status) in [
            (TestServer.adminKey, 200), ("another-long-admin-key-for-tests", 401),
        ] {
            let next = try await TestServer(
                file: server.file, clock: server.clock, ownerKey: ownerKey)
            for browser in [owner, lena] {
                #expect(await Browser(next, cookie: browser.cookie).status() == status)
            }
            await next.server.drain()
        }
    }
}
