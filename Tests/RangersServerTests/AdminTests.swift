import APNsClient
import HTTPServer
import Playtest
import PushPolicy
import RangersServer
import Testing

/// What game masters can do and see.
@Suite("Game masters", .timeLimit(.minutes(2)), .simulated)
struct AdminTests {
    private func command(_ name: String, _ body: String? = nil, _ stage: Stage) async
        -> TestServer.Answer
    {
        await stage.server.admin(.post, "/v1/admin/parties/\(stage.party)/\(name)", body)
    }

    private func kinds(_ stage: Stage) async -> [String] {
        await stage.events().compactMap { $0["kind"].string }
    }

    @Test("AC9: a game master's boss appears at once, and each activity shows it")
    func boss() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        let answer = await command("boss", nil, stage)
        #expect(answer.status == 200)
        #expect(answer.body["adventure"]["phase"].string == "boss")
        #expect(await kinds(stage).contains("bossAppeared"))
        await stage.apns.untilSent(2)
        #expect(stage.apns.pushes[1].request.priority == .high)
        let again = await command("boss", nil, stage)
        #expect(again.status == 409)
        await stage.server.server.drain()
    }

    @Test("a game master's loot goes to one hero, or to all")
    func loot() async throws {
        let stage = try await Stage.make()
        let egghead = try await TestPlayer.make("Egghead", at: stage.server)
        let state = await stage.panda.send(.get, "/v1/parties/\(stage.party)")
        #expect(await egghead.join(state.body["inviteCode"].string ?? "").status == 200)
        try await stage.start()
        let one = await command("loot", #"{"hero":"\#(egghead.hero)"}"#, stage)
        #expect(one.status == 200)
        let found = await stage.events().filter { $0["kind"].string == "rareLootFound" }
        #expect(found.map { $0["hero"].string } == [egghead.hero])
        #expect(await command("loot", nil, stage).status == 200)
        #expect(await kinds(stage).count { $0 == "lootForAll" } == 1)
        #expect(await command("loot", #"{"hero":"hero-nobody"}"#, stage).status == 409)
        await stage.server.server.drain()
    }

    @Test("a game master's storm hits everybody")
    func storm() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        let answer = await command("storm", nil, stage)
        #expect(answer.status == 200)
        #expect(await kinds(stage).contains("stormRaised"))
        #expect((answer.body["heroes"][0]["health"].number ?? 1) < 1)
        await stage.server.server.drain()
    }

    @Test("a game master's end ends the adventure and the cards, a minute later")
    func end() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        let answer = await command("end", nil, stage)
        #expect(answer.status == 200)
        #expect(
            answer.body["adventure"]["endsAt"].number
                == Double(stage.server.clock.now.milliseconds + 60_000))
        #expect(await stage.untilEnded())
        #expect(await command("end", nil, stage).status == 409)
        await stage.server.server.drain()
    }

    @Test(
        "without an adventure a game master's commands are refused",
        arguments: ["boss", "loot", "storm", "end"])
    func noAdventure(name: String) async throws {
        let stage = try await Stage.make()
        #expect(await command(name, nil, stage).status == 409)
        let unknown = await stage.server.admin(.post, "/v1/admin/parties/party-x/\(name)")
        #expect(unknown.status == 404)
        await stage.server.server.drain()
    }

    @Test("B7: the ledger has exactly one decision for each event and activity")
    func ledger() async throws {
        let stage = try await Stage.make()
        #expect(await stage.panda.watch("activity-2", token: "ef01").status == 204)
        try await stage.start()
        #expect(await stage.untilEnded())
        let path = "/v1/admin/parties/\(stage.party)/decisions"
        let rows = await stage.server.admin(.get, path).body["decisions"].array
        let events = await stage.events().compactMap { $0["sequence"].number }.dropFirst()
        for activity in ["activity-1", "activity-2"] {
            let decided = rows.filter { $0["activity"].string == activity }
                .compactMap { $0["event"].number }
            #expect(decided == Array(events))
        }
        #expect(rows.count == 2 * events.count)
        #expect(
            rows.first?["rule"].string
                == "the start of an adventure cannot wait (Q5); "
                + "the card tells it: a turn of the story (C7). "
                + "Q5: A knock-down, a boss's defeat and other turning points are high priority. "
                + "C7: A card tells its own hero's news, and a question keeps its words.")
        #expect(rows.first?["tells"].number == rows.first?["event"].number)
        #expect(rows.allSatisfy { $0["rule"].string?.isEmpty == false })
        let last = await stage.server.admin(.get, path + "?after=\(events.count)")
        #expect(last.body["decisions"].array.count == 2)
        await stage.server.server.drain()
    }

    @Test("the list of parties pages without a gap and without a double")
    func pages() async throws {
        let server = try await TestServer()
        var made: Set<String> = []
        for number in 1...7 {
            made.insert(try await TestPlayer.make("Hero \(number)", at: server).found().id)
        }
        var seen: [String] = []
        var path: String? = "/v1/admin/parties?limit=3"
        while let page = path {
            let answer = await server.admin(.get, page)
            #expect(answer.status == 200)
            seen += answer.body["parties"].array.compactMap { $0["id"].string }
            path = answer.body["next"].string.map { "/v1/admin/parties?limit=3&after=\($0)" }
        }
        #expect(seen == made.sorted())
        await server.server.drain()
    }

    @Test("a page has 1 to 100 parties", arguments: ["0", "101", "-1", "x"])
    func badLimit(limit: String) async throws {
        let server = try await TestServer()
        #expect(await server.admin(.get, "/v1/admin/parties?limit=\(limit)").status == 400)
        await server.server.drain()
    }
}
