import Foundation
import HTTPServer
import Isolation
import OptionParsing
import PartyStore
import Playtest
import Testing

@testable import RangersServer

@Suite("E3: keys and roles of game masters", .timeLimit(.minutes(2)))
struct MasterKeyTests {
    private static func create(
        _ name: String, _ role: Role, at server: TestServer
    ) async throws -> String {
        let answer = await server.admin(
            .post, "/v1/admin/keys", #"{"name":"\#(name)","role":"\#(role.rawValue)"}"#)
        try #require(answer.status == 201)
        return try #require(answer.body["key"].string)
    }

    private static func names(_ server: TestServer) async -> [String] {
        await server.admin(.get, "/v1/admin/keys").body["keys"].array
            .compactMap { $0["name"].string }
    }

    @Test("each route of the admin API takes its role and higher ones, and refuses lower ones")
    func roles() async throws {
        let server = try await TestServer()
        var checked = 0
        for role in Role.allCases {
            let key = try await Self.create("key-\(role.rawValue)", role, at: server)
            for route in Routes.all {
                guard case .admin(let least) = route.access else { continue }
                let path = GarbageTests.fill(route.template, with: "x")
                let answer = await server.send(route.method, path, as: key)
                let shown = "\(role) \(route.template): \(answer.text)"
                #expect(answer.status != 401, "\(shown)")
                #expect((answer.status == 403) == (role < least), "\(shown)")
                checked += 1
                guard role < least else { continue }
                #expect(
                    answer.body["detail"].string
                        == "This needs a key with the role \(least.rawValue) or a higher one; "
                        + "the key \"key-\(role.rawValue)\" has the role \(role.rawValue).")
            }
        }
        #expect(checked >= 10 * Role.allCases.count)
        await server.server.drain()
    }

    @Test("an observer's refused command changes nothing")
    func observer() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        let path = "/v1/admin/parties/\(stage.party)/boss"
        let observer = try await Self.create("o", .observer, at: stage.server)
        let master = try await Self.create("g", .gameMaster, at: stage.server)
        #expect(await stage.server.send(.post, path, as: observer).status == 403)
        let kinds = await stage.events().map { $0["kind"].string }
        #expect(!kinds.contains("bossAppeared"))
        #expect(await stage.server.send(.post, path, as: master).status == 200)
        await stage.server.server.drain()
    }

    @Test("a revoked key ends at once, and keys survive a restart")
    func revoked() async throws {
        let server = try await TestServer()
        let first = try await Self.create("first", .director, at: server)
        let second = try await Self.create("second", .observer, at: server)
        await server.server.drain()
        let next = try await TestServer(file: server.file, clock: server.clock)
        #expect(await Self.names(next) == ["first", "second"])
        #expect(await next.send(.get, "/v1/admin/audit", as: first).status == 200)
        #expect(await next.send(.get, "/v1/admin/audit", as: second).status == 403)
        #expect(await next.admin(.delete, "/v1/admin/keys/first").status == 204)
        #expect(await next.admin(.delete, "/v1/admin/keys/first").status == 404)
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask { await next.send(.get, "/v1/admin/parties", as: first).status }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [401: 200])
        #expect(await next.send(.get, "/v1/admin/parties", as: second).status == 200)
        await next.server.drain()
    }

    @Test("of 200 keys created at once 64 exist, and of 200 with one name one does")
    func atOnce() async throws {
        let server = try await TestServer()
        func create(_ name: @escaping @Sendable (Int) -> String) async -> [Int: Int] {
            await withTaskGroup(of: Int.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        await server.admin(
                            .post, "/v1/admin/keys",
                            #"{"name":"\#(name(number))","role":"observer"}"#
                        ).status
                    }
                }
                return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
        }
        #expect(await create { _ in "same" } == [201: 1, 409: 199])
        #expect(await create { "key-\($0)" } == [201: 63, 409: 137])
        #expect(await Self.names(server).count == ManageKeys.keysMax)
        await server.server.drain()
    }

    @Test(
        "a key needs a name and a role",
        arguments: [
            #"{"name":"a b","role":"observer"}"#, #"{"name":"","role":"observer"}"#,
            #"{"name":"owner","role":"observer"}"#, #"{"name":"a","role":"king"}"#,
            #"{"name":"a"}"#, #"{"name":"\#(String(repeating: "a", count: 41))","role":"owner"}"#,
        ])
    func invalid(body: String) async throws {
        let server = try await TestServer()
        #expect(await server.admin(.post, "/v1/admin/keys", body).status == 400)
        #expect(await Self.names(server).isEmpty)
        await server.server.drain()
    }

    @Test("PR17: the file, the log and the audit contain no key")
    func hashed() async throws {
        let server = try await TestServer()
        let key = try await Self.create("secret", .owner, at: server)
        #expect(await server.send(.delete, "/v1/admin/keys/\(key)", as: key).status == 404)
        let audit = await server.send(.get, "/v1/admin/audit", as: key)
        #expect(audit.status == 200 && !audit.text.contains(key))
        await server.server.drain()
        #expect(!server.logged.withLock { $0 }.contains(key))
        let file = try Data(contentsOf: URL(fileURLWithPath: server.file))
        #expect(file.range(of: Data(key.utf8)) == nil)
        #expect(file.range(of: Data("secret".utf8)) != nil)
    }

    @Test("`rangers masters` creates, lists and revokes keys over HTTP")
    func command() async throws {
        let server = try await TestServer()
        let port = server.server.port
        let said = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let keys = MasterKeys(
                    AdminClient(host: "127.0.0.1", port: port, key: TestServer.adminKey))
                var said: [String] = []
                func note(_ body: () throws(AdminClient.Failure) -> String) {
                    do throws(AdminClient.Failure) {
                        said.append(try body())
                    } catch {
                        said.append("refused: \(error)")
                    }
                }
                note { () throws(AdminClient.Failure) in try keys.create("lena", role: "king") }
                note { () throws(AdminClient.Failure) in try keys.create("lena", role: "director") }
                note { () throws(AdminClient.Failure) in try keys.list() }
                note { () throws(AdminClient.Failure) in
                    try keys.revoke("lena")
                    return "revoked"
                }
                note { () throws(AdminClient.Failure) in try keys.list() }
                note { () throws(AdminClient.Failure) in
                    try keys.revoke("../parties")
                    return "revoked"
                }
                continuation.resume(returning: said)
            }
        }
        try #require(said.count == 6)
        #expect(said[0].hasPrefix("refused: The field \"role\" must be one of observer"))
        #expect(said[1].count == 52)
        #expect(said[2].hasPrefix("lena: director, created 2"))
        #expect(said[2].hasSuffix(" by owner"))
        #expect(said[3...] == ["revoked", "", "refused: There is no key ../parties."])
        await server.server.drain()
    }
}
