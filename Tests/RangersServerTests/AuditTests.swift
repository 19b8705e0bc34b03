import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("E3: the audit log", .timeLimit(.minutes(2)), .simulated)
struct AuditTests {
    /// The newest calls, without that of reading them.
    private static func calls(_ server: TestServer, _ count: Int) async -> [Value] {
        await server.admin(.get, "/v1/admin/audit?limit=\(count)").body["calls"].array
    }

    @Test("a command's row has who, what, on what, before, after, outcome and time")
    func command() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        let path = "/v1/admin/parties/\(stage.party)/boss"
        #expect(await stage.server.admin(.post, path).status == 200)
        #expect(await stage.server.admin(.post, path).status == 409)
        let rows = await Self.calls(stage.server, 2)
        try #require(rows.count == 2)
        #expect(rows.map { $0["status"].number } == [409, 200])
        #expect(rows[1]["key"].string == "owner")
        #expect(rows[1]["role"].string == "owner")
        #expect(rows[1]["action"].string == "POST /v1/admin/parties/{party}/boss")
        #expect(rows[1]["target"].string == stage.party)
        #expect(rows[1]["before"]["phase"].string == "quest")
        #expect(rows[1]["after"]["phase"].string == "boss")
        #expect(rows[1]["after"]["health"][stage.panda.hero].number == 1)
        #expect(rows[1]["at"].number == Double(stage.server.clock.now.milliseconds))
        await stage.server.server.drain()
    }

    @Test("a command's reason is kept without anything that cannot be shown")
    func reason() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        func storm(_ reason: String) async -> TestServer.Answer {
            await stage.server.admin(
                .post, "/v1/admin/commands",
                #"{"command":{"name":"storm"},"party":"\#(stage.party)","reason":"\#(reason)"}"#)
        }
        for reason in [#"a\u0007b"#, #"a\nb"#, #"\u001b[2J"#, #"a\u202eb"#, #"a\u200bb"#] {
            let answer = await storm(reason)
            #expect(
                answer.body["detail"].string
                    == "The field \"reason\" has characters that cannot be shown.")
        }
        #expect(await storm("   ").status == 400)
        #expect(await storm(" for  fun 🐼 ").status == 200)
        let rows = await Self.calls(stage.server, 1)
        #expect(rows.first?["reason"].string == "for fun 🐼")
        await stage.server.server.drain()
    }

    @Test("every call has one row, for each route and each caller, even when it is refused")
    func everyCall() async throws {
        let server = try await TestServer()
        let observer = await server.admin(
            .post, "/v1/admin/keys", #"{"name":"o","role":"observer"}"#
        ).body["key"].string
        var actions: [String] = []
        for route in Routes.all where route.access.isAdmin {
            let path = GarbageTests.fill(route.template, with: "x")
            for token in [TestServer.adminKey, observer, "unknown"] {
                _ = await server.send(route.method, path, as: token)
                if token == "unknown", actions.count(where: { $0.hasPrefix("nobody") }) >= 10 {
                    continue
                }
                let who = [TestServer.adminKey: "owner", "unknown": "nobody"][token ?? ""] ?? "o"
                actions.append("\(who) \(route.method.rawValue) \(route.template)")
            }
        }
        #expect(actions.count > 20)
        let rows = await Self.calls(server, actions.count)
        #expect(
            rows.map { "\($0["key"].string ?? "nobody") \($0["action"].string ?? "")" }
                == actions.reversed())
        await server.server.drain()
    }

    @Test("of equal reads in a minute the first has a row, and another one counts the rest")
    func repeatedReads() async throws {
        let stage = try await Stage.make()
        let path = "/v1/admin/parties/\(stage.party)"
        let server = stage.server
        for _ in 0..<200 { #expect(await server.admin(.get, path).status == 200) }
        // Another target, and refused reads, have rows of their own.
        #expect(await server.admin(.get, "/v1/admin/parties").status == 200)
        for _ in 0..<2 { #expect(await server.admin(.get, "/v1/admin/parties/x").status == 404) }
        server.clock.advance(to: server.clock.now.adding(seconds: 60))
        #expect(await server.admin(.get, path).status == 200)
        let rows = await Self.calls(server, 10)
        let reads = rows.filter { $0["action"].string == "GET /v1/admin/parties/{party}" }
        #expect(reads.map { $0["count"].number } == [1, 199, 1, 1, 1])
        #expect(reads.map { $0["status"].number } == [200, 200, 404, 404, 200])
        #expect(rows.count == 6)
        await server.server.drain()
    }

    @Test("what was counted is written when the server stops, and none is lost to a full disk")
    func countsAreKept() async throws {
        let first = try await Stage.make()
        let path = "/v1/admin/parties/\(first.party)"
        for _ in 0..<5 { #expect(await first.server.admin(.get, path).status == 200) }
        first.store.failCalls(.unavailable("the disk is full"))
        first.server.clock.advance(to: first.server.clock.now.adding(seconds: 60))
        #expect(await first.server.admin(.get, path).status == 503)
        first.store.failCalls(nil)
        await first.server.server.drain()
        let server = try await TestServer(file: first.server.file, clock: first.server.clock)
        let rows = await Self.calls(server, 10)
        #expect(rows.map { $0["count"].number } == [4, 1])
        await server.server.drain()
    }

    @Test("reads that arrive together are all in the log")
    func readsAtOnce() async throws {
        let server = try await TestServer()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask { await server.admin(.get, "/v1/admin/parties").status }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 200))
        let rows = await Self.calls(server, 200)
        #expect(rows.compactMap { $0["count"].number }.reduce(0, +) == 200)
        await server.server.drain()
    }

    @Test("a change is written with its row; a read without a row gets no response")
    func together() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        stage.store.failCalls(.unavailable("the disk is full"))
        let path = "/v1/admin/parties/\(stage.party)"
        #expect(await stage.server.admin(.post, path + "/storm").status == 200)
        #expect(
            await stage.server.admin(
                .post, "/v1/admin/keys", #"{"name":"a","role":"observer"}"#
            ).status == 201)
        #expect(await stage.server.admin(.get, path + "/decisions").status == 503)
        #expect(await stage.server.admin(.post, path + "/storm?", "[]").status == 503)
        stage.store.failCalls(nil)
        let rows = await Self.calls(stage.server, 10)
        #expect(rows.map { $0["status"].number } == [201, 200])
        stage.store.failWrites(.unavailable("the disk is full"))
        #expect(await stage.server.admin(.post, path + "/storm").status == 503)
        stage.store.failWrites(nil)
        await stage.server.server.drain()
    }

    @Test("of 200 commands at once each has its row, and one is done")
    func atOnce() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        let path = "/v1/admin/parties/\(stage.party)/boss"
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { await stage.server.admin(.post, path).status } }
            return await group.reduce(into: [Double: Int]()) { $0[Double($1), default: 0] += 1 }
        }
        #expect(statuses[200] == 1)
        let rows = await Self.calls(stage.server, 200)
        #expect(
            rows.compactMap { $0["status"].number }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
                == statuses)
        await stage.server.server.drain()
    }

    @Test("calls with unknown keys are recorded ten at once, then one in a minute")
    func unknownKeys() async throws {
        let server = try await TestServer()
        for _ in 0..<30 {
            #expect(await server.send(.get, "/v1/admin/parties", as: "guess").status == 401)
        }
        #expect(await Self.calls(server, 100).count == 10)
        await server.untilAsleep()
        server.clock.advance(to: server.clock.now.adding(seconds: 60))
        for _ in 0..<30 { _ = await server.send(.get, "/v1/admin/parties") }
        #expect(await Self.calls(server, 100).count == 12)
        await server.server.drain()
    }

    @Test("the log survives a restart, and keeps calls for 180 days")
    func retention() async throws {
        let server = try await TestServer()
        _ = await server.admin(.get, "/v1/admin/keys")
        await server.server.drain()
        let next = try await TestServer(file: server.file, clock: server.clock)
        #expect(await Self.calls(next, 100).count == 1)
        for (days, count) in [(179, 2), (2, 1)] {
            await next.untilAsleep()
            next.clock.advance(to: next.clock.now.adding(seconds: Int64(days) * 24 * 3600))
            for _ in 0..<20 { await next.step() }
            #expect(await Self.calls(next, 100).count == count)
        }
        await next.server.drain()
    }

    @Test("the log pages without a gap and without a double")
    func pages() async throws {
        let server = try await TestServer()
        for _ in 0..<7 { _ = await server.admin(.post, "/v1/admin/keys") }
        var seen: [Double] = []
        var path: String? = "/v1/admin/audit?limit=3"
        while let page = path {
            let answer = await server.admin(.get, page)
            seen += answer.body["calls"].array.compactMap { $0["number"].number }
            path = answer.body["next"].number.map { "/v1/admin/audit?limit=3&before=\(Int($0))" }
        }
        #expect(seen == [7, 6, 5, 4, 3, 2, 1])
        for limit in ["0", "201", "x"] {
            #expect(await server.admin(.get, "/v1/admin/audit?limit=\(limit)").status == 400)
        }
        await server.server.drain()
    }

    // MARK: From where, and dry runs

    @Test("a row says from which address the call came, also that of a stranger")
    func addresses() async throws {
        let server = try await TestServer()
        let path = "/v1/admin/parties"
        for address in ["192.0.2.7", "2001:db8::7"] {
            for key in [TestServer.adminKey, "guess"] {
                _ = await server.send(.get, path, as: key, from: address)
            }
        }
        let rows = await Self.calls(server, 9)
        #expect(
            rows.map { $0["address"].string }
                == ["2001:db8::7", "2001:db8::7", "192.0.2.7", "192.0.2.7"])
        #expect(rows.map { $0["key"].string } == [nil, "owner", nil, "owner"])
        #expect(rows.compactMap { $0["dryRun"].bool } == [false, false, false, false])
        #expect(rows.allSatisfy { $0["command"].isNull } && rows.count == 4)
        await server.server.drain()
    }

    @Test("equal reads from two addresses are counted apart")
    func readsFromTwoAddresses() async throws {
        let server = try await TestServer()
        for address in ["192.0.2.7", "192.0.2.8", "192.0.2.7", "192.0.2.8", "192.0.2.8"] {
            let path = "/v1/admin/parties"
            let answer = await server.send(
                .get, path, as: TestServer.adminKey, from: address)
            #expect(answer.status == 200)
        }
        let rows = await Self.calls(server, 9)
        var counts: [String: Double] = [:]
        for row in rows {
            counts[row["address"].string ?? "", default: 0] += row["count"].number ?? 0
        }
        #expect(rows.count == 4 && counts == ["192.0.2.7": 2, "192.0.2.8": 3])
        await server.server.drain()
    }

    @Test("a dry run is a row that says so, with its command and party, and changes nothing")
    func dryRuns() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        let body = #"{"command":{"name":"storm"},"party":"\#(stage.party)""#
        let path = "/v1/admin/commands"
        #expect(await stage.server.admin(.post, path, body + #","dryRun":true}"#).status == 200)
        #expect(await stage.server.admin(.post, path, body + "}").status == 200)
        let stale = await stage.server.admin(
            .post, path, body + #","dryRun":true,"ifVersion":1}"#)
        #expect(stale.status == 412)
        let odd = #"{"command":{"name":"storm"},"party":"a secret/word","dryRun":true}"#
        #expect(await stage.server.admin(.post, path, odd).status == 404)
        let cohort = #"{"command":{"name":"storm"},"cohort":{"phase":"quest"},"dryRun":true}"#
        #expect(await stage.server.admin(.post, path, cohort).status == 200)
        let rows = await Self.calls(stage.server, 5)
        #expect(rows.map { $0["dryRun"].bool } == [true, true, true, false, true])
        #expect(rows.map { $0["command"].string } == Array(repeating: "storm", count: 5))
        let party = stage.party
        #expect(rows.map { $0["target"].string } == [nil, nil, party, party, party])
        #expect(rows.map { $0["status"].number } == [200, 404, 412, 200, 200])
        #expect(rows.map { $0["after"].isNull } == [true, true, true, false, true])
        await stage.server.server.drain()
    }
}
