import APNsClient
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import RangersServer
import Testing

/// E1: a game master's commands and their dry runs.
@Suite("Commands of game masters", .timeLimit(.minutes(2)), .simulated)
struct CommandTests {
    private typealias Pair = FormerMemberTests.Pair

    /// A party on an adventure, watched in two languages.
    private static func watched() async throws -> Pair {
        let pair = try await Pair.make()
        try #require(await pair.panda.watch("panda", token: "aa", language: "de").status == 204)
        try #require(await pair.egghead.watch("egg", token: "ee").status == 204)
        try await pair.start()
        await pair.server.untilAsleep()
        return pair
    }

    private static func send(
        _ command: String, to pair: Pair, dryRun: Bool = false, ifVersion: Int? = nil
    ) async -> TestServer.Answer {
        let version = ifVersion.map { #","ifVersion":\#($0)"# } ?? ""
        return await pair.server.admin(
            .post, "/v1/admin/commands",
            #"{"command":\#(command),"party":"\#(pair.party)","dryRun":\#(dryRun)\#(version)}"#)
    }

    /// What a response says beside whether it was a dry run, and of which version.
    private static func said(_ answer: TestServer.Answer) -> Substring? {
        answer.text.firstRange(of: #""events""#).map { answer.text[$0.lowerBound...] }
    }

    @Test(
        "E1: a dry run changes nothing, and the command then does what it said",
        arguments: [
            #"{"name":"boss","boss":"kraken"}"#, #"{"name":"boss"}"#, #"{"name":"storm"}"#,
            #"{"name":"storm","strength":200}"#, #"{"name":"loot"}"#,
            #"{"name":"loot","item":"crown"}"#, #"{"name":"loot","potions":2}"#,
            #"{"name":"end"}"#, #"{"name":"end","outcome":"partyDefeated"}"#,
        ])
    func dryRun(command: String) async throws {
        let pair = try await Self.watched()
        let before = await pair.panda.send(.get, pair.path).text
        let pushed = pair.server.apns.pushes.count
        let planned = await Self.send(command, to: pair, dryRun: true)
        #expect(planned.status == 200)
        #expect(planned.body["dryRun"].bool == true)
        #expect(await Self.send(command, to: pair, dryRun: true).text == planned.text)
        await pair.server.untilAsleep()
        #expect(await pair.panda.send(.get, pair.path).text == before)
        #expect(pair.server.apns.pushes.count == pushed)

        let version = Int(try #require(planned.body["version"].number))
        let done = await Self.send(command, to: pair, ifVersion: version)
        #expect(done.status == 200)
        #expect(Self.said(done) == Self.said(planned))
        #expect(done.body["version"].number == Double(version + 1))
        await pair.server.untilAsleep()
        try Self.expect(pair.server.apns.pushes.dropFirst(pushed), as: planned.body)
        await pair.server.server.drain()
        #expect(await Replay.report(file: pair.server.file, party: nil).differences == [])
    }

    /// Compares what Apple got with what the plan had said.
    private static func expect(
        _ pushes: ArraySlice<FakeAPNs.Push>, as plan: Value
    ) throws {
        let planned = plan["pushes"].array
        try #require(planned.count == 2)
        #expect(plan["sum"]["pushes"].number == 2)
        for said in planned {
            let token = said["activity"].string == "egg" ? "ee" : "aa"
            let push = try #require(pushes.first { $0.request.token.hex == token })
            #expect(said["event"].string == push.aps["event"].string)
            #expect(said["priority"].number == (push.request.priority == .high ? 10 : 5))
            let state = push.aps["content-state"]
            #expect(said["card"]["eventDescription"].string == state["eventDescription"].string)
            #expect(
                said["card"]["currentHealthLevel"].number == state["currentHealthLevel"].number)
            let (left, after) = (
                said["highPriorityLeft"]["before"].number, said["highPriorityLeft"]["after"].number
            )
            #expect(try #require(left) >= (try #require(after)))
        }
        let words = planned.compactMap { $0["card"]["eventDescription"].string }
        #expect(words.count == 2)
        #expect(planned.map { $0["language"].string }.contains("de"))
    }

    /// Brings Power Panda so low that any strong storm knocks the hero down, and Egghead to full
    /// health.
    private static func weaken(_ pair: Pair) async throws {
        for _ in 0..<40 {
            let heroes = await pair.panda.send(.get, pair.path).body["heroes"]
            let health = try #require(heroes[0]["health"].number)
            guard health > 0.12 else { return }
            let strength = health > 0.28 ? 200 : 50
            let storm = #"{"name":"storm","strength":\#(strength)}"#
            try #require(await send(storm, to: pair).status == 200)
            _ = await send(
                #"{"name":"heal","amount":1000,"hero":"\#(pair.egghead.hero)"}"#, to: pair)
        }
    }

    @Test("E1: a dry run shows alerts in the words of the phone, and what the budget has left")
    func alert() async throws {
        let pair = try await Pair.make()
        try await pair.start()
        try await Self.weaken(pair)
        #expect(await pair.panda.watch("panda", token: "aa", language: "de").status == 204)
        await pair.server.untilAsleep()
        let planned = await Self.send(
            #"{"name":"storm","strength":200}"#, to: pair, dryRun: true)
        #expect(planned.body["sum"]["alerts"].number == 1)
        let push = planned.body["pushes"][0]
        #expect(push["alert"]["title"].string == "Power Panda liegt am Boden!")
        #expect(push["priority"].number == 10)
        let left = push["highPriorityLeft"]
        #expect(left["before"].number == left["after"].number.map { $0 + 1 })
        await pair.server.server.drain()
    }

    @Test("E1: healing, for one hero or all")
    func heal() async throws {
        let pair = try await Self.watched()
        #expect(await Self.send(#"{"name":"storm","strength":200}"#, to: pair).status == 200)
        let one = await Self.send(
            #"{"name":"heal","amount":1000,"hero":"\#(pair.panda.hero)"}"#, to: pair)
        #expect(one.body["events"].array.map { $0["kind"].string } == ["smallHeal"])
        let heroes = await pair.panda.send(.get, pair.path).body["heroes"]
        #expect(heroes[0]["health"].number == 1)
        #expect(heroes[1]["health"].number.map { $0 < 1 } == true)
        #expect(await Self.send(#"{"name":"heal","amount":500}"#, to: pair).status == 200)
        await pair.server.server.drain()
    }

    @Test("E1: a command for a version that the party has left is refused")
    func version() async throws {
        let pair = try await Self.watched()
        let version = Int(await pair.panda.send(.get, pair.path).body["version"].number ?? 0)
        for isDryRun in [true, false] {
            let stale = await Self.send(
                #"{"name":"storm"}"#, to: pair, dryRun: isDryRun, ifVersion: version - 1)
            #expect(stale.status == 412)
            #expect(stale.body["detail"].string?.contains("has version \(version)") == true)
        }
        #expect(
            await pair.panda.send(.get, pair.path).body["version"].number == Double(version))
        await pair.server.server.drain()
    }

    @Test("E1: of 200 commands at once for one version one runs")
    func atOnce() async throws {
        let pair = try await Self.watched()
        let version = Int(await pair.panda.send(.get, pair.path).body["version"].number ?? 0)
        let (statuses, _) = await FairLimitTests.storm { _ in
            await FairLimitTests.patiently {
                await Self.send(#"{"name":"loot","potions":1}"#, to: pair, ifVersion: version)
            }
        }
        #expect(statuses == [200: 1, 412: 199])
        await pair.server.server.drain()
    }

    @Test(
        "E1: a command is refused with the field that is wrong",
        arguments: [
            (#"{"name":"boss","boss":"The Hydra"}"#, "boss"),
            (#"{"name":"boss","strength":100}"#, "strength"),
            (#"{"name":"storm","strength":49}"#, "strength"),
            (#"{"name":"loot","potions":4}"#, "potions"),
            (#"{"name":"loot","item":"sword","potions":1}"#, "item"),
            (#"{"name":"heal"}"#, "amount"), (#"{"name":"heal","amount":1001}"#, "amount"),
            (#"{"name":"end","outcome":"bossDefeated"}"#, "outcome"),
            (#"{"name":"storm","her":"x"}"#, "her"), (#"{"name":"rain"}"#, "name"),
        ])
    func fields(command: String, field: String) async throws {
        let pair = try await Pair.make()
        let answer = await Self.send(command, to: pair)
        #expect(answer.status == 400)
        #expect(answer.body["detail"].string?.contains(field) == true, "\(answer.text)")
        await pair.server.server.drain()
    }

    @Test("E3: an observer runs a command dry, a game master runs it, and the audit log has both")
    func roles() async throws {
        let pair = try await Self.watched()
        var keys: [String: String] = [:]
        for role in ["observer", "gamemaster"] {
            let made = await pair.server.admin(
                .post, "/v1/admin/keys", #"{"name":"\#(role)-1","role":"\#(role)"}"#)
            keys[role] = made.body["key"].string
        }
        func send(_ role: String, dryRun: Bool) async -> Int {
            await pair.server.send(
                .post, "/v1/admin/commands",
                #"{"command":{"name":"storm"},"party":"\#(pair.party)","dryRun":\#(dryRun)}"#,
                as: keys[role]
            ).status
        }
        #expect(await send("observer", dryRun: true) == 200)
        #expect(await send("observer", dryRun: false) == 403)
        #expect(await send("gamemaster", dryRun: false) == 200)
        let calls = await pair.server.admin(.get, "/v1/admin/audit").body["calls"].array
            .filter { $0["action"].string == "POST /v1/admin/commands" }
        #expect(calls.map { $0["status"].number } == [200, 403, 200])
        #expect(calls[0]["target"].string == pair.party)
        #expect(calls[0]["key"].string == "gamemaster-1")
        await pair.server.server.drain()
    }

    @Test("E1: what the rules forbid is refused, dry or not, and an unknown party too")
    func refused() async throws {
        let pair = try await Pair.make()
        for isDryRun in [true, false] {
            let answer = await Self.send(#"{"name":"storm"}"#, to: pair, dryRun: isDryRun)
            #expect(answer.status == 409)
            let unknown = await pair.server.admin(
                .post, "/v1/admin/commands",
                #"{"command":{"name":"storm"},"party":"nobody","dryRun":\#(isDryRun)}"#)
            #expect(unknown.status == 404)
        }
        await pair.server.server.drain()
    }
}
