import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("E2: other sites and the console", .timeLimit(.minutes(1)), .simulated)
struct BrowserCheckTests {
    /// What a browser sends with a request, and whether it counts; empty: it does not send it.
    struct Row: Sendable, CustomTestStringConvertible {
        let host: String
        let headers: [String: String]
        /// For a request with the cookie that changes something.
        let change: Int
        /// For signing in.
        let signIn: Int

        init(
            _ host: String = "game.example", site: String = "", origin: String = "",
            type: String = "application/json", change: Int, signIn: Int
        ) {
            self.host = host
            headers = [
                "host": host, "sec-fetch-site": site, "origin": origin, "content-type": type,
            ]
            self.change = change
            self.signIn = signIn
        }

        var testDescription: String { "\(headers)" }
    }

    static let rows = [
        Row(site: "same-origin", change: 204, signIn: 204),
        Row(site: "same-origin", origin: "https://evil.example", change: 204, signIn: 204),
        Row(site: "same-site", change: 403, signIn: 403),
        Row(site: "cross-site", origin: "https://game.example", change: 403, signIn: 403),
        Row(site: "none", change: 403, signIn: 403),
        Row(origin: "https://game.example", change: 204, signIn: 204),
        Row(origin: "http://game.example", change: 403, signIn: 403),
        Row(origin: "https://evil.example", change: 403, signIn: 403),
        Row(origin: "null", change: 403, signIn: 403),
        // Not a browser: it has no page that another site could use.
        Row(change: 403, signIn: 204),
        Row(
            site: "same-origin", type: "application/json; charset=utf-8", change: 204,
            signIn: 204),
        Row(site: "same-origin", type: "text/plain", change: 400, signIn: 400),
        Row(site: "same-origin", type: "", change: 400, signIn: 400),
        Row(
            site: "same-origin", type: "application/x-www-form-urlencoded", change: 400,
            signIn: 400),
        Row("GAME.example:443", site: "same-origin", change: 204, signIn: 204),
        Row("game.example:8443", site: "same-origin", change: 403, signIn: 403),
        Row("game.example.evil.example", site: "same-origin", change: 403, signIn: 403),
        Row("", site: "same-origin", change: 403, signIn: 403),
        Row("127.0.0.1:8080", site: "same-origin", change: 204, signIn: 204),
        Row("localhost", site: "same-origin", change: 204, signIn: 204),
        Row("[::1]:8080", site: "same-origin", change: 204, signIn: 204),
        Row("[::1].evil.example", site: "same-origin", change: 403, signIn: 403),
        Row("localhost.evil.example", site: "same-origin", change: 403, signIn: 403),
        Row("127.0.0.1:x", site: "same-origin", change: 403, signIn: 403),
        Row("192.0.2.1", site: "same-origin", change: 403, signIn: 403),
        Row("127.0.0.1:8080", origin: "http://127.0.0.1:8080", change: 204, signIn: 204),
        Row("127.0.0.1:8080", origin: "http://127.0.0.1:9090", change: 403, signIn: 403),
        Row("127.0.0.1:8080", origin: "https://127.0.0.1:8080", change: 403, signIn: 403),
    ]

    @Test("what changes something needs JSON from the console's own page, under our name")
    func table() async throws {
        let url = try #require(PublicURL("https://game.example/"))
        let server = try await TestServer(publicURL: url)
        var tried = 0
        for row in Self.rows {
            let browser = try await Browser(server).signedIn()
            let signIn = await Browser(server).send(
                .post, "/v1/admin/session", #"{"key":"\#(TestServer.adminKey)"}"#,
                headers: row.headers)
            #expect(signIn.status == row.signIn, "\(row.headers)")
            let change = await browser.send(
                .delete, "/v1/admin/session", headers: row.headers)
            #expect(change.status == row.change, "\(row.headers)")
            // What is refused changes nothing, and a GET needs only our name.
            let isOurs = row.change != 403 || row.host == "game.example"
            if row.change != 204 { #expect(await browser.status() == 200) }
            let read = try await Browser(server).signedIn().send(
                .get, "/v1/admin/session", headers: row.headers)
            if isOurs { #expect(read.status == 200, "\(row.headers)") }
            tried += 1
        }
        #expect(tried == 28)
        await server.server.drain()
    }

    @Test("a GET with the cookie under a foreign name is refused, and a key is not")
    func rebinding() async throws {
        let server = try await TestServer()
        let browser = try await Browser(server).signedIn()
        let foreign = ["host": "evil.example:8080"]
        #expect(await browser.send(.get, "/v1/admin/session", headers: foreign).status == 403)
        let answer = await Browser(server).send(
            .get, "/v1/admin/session",
            headers: ["host": "game.example", "authorization": "Bearer \(TestServer.adminKey)"])
        #expect(answer.status == 200)
        #expect(answer.body["expiresAt"].isNull)
        await server.server.drain()
    }

    @Test("no response has CORS headers")
    func noCORS() async throws {
        let server = try await TestServer()
        let browser = try await Browser(server).signedIn()
        let answer = await browser.send(
            .get, "/v1/admin/session", headers: ["origin": "https://evil.example"])
        #expect(answer.status == 200)
        #expect(!answer.headers.keys.contains { $0.hasPrefix("access-control") })
        await server.server.drain()
    }

    @Test("ten wrong keys a minute sign in from an address, then one in ten seconds")
    func guesses() async throws {
        var rates = TestServer.patientRates
        rates[.adminGuesses] = RateSettings()[.adminGuesses]
        let server = try await TestServer(rates: rates)
        let statuses = await FairLimitTests.storm { number in
            await Browser(server).send(
                .post, "/v1/admin/session", #"{"key":"guess-\#(number)"}"#)
        }.statuses
        #expect(statuses == [401: 10, 429: 190])
        let answer = await Browser(server).send(
            .post, "/v1/admin/session", #"{"key":"\#(TestServer.adminKey)"}"#)
        #expect(answer.status == 429 && answer.headers["retry-after"] == "10")
        var other = Browser(server)
        other.address = try #require(ClientAddress("192.0.2.7"))
        let signedIn = try await other.signedIn()
        // Each wrong one has a row, and a flood of them ten.
        let rows = await server.send(
            .get, "/v1/admin/audit", as: TestServer.adminKey, from: "192.0.2.8"
        ).body["calls"].array.filter { $0["action"].string == "POST /v1/admin/session" }
        #expect(rows.count(where: { $0["key"].isNull }) == 10)
        #expect(await signedIn.status() == 200)
        server.clock.advance(to: server.clock.now.adding(seconds: 10))
        _ = try await Browser(server).signedIn()
        await server.server.drain()
    }

    @Test(
        "the public URL is https, or http on this machine",
        arguments: [
            ("https://game.example", "https://game.example", "/"),
            ("https://Game.example:443/rangers", "https://game.example", "/rangers/"),
            ("HTTPS://game.example:8443/a/b/", "https://game.example:8443", "/a/b/"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", "/"),
            ("http://localhost:80/x", "http://localhost", "/x/"),
        ])
    func publicURLs(text: String, origin: String, path: String) throws {
        let url = try #require(PublicURL(text))
        #expect(url.origin == origin && url.path == path)
    }

    @Test(
        "other texts are no public URL",
        arguments: [
            "", "game.example", "http://game.example", "https://", "https:///x", "ftp://localhost",
            "https://game.example/?x", "https://game.example/#x", "https://me@game.example",
            "https://game.example/a;Domain=x", "https://game.example/a b", "https://gäme.example",
        ])
    func noPublicURLs(text: String) {
        #expect(PublicURL(text) == nil)
    }
}
