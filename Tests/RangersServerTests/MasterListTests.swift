import APNsClient
import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("E3: what game masters can look up", .timeLimit(.minutes(2)), .simulated)
struct MasterListTests {
    /// Every id of a list, page by page.
    private static func ids(
        _ path: String, _ list: String, _ id: String, at server: TestServer
    ) async -> [String] {
        var (found, next): ([String], String?) = ([], "")
        while let start = next {
            let page = await server.admin(.get, path + (start.isEmpty ? "" : "&after=\(start)"))
            #expect(page.status == 200)
            found += page.body[list].array.compactMap { $0[id].string }
            next = page.body["next"].string
        }
        return found
    }

    @Test("parties are found by player, hero, code and phase")
    func parties() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let egghead = try await TestPlayer.make("Egghead", at: server)
        let first = try await panda.found()
        let second = try await egghead.found()
        let other = try await panda.anotherHero("Spouty")
        #expect(await other.join(second.code).status == 200)
        _ = await egghead.send(.post, "/v1/parties/\(second.id)/adventure")
        func found(_ query: String) async -> [String] {
            await Self.ids("/v1/admin/parties?limit=1&\(query)", "parties", "id", at: server)
        }
        #expect(await found("player=\(panda.id)") == [first.id, second.id].sorted())
        #expect(await found("player=\(egghead.id)") == [second.id])
        #expect(await found("hero=\(other.hero)") == [second.id])
        #expect(await found("code=\(first.code.lowercased())") == [first.id])
        #expect(await found("phase=gathering") == [first.id])
        #expect(await found("phase=quest") == [second.id])
        #expect(await found("phase=boss") == [])
        #expect(await found("player=\(panda.id)&phase=quest") == [second.id])
        #expect(await found("hero=nobody") == [])
        #expect(await server.admin(.get, "/v1/admin/parties?phase=lost").status == 400)
        await server.server.drain()
    }

    @Test("find takes a whole code or id, or a part of a hero's name")
    func finds() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let egghead = try await TestPlayer.make("Egghead", at: server)
        let first = try await panda.found()
        let second = try await egghead.found()
        #expect(await egghead.watch("activity-7").status == 204)
        func found(_ text: String) async -> [String] {
            await Self.ids("/v1/admin/parties?limit=1&find=\(text)", "parties", "id", at: server)
        }
        for text in [first.code.lowercased(), first.id, panda.hero, panda.id, "panda", "P0wer"] {
            #expect(await found(text) == [first.id], "\(text)")
        }
        #expect(await found("activity-7") == [second.id])
        #expect(await found("Spouty") == [])
        #expect(await found("") == [first.id, second.id].sorted())
        #expect(await found("...") == [])
        await server.server.drain()
    }

    @Test("parties are found by the language of a card and by the boss who is present")
    func filters() async throws {
        let stage = try await Stage.make(language: "ja")
        let other = try await TestPlayer.make("Egghead", at: stage.server)
        _ = try await other.found()
        try await stage.start()
        let server = stage.server
        func found(_ query: String) async -> [String] {
            await Self.ids("/v1/admin/parties?limit=1&\(query)", "parties", "id", at: server)
        }
        #expect(await found("language=ja") == [stage.party])
        #expect(await found("language=de") == [])
        let path = "/v1/admin/parties/\(stage.party)"
        let boss = await server.admin(.post, path + "/boss", "{}").body["adventure"]["boss"]["name"]
        let name = try #require(boss.string)
        #expect(await found("boss=\(name)") == [stage.party])
        #expect(await found("boss=nobody") == [])
        for query in ["language=xx", "order=age", "order=urgency&after=x"] {
            #expect(await server.admin(.get, "/v1/admin/parties?\(query)").status == 400)
        }
        await server.server.drain()
    }

    @Test("the parties that need somebody are paged, the most urgent first")
    func urgent() async throws {
        let server = try await TestServer(speed: 1000)
        var parties: [String] = []
        for number in 0..<3 {
            let player = try await TestPlayer.make("Panda \(number)", at: server)
            let party = try await player.found()
            #expect(await player.watch("activity-\(number)").status == 204)
            parties.append(party.id)
            server.apns.answer(.later)
            _ = await player.send(.post, "/v1/parties/\(party.id)/adventure")
        }
        // All pushes are in flight for too long.
        await server.step(forSeconds: 4)
        let listed = await Self.ids(
            "/v1/admin/parties?order=urgency&limit=1", "parties", "id", at: server)
        #expect(listed == parties.sorted())
        let needs = await server.admin(.get, "/v1/admin/parties?order=urgency").body["needs"]
        #expect(needs.array.compactMap { $0["late"].number } == [1, 1, 1])
        #expect(
            await server.admin(.get, "/v1/admin/parties?order=urgency&phase=boss")
                .body["parties"].array.isEmpty)
        server.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        server.apns.release(.accepted(apnsUniqueID: nil))
        await server.untilAsleep()
        #expect(
            await server.admin(.get, "/v1/admin/parties?order=urgency").body["parties"].array
                .isEmpty)
        await server.server.drain()
    }

    @Test("players page without a gap and without a double, and are found by hero")
    func players() async throws {
        let server = try await TestServer()
        var made: [TestPlayer] = []
        for number in 1...5 { made.append(try await TestPlayer.make("Hero \(number)", at: server)) }
        let party = try await made[0].found()
        let all = await Self.ids("/v1/admin/players?limit=2", "players", "player", at: server)
        #expect(all == made.map(\.id).sorted())
        let found = await server.admin(.get, "/v1/admin/players?hero=\(made[0].hero)").body
        #expect(found["players"].array.count == 1)
        #expect(found["players"][0]["heroes"][0]["party"].string == party.id)
        #expect(await server.admin(.get, "/v1/admin/players?limit=101").status == 400)
        await server.server.drain()
    }

    @Test("devices page without a gap and without a double, and show no token")
    func devices() async throws {
        let server = try await TestServer()
        var made: [String] = []
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let egghead = try await TestPlayer.make("Egghead", at: server)
        for number in 1...5 {
            let player = number < 3 ? panda : egghead
            let device = "phone-\(number)"
            #expect(await player.offer(device, token: "c0ffee0\(number)").status == 204)
            made.append(device)
        }
        let all = await Self.ids("/v1/admin/devices?limit=2", "devices", "device", at: server)
        #expect(all.sorted() == made)
        let own = await server.admin(.get, "/v1/admin/devices?player=\(panda.id)")
        #expect(
            own.body["devices"].array.compactMap { $0["device"].string } == ["phone-1", "phone-2"])
        #expect(own.body["devices"][0]["hasPushToStartToken"].bool == true)
        #expect(!own.text.contains("c0ffee"))
        for after in ["x", "a/moon/b"] {
            #expect(await server.admin(.get, "/v1/admin/devices?after=\(after)").status == 400)
        }
        await server.server.drain()
    }

    @Test("a party's page has its events, its Live Activities and their budgets, and no token")
    func page() async throws {
        let stage = try await Stage.make()
        let path = "/v1/admin/parties/\(stage.party)"
        let before = await stage.server.admin(.get, path).body["activities"][0]
        #expect(before["budgetLeft"].number == 40 && before["hasPushToken"].bool == true)
        try await stage.start()
        await stage.apns.untilSent(1)
        let page = await stage.server.admin(.get, path)
        #expect(page.status == 200 && !page.text.contains("abcd"))
        #expect(page.body["party"]["id"].string == stage.party)
        #expect(page.body["party"]["events"].array.count > 1)
        #expect(page.body["activities"][0]["player"].string == stage.panda.id)
        #expect(page.body["activities"][0]["budgetLeft"].number == 39)
        let later = await stage.server.admin(.get, path + "?after=1").body["party"]["events"].array
        #expect(later.first?["sequence"].number == 2)
        #expect(await stage.server.admin(.get, "/v1/admin/parties/none").status == 404)
        await stage.server.server.drain()
    }

    @Test("refused registrations are on the party's page, the newest 32 of 40 at once")
    func refused() async throws {
        let stage = try await Stage.make()
        let egghead = try await TestPlayer.make("Egghead", at: stage.server)
        let code = await stage.panda.send(.get, "/v1/parties/\(stage.party)").body["inviteCode"]
        #expect(await egghead.join(try #require(code.string)).status == 200)
        for _ in 0..<2 { #expect(await egghead.watch("thief", token: "abcd").status == 409) }
        func refused(by server: TestServer) async -> [Value] {
            await server.admin(.get, "/v1/admin/parties/\(stage.party)")
                .body["refusedRegistrations"].array
        }
        var rows = await refused(by: stage.server)
        try #require(rows.count == 1)
        #expect(rows[0]["activity"].string == "thief" && rows[0]["status"].number == 409)
        #expect(rows[0]["player"].string == egghead.id)
        #expect(rows[0]["detail"].string?.hasPrefix("The push token belongs to") == true)
        let statuses = await withTaskGroup(of: Int.self) { group in
            for number in 0..<40 {
                group.addTask { await egghead.watch("thief-\(number)", token: "abcd").status }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [409: 40])
        rows = await refused(by: stage.server)
        #expect(rows.count == ActivityLimits.refusedMax)
        await stage.server.server.drain()
        let next = try await TestServer(file: stage.server.file, clock: stage.server.clock)
        #expect(await refused(by: next).count == rows.count)
        await next.server.drain()
    }
}
