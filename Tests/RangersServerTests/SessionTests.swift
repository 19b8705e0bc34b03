import Foundation
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("E2: signing in to the console", .timeLimit(.minutes(2)), .simulated)
struct SessionTests {
    private static func key(
        _ name: String, _ role: Role, at server: TestServer
    ) async throws -> String {
        let answer = await server.admin(
            .post, "/v1/admin/keys", #"{"name":"\#(name)","role":"\#(role.rawValue)"}"#)
        return try #require(answer.body["key"].string)
    }

    private static func code(at server: TestServer, as key: String? = nil) async throws -> String {
        let answer = await server.send(
            .post, "/v1/admin/session-codes", as: key ?? TestServer.adminKey)
        return try #require(answer.body["code"].string)
    }

    private static func rows(_ server: TestServer, _ action: String) async -> [Value] {
        await server.admin(.get, "/v1/admin/audit").body["calls"].array
            .filter { $0["action"].string == action }
    }

    /// How often each status came of 200 calls at once.
    private static func statuses(
        _ call: @escaping @Sendable (Int) async -> Int
    ) async -> [Int: Int] {
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<200 { group.addTask { await call(number) } }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }

    @Test("a key signs in with its role, and the audit log names it")
    func roles() async throws {
        let server = try await TestServer()
        let lena = try await Self.key("lena", .observer, at: server)
        let owner = try await Browser(server).signedIn()
        let observer = try await Browser(server).signedIn(with: lena)
        let shown = await observer.send(.get, "/v1/admin/session").body
        #expect(shown["name"].string == "lena" && shown["role"].string == "observer")
        #expect(shown["server"]["environment"].string == "sandbox")
        #expect(shown["server"]["simulator"].bool == true)
        #expect(shown["server"]["speed"].number == 60)
        #expect(await owner.status("/v1/admin/keys") == 200)
        #expect(await observer.status("/v1/admin/keys") == 403)
        #expect(await observer.status("/v1/admin/parties") == 200)
        let created = await owner.send(
            .post, "/v1/admin/keys", #"{"name":"foxy","role":"observer"}"#)
        #expect(created.status == 201)
        let calls = await Self.rows(server, "POST /v1/admin/session")
        #expect(calls.map { $0["key"].string } == ["lena", "owner"])
        #expect(calls.map { $0["status"].number } == [204, 204])
        #expect(await Self.rows(server, "POST /v1/admin/keys").first?["key"].string == "owner")
        await server.server.drain()
    }

    @Test("the cookie is for the browser alone, and for the console's path")
    func cookie() async throws {
        for (url, name, expected) in [
            (
                "https://game.example/rangers", "__Secure-rangers=",
                "; Secure; HttpOnly; SameSite=Strict; Path=/rangers/; Max-Age=43200"
            ),
            (
                "https://game.example", "__Host-rangers=",
                "; Secure; HttpOnly; SameSite=Strict; Path=/; Max-Age=43200"
            ),
            (nil, "rangers=", "; HttpOnly; SameSite=Strict; Path=/; Max-Age=43200"),
        ] {
            let publicURL = try url.map { try #require(PublicURL($0)) }
            let server = try await TestServer(publicURL: publicURL)
            let body = #"{"key":"\#(TestServer.adminKey)"}"#
            let answer = await Browser(server).send(.post, "/v1/admin/session", body)
            let header = try #require(answer.headers["set-cookie"])
            #expect(header.hasSuffix(expected))
            let value = try #require(header.wholeMatch(of: #/([\w-]+=)([a-z2-7]{52});.*/#))
            #expect(value.1 == name)
            let browser = Browser(server, cookie: "theme=dark; \(name)\(value.2)")
            #expect(await browser.status() == 200)
            #expect(await Browser(server, cookie: "other\(name)\(value.2)").status() == 401)
            let twice = Browser(server, cookie: "\(name)\(value.2); \(name)\(value.2)")
            #expect(await twice.status() == 400)
            await server.server.drain()
        }
    }

    @Test("nobody signs in with a wrong key, with a player's token, or with both or neither")
    func refused() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        for (body, status) in [
            (#"{"key":"wrong"}"#, 401), (#"{"key":"\#(panda.token)"}"#, 401),
            (#"{"code":"wrong"}"#, 401), (#"{}"#, 400),
            (#"{"key":"\#(TestServer.adminKey)","code":"x"}"#, 400),
        ] {
            let answer = await Browser(server).send(.post, "/v1/admin/session", body)
            #expect(answer.status == status, "\(body)")
            #expect(answer.headers["set-cookie"] == nil)
        }
        #expect(await Browser(server, cookie: "rangers=wrong").status() == 401)
        await server.server.drain()
    }

    @Test("a cookie and a key together are refused")
    func both() async throws {
        let server = try await TestServer()
        let browser = try await Browser(server).signedIn()
        let answer = await browser.send(
            .get, "/v1/admin/session",
            headers: ["authorization": "Bearer \(TestServer.adminKey)"])
        #expect(answer.status == 400)
        await server.server.drain()
    }

    @Test("a player's request ignores the cookie of the page beside it")
    func players() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let browser = try await Browser(server).signedIn()
        let token = ["authorization": "Bearer \(panda.token)"]
        #expect(await browser.send(.get, "/v1/me", headers: token).status == 200)
        #expect(await browser.status("/v1/me") == 401)
        await server.server.drain()
    }

    // MARK: Codes

    @Test("a code signs in once, as the key that asked for it")
    func codes() async throws {
        let server = try await TestServer()
        let key = try await Self.key("second-owner", .owner, at: server)
        let code = try await Self.code(at: server, as: key)
        let browser = try await Browser(server).signedIn(#"{"code":"\#(code)"}"#)
        #expect(await browser.send(.get, "/v1/admin/session").body["name"].string == "second-owner")
        let again = await Browser(server).send(
            .post, "/v1/admin/session", #"{"code":"\#(code)"}"#)
        #expect(again.status == 401)
        await server.server.drain()
    }

    @Test("of 200 sign-ins with one code at once, one succeeds")
    func codeAtOnce() async throws {
        let server = try await TestServer()
        let code = try await Self.code(at: server)
        let statuses = await Self.statuses { _ in
            await Browser(server).send(.post, "/v1/admin/session", #"{"code":"\#(code)"}"#)
                .status
        }
        #expect(statuses == [204: 1, 401: 199])
        await server.server.drain()
    }

    @Test("a code ends after 10 minutes, with its key, and with the server")
    func codesEnd() async throws {
        let server = try await TestServer()
        let key = try await Self.key("second-owner", .owner, at: server)
        func use(_ code: String, at server: TestServer) async -> Int {
            await Browser(server).send(.post, "/v1/admin/session", #"{"code":"\#(code)"}"#).status
        }
        let (late, early) = (try await Self.code(at: server), try await Self.code(at: server))
        server.clock.advance(to: server.clock.now.adding(seconds: 599))
        #expect(await use(early, at: server) == 204)
        server.clock.advance(to: server.clock.now.adding(seconds: 1))
        #expect(await use(late, at: server) == 401)
        let revoked = try await Self.code(at: server, as: key)
        #expect(await server.admin(.delete, "/v1/admin/keys/second-owner").status == 204)
        #expect(await use(revoked, at: server) == 401)
        let lost = try await Self.code(at: server)
        await server.server.drain()
        let next = try await TestServer(file: server.file, clock: server.clock)
        #expect(await use(lost, at: next) == 401)
        await next.server.drain()
    }

    @Test("only an owner's key creates codes, no lower role and no session")
    func codesNeedAKey() async throws {
        let server = try await TestServer()
        let director = try await Self.key("lena", .director, at: server)
        let path = "/v1/admin/session-codes"
        #expect(await server.send(.post, path, as: director).status == 403)
        let owner = try await Browser(server).signedIn()
        #expect(await owner.send(.post, path, "{}").status == 403)
        await server.server.drain()
    }

    // MARK: The end of a session

    @Test("a session ends when its game master signs out, and no other does")
    func signedOut() async throws {
        let server = try await TestServer()
        let (first, second) = (
            try await Browser(server).signedIn(), try await Browser(server).signedIn()
        )
        let answer = await first.send(.delete, "/v1/admin/session")
        #expect(answer.status == 204)
        #expect(answer.headers["set-cookie"]?.hasPrefix("rangers=; ") == true)
        #expect(answer.headers["set-cookie"]?.hasSuffix("Max-Age=0") == true)
        #expect(await first.status() == 401)
        #expect(await second.status() == 200)
        #expect(await server.admin(.delete, "/v1/admin/session").status == 409)
        await server.server.drain()
        let next = try await TestServer(file: server.file, clock: server.clock)
        #expect(await Browser(next, cookie: first.cookie).status() == 401)
        #expect(await Browser(next, cookie: second.cookie).status() == 200)
        await next.server.drain()
    }

    @Test("a session ends 30 minutes after its last use, and after 12 hours in any case")
    func idle() async throws {
        let server = try await TestServer()
        let browser = try await Browser(server).signedIn()
        let began = server.clock.wall
        func pass(_ seconds: Int64) {
            server.clock.advance(to: server.clock.now.adding(seconds: seconds))
        }
        pass(30 * 60 - 1)
        let shown = await browser.send(.get, "/v1/admin/session").body["expiresAt"].number
        #expect(shown == Double(server.clock.wall.adding(seconds: 30 * 60).milliseconds))
        for _ in 1..<24 {
            pass(30 * 60 - 1)
            #expect(await browser.status() == 200)
        }
        let last = await browser.send(.get, "/v1/admin/session").body["expiresAt"].number
        #expect(last == Double(began.adding(seconds: 12 * 3600).milliseconds))
        pass(24)
        #expect(await browser.status() == 401)
        let idle = try await Browser(server).signedIn()
        pass(30 * 60)
        #expect(await idle.status() == 401)
        await server.server.drain()
    }

    @Test("a session ends with its key, also one that is opened at this moment")
    func keyRevoked() async throws {
        let server = try await TestServer()
        let key = try await Self.key("lena", .director, at: server)
        let owner = try await Browser(server).signedIn()
        let before = try await Browser(server).signedIn(with: key)
        let browsers = await withTaskGroup(of: Browser?.self) { group in
            for number in 0..<200 {
                group.addTask {
                    guard number == 100 else {
                        return try? await Browser(server).trying(key)
                    }
                    _ = await server.admin(.delete, "/v1/admin/keys/lena")
                    return nil
                }
            }
            return await group.reduce(into: [before]) { $0 += [$1].compactMap(\.self) }
        }
        for browser in browsers { #expect(await browser.status() == 401) }
        #expect(await owner.status() == 200)
        await server.server.drain()
        let next = try await TestServer(file: server.file, clock: server.clock)
        for browser in browsers {
            #expect(await Browser(next, cookie: browser.cookie).status() == 401)
        }
        await next.server.drain()
    }

    @Test("of 200 sign-ins at once 100 sessions go on, and a key with many ends no other's")
    func limit() async throws {
        let server = try await TestServer()
        let lena = try await Self.key("lena", .observer, at: server)
        let owner = try await Browser(server).signedIn()
        let first = try await Browser(server).signedIn(with: lena)
        server.clock.advance(to: server.clock.now.adding(seconds: 1))
        let browsers = await withTaskGroup(of: Browser?.self) { group in
            for _ in 0..<200 { group.addTask { try? await Browser(server).trying(lena) } }
            return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
        }
        #expect(browsers.count == 200)
        var counts: [Int: Int] = [:]
        for browser in browsers { counts[await browser.status(), default: 0] += 1 }
        #expect(counts == [200: Sessions.countMax - 1, 401: 101])
        #expect(await first.status() == 401)
        #expect(await owner.status() == 200)
        await server.server.drain()
    }

    // MARK: Restarts

    @Test("PR1: a session survives a crash of the server", arguments: [true, false])
    func restarted(isCrash: Bool) async throws {
        let server = try await TestServer()
        await server.untilAsleep()
        let browser = try await Browser(server).signedIn()
        if !isCrash { await server.server.drain() }
        let next = try await TestServer(file: server.file, clock: server.clock)
        #expect(await Browser(next, cookie: browser.cookie).status() == 200)
        await next.server.drain()
        if isCrash { await server.server.drain() }
    }

    @Test("use is in the file a minute later, so a crash takes at most a minute of it")
    func useSurvives() async throws {
        let server = try await TestServer()
        let browser = try await Browser(server).signedIn()
        for seconds in [20 * 60, 60] as [Int64] {
            await server.untilAsleep()
            server.clock.advance(to: server.clock.now.adding(seconds: seconds))
            await server.untilAsleep()
            #expect(await browser.status() == 200)
        }
        server.clock.advance(to: server.clock.now.adding(seconds: 60))
        await server.untilAsleep()
        server.clock.advance(to: server.clock.now.adding(seconds: 25 * 60))
        let next = try await TestServer(file: server.file, clock: server.clock)
        #expect(await Browser(next, cookie: browser.cookie).status() == 200)
        await next.server.drain()
        await server.server.drain()
    }

    @Test("PR12: after a start of the machine nobody is signed in, whatever its clock says")
    func otherBoot() async throws {
        let server = try await TestServer()
        await server.untilAsleep()
        let browser = try await Browser(server).signedIn()
        await server.server.drain()
        for seconds in [1, -86_400] as [Int64] {
            let copy = server.file + "-\(seconds)"
            try await SQLiteStore.copy(file: server.file, to: copy)
            let clock = VirtualClock(
                now: server.clock.wall.adding(seconds: seconds), bootID: "boot-2")
            let next = try await TestServer(file: copy, clock: clock)
            #expect(await Browser(next, cookie: browser.cookie).status() == 401)
            await next.server.drain()
        }
    }

    @Test("PR12: a step of the wall clock ends no session and prolongs none")
    func steps() async throws {
        let server = try await TestServer()
        let browser = try await Browser(server).signedIn()
        server.clock.stepWall(bySeconds: 86_400)
        #expect(await browser.status() == 200)
        server.clock.stepWall(bySeconds: -2 * 86_400)
        server.clock.advance(to: server.clock.now.adding(seconds: 30 * 60))
        #expect(await browser.status() == 401)
        await server.server.drain()
    }

    @Test("a sign-in that cannot be written opens nothing, and reads go on")
    func writesFail() async throws {
        let stage = try await Stage.make()
        let browser = try await Browser(stage.server).signedIn()
        stage.store.failWrites(.unavailable("disk full"))
        let body = #"{"key":"\#(TestServer.adminKey)"}"#
        let answer = await Browser(stage.server).send(.post, "/v1/admin/session", body)
        #expect(answer.status == 503 && answer.headers["set-cookie"] == nil)
        #expect(await browser.send(.delete, "/v1/admin/session").status == 503)
        stage.store.failWrites(nil)
        #expect(await browser.status() == 200)
        await stage.server.server.drain()
    }

    @Test("PR17: the file, the log and the audit have no cookie, no code and no key")
    func hashed() async throws {
        let server = try await TestServer()
        let code = try await Self.code(at: server)
        let browser = try await Browser(server).signedIn(#"{"code":"\#(code)"}"#)
        let secret = try #require(browser.cookie?.split(separator: "=").last.map(String.init))
        _ = await Browser(server).send(.post, "/v1/admin/session", #"{"code":"\#(code)"}"#)
        let audit = await server.admin(.get, "/v1/admin/audit").text
        await server.server.drain()
        let file = try Data(contentsOf: URL(fileURLWithPath: server.file))
        for secret in [secret, code, TestServer.adminKey] {
            #expect(!audit.contains(secret))
            #expect(!server.logged.withLock { $0 }.contains(secret))
            #expect(file.range(of: Data(secret.utf8)) == nil)
        }
    }
}

extension Browser {
    /// Returns the browser if the key still signs in.
    fileprivate func trying(_ key: String) async throws -> Browser? {
        let answer = await send(.post, "/v1/admin/session", #"{"key":"\#(key)"}"#)
        #expect([204, 401].contains(answer.status))
        let header = answer.headers["set-cookie"]
        return header.map { Browser(server, cookie: String($0.prefix { $0 != ";" })) }
    }
}
