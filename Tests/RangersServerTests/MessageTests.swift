import Content
import APNsClient
import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// E1: a game master tells a party something.
@Suite("Messages of game masters", .timeLimit(.minutes(2)), .simulated)
struct MessageTests {
    private static let texts = #"{"en":"The pie is safe!","ja":"パイはぶじだ！"}"#

    private static func send(
        _ texts: String = texts, to stage: Stage, _ more: String = ""
    ) async -> TestServer.Answer {
        await stage.server.admin(
            .post, "/v1/admin/commands",
            #"{"command":{"name":"message","texts":\#(texts)},"party":"\#(stage.party)"\#(more)}"#)
    }

    /// An adventure with a phone in Japanese and one in German.
    private static func playing() async throws -> Stage {
        let stage = try await Stage.make(language: "ja", speed: 1000)
        try #require(await stage.panda.watch("activity-2", language: "de").status == 204)
        try await stage.start()
        await stage.server.untilAsleep()
        return stage
    }

    private static func cards(_ pushes: some Sequence<FakeAPNs.Push>) -> [String] {
        pushes.compactMap { $0.aps["content-state"]["eventDescription"].string }.sorted()
    }

    @Test("E1: every card says the message in its language, quietly")
    func cards() async throws {
        let stage = try await Self.playing()
        let before = stage.apns.pushes.count
        #expect(await Self.send(to: stage).status == 200)
        await stage.server.untilAsleep()
        let pushes = stage.apns.pushes.dropFirst(before)
        #expect(Self.cards(pushes) == ["The pie is safe!", "パイはぶじだ！"])
        #expect(pushes.count { $0.request.priority == .low && $0.aps["alert"].isNull } == 2)

        let told = try #require(await stage.events().last)
        #expect(told["kind"].string == "messageSent")
        #expect(told["description"].string == "The pie is safe!")
        #expect(told["hero"].isNull)
        await stage.server.server.drain()
        #expect(await Replay.report(file: stage.server.file, party: nil).differences == [])
    }

    @Test("E1: a message survives a restart, and the next event takes its place")
    func restart() async throws {
        let stage = try await Self.playing()
        #expect(await Self.send(to: stage).status == 200)
        await stage.server.server.drain()
        let after = stage.moved(
            to: try await TestServer(
                file: stage.server.file, clock: stage.server.clock, apns: stage.apns, speed: 1000))
        #expect(await after.events().last?["description"].string == "The pie is safe!")
        let told = await after.events().count
        let sent = after.apns.pushes.count
        #expect(await after.server.step { await after.events().count > told })
        await after.server.untilAsleep()
        let cards = Self.cards(after.apns.pushes.dropFirst(sent))
        #expect(!cards.isEmpty)
        #expect(!cards.contains("The pie is safe!"))
        await after.server.server.drain()
    }

    @Test("E1: a dry run shows each card's words, sends nothing and costs nothing")
    func dryRun() async throws {
        let stage = try await Self.playing()
        let before = stage.apns.pushes.count
        for _ in 0..<5 {
            let plan = await Self.send(to: stage, #","dryRun":true"#)
            #expect(plan.status == 200)
            let words = plan.body["pushes"].array.compactMap {
                $0["card"]["eventDescription"].string
            }
            #expect(words.sorted() == ["The pie is safe!", "パイはぶじだ！"])
        }
        await stage.server.untilAsleep()
        #expect(stage.apns.pushes.count == before)
        #expect(await Self.send(to: stage).status == 200)
        await stage.server.server.drain()
    }

    @Test("E1: a party gets three messages an hour, however many are sent at once")
    func rate() async throws {
        let stage = try await Self.playing()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { await Self.send(to: stage).status } }
            return await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [200: 3, 429: 197])
        let refused = await Self.send(to: stage)
        #expect(refused.status == 429)
        #expect(refused.headers["retry-after"].flatMap { Int($0) } ?? 0 > 1000)
        let messages = await stage.events().count { $0["kind"].string == "messageSent" }
        #expect(messages == 3)
        await stage.server.server.drain()
    }

    @Test("E1: a message that the party does not receive costs nothing")
    func refusedByParty() async throws {
        let stage = try await Self.playing()
        for _ in 0..<5 {
            #expect(await Self.send(to: stage, #","ifVersion":1"#).status == 412)
        }
        for _ in 0..<3 { #expect(await Self.send(to: stage).status == 200) }
        await stage.server.server.drain()
    }

    @Test("E1: a job passes over a party that has had its messages")
    func job() async throws {
        let stage = try await Self.playing()
        for _ in 0..<3 { #expect(await Self.send(to: stage).status == 200) }
        let job = await stage.server.admin(
            .post, "/v1/admin/commands",
            #"{"command":{"name":"message","texts":\#(Self.texts)},"cohort":{}}"#)
        let id = try #require(job.body["id"].string)
        #expect(
            await stage.server.step {
                await stage.server.admin(.get, "/v1/admin/jobs/\(id)").body["status"].string
                    == "done"
            })
        let done = await stage.server.admin(.get, "/v1/admin/jobs/\(id)").body
        #expect(done["skipped"].number == 1)
        #expect(done["done"].number == 0)
        await stage.server.server.drain()
    }

    @Test(
        "E1: a message that does not fit a card, or advertises, is refused with the reason",
        arguments: [
            (#"{"ja":"パイ"}"#, "texts.en\" is missing"),
            (#"{}"#, "texts.en\" is missing"),
            (#"{"en":"Hello","it":"Ciao"}"#, "\"command.texts.it\" is not known"),
            (#"{"en":""}"#, "1 to 60 characters"),
            (#"{"en":"\#(String(repeating: "a", count: 61))"}"#, "it has 61"),
            (#"{"en":"Hello","ja":"\#(String(repeating: "あ", count: 33))"}"#, "it has 33"),
            (#"{"en":"Hello\u202e"}"#, "cannot be shown"),
            (#"{"en":"Go to https://rangers.example now"}"#, "an address"),
            (#"{"en":"Visit Rangers.Example/shop!"}"#, "an address"),
            (#"{"en":"Potions for 2 €!"}"#, "a price"),
            (#"{"en":"Come back on 24/12"}"#, "a date"),
            (#"{"en":"Until 24.12.2026!"}"#, "a date"),
            (#"{"en":"Hello","de":"Bis 2026-12-24"}"#, "\"texts.de\" has a date"),
            (#"{"en":"Visit rangers.example."}"#, "an address"),
            (#"{"en":"ｗｗｗ．ｒａｎｇｅｒｓ．ｅｘａｍｐｌｅ"}"#, "an address"),
            (#"{"en":"Visit rangers․example"}"#, "an address"),
            (#"{"en":"Visit rangers.ехаmрlе"}"#, "an address"),
            (#"{"en":"Until ２４／１２"}"#, "a date"),
            (#"{"en":"Hello ﷽"}"#, "as wide as a line"),
        ])
    func refused(texts: String, reason: String) async throws {
        let stage = try await Self.playing()
        let answer = await Self.send(texts, to: stage)
        #expect(answer.status == 400)
        #expect(answer.body["detail"].string?.contains(reason) == true, "\(answer.body)")
        await stage.server.server.drain()
    }

    @Test(
        "E1: ordinary sentences pass",
        arguments: [
            "3.5 hours left … hurry!", "Half-way there: 2-1 for you!", "No potion, no glory.",
            "100% courage! 🐼", "あと1.5時間。", "It is 7:30, Rangers...",
            "Wait…what? Really...", "Only ½ left",
        ])
    func ordinary(text: String) {
        #expect(Advertising.found(in: text) == nil)
    }

    @Test("E1: a word of the moderators' list is refused")
    func bannedWord() async throws {
        let stage = try await Self.playing()
        let ban = await stage.server.admin(.put, "/v1/admin/banned-names/Grumble", "{}")
        #expect(ban.status / 100 == 2)
        let answer = await Self.send(#"{"en":"Down with GRUMBLE, everybody"}"#, to: stage)
        #expect(answer.status == 400)
        #expect(answer.body["detail"].string?.contains("not allowed") == true)
        await stage.server.server.drain()
    }

    @Test("a message can have every language of the String Catalog")
    func languages() {
        #expect(
            MessageBody.CodingKeys.allCases.map(\.rawValue).sorted()
                == Language.allCases.map(\.rawValue).sorted())
    }
}
