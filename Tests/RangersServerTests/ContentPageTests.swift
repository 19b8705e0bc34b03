import Content
import GameLogic
import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite(
    "E3: the words and rules of all events, and previews of cards", .timeLimit(.minutes(2)),
    .simulated)
struct ContentPageTests {
    private static let path = "/v1/admin/content"

    private static func draft(
        _ kind: String = "knockedDown", name: String = "Power Panda", health: String = "0.18",
        language: String = "en", more: String = ""
    ) -> String {
        #"{"kind":"\#(kind)","hero":{"name":"\#(name)"},"health":\#(health),"#
            + #""language":"\#(language)"\#(more)}"#
    }

    private static func preview(_ server: TestServer, _ body: String) async -> TestServer.Answer {
        await server.admin(.post, path + "/preview", body)
    }

    // MARK: All kinds

    @Test("every kind of event has its rule, and its words in every language")
    func kinds() async throws {
        let server = try await TestServer()
        let body = await server.admin(.get, Self.path).body
        #expect(body["kinds"].array.map(\.["kind"].string) == EventName.allCases.map(\.rawValue))
        #expect(body["languages"].array.count == Language.allCases.count)
        for kind in body["kinds"].array {
            for language in Language.allCases {
                let words = kind["words"][language.rawValue].array.compactMap(\.string)
                #expect(!words.isEmpty && !words.contains(""), "\(kind)")
            }
            #expect(kind["rule"].string?.isEmpty == false)
        }
        let fall = try #require(
            body["kinds"].array.first { $0["kind"].string == "knockedDown" })
        #expect(fall["priority"].number == 10 && fall["alert"].bool == true)
        #expect(
            fall["words"]["en"].array.compactMap(\.string)
                == Sentences.of("hero.falls", "Power Panda").sorted())
        await server.server.drain()
    }

    @Test("the widest text of a kind is measured with the longest name; too wide is a finding")
    func widest() async throws {
        let server = try await TestServer()
        let body = await server.admin(.get, Self.path).body
        for kind in body["kinds"].array {
            let text = try #require(kind["widest"]["text"].string)
            let columns = Columns.count(of: text)
            #expect(kind["widest"]["columns"].number == Double(columns))
            let share = try #require(kind["widest"]["lockScreen"].number)
            #expect(abs(share - Double(columns) / 60) < 0.01)
            #expect(kind["findings"].array.count == (columns > 60 ? 1 : 0), "\(text)")
        }
        #expect(body["findings"].array.compactMap(\.string) == [])
        await server.server.drain()
    }

    // MARK: Previews

    @Test("a preview is the card, the alert and the payload of a real push")
    func previewed() async throws {
        let server = try await TestServer()
        let answer = await Self.preview(server, Self.draft(language: "ja"))
        let state = answer.body["contentState"]
        #expect(state["currentHealthLevel"].number == 0.18)
        let falls = Sentences.of("hero.falls", "Power Panda", in: .japanese)
        #expect(falls.contains(state["eventDescription"].string ?? ""))
        #expect(answer.body["payload"]["aps"]["event"].string == "update")
        #expect(
            answer.body["payload"]["aps"]["content-state"]["eventDescription"].string
                == state["eventDescription"].string)
        #expect(answer.body["alert"]["title"].string?.isEmpty == false)
        #expect(answer.body["findings"].array.isEmpty)
        let bytes = try #require(answer.body["bytes"].number)
        #expect(bytes > 100 && bytes < 4096)
        let loot = await Self.preview(server, Self.draft("commonLootFound", health: "1"))
        #expect(loot.body["alert"].isNull)
        await server.server.drain()
    }

    @Test("every kind can be previewed in every language, at both ends of health")
    func everyKind() async throws {
        let server = try await TestServer()
        for kind in EventName.allCases {
            for (language, health) in zip(Language.allCases, ["0", "1", "0.001", "0.5", "1", "0"]) {
                let body = Self.draft(
                    kind.rawValue, health: health, language: language.rawValue)
                let answer = await Self.preview(server, body)
                #expect(answer.status == 200, "\(kind) \(language): \(answer.text)")
                #expect(answer.body["findings"].array.isEmpty, "\(kind) \(language)")
            }
        }
        await server.server.drain()
    }

    @Test(
        "a preview names what the system lacks",
        arguments: [
            ("16.4", ["buttons", "standBy", "startByPush", "watch", "channels"]),
            ("17", ["startByPush", "watch", "channels"]), ("17.2", ["watch", "channels"]),
            ("17.10.1", ["watch", "channels"]), ("18.0", []), ("26.1", []),
        ])
    func systems(version: String, lacks: [String]) async throws {
        let server = try await TestServer()
        let answer = await Self.preview(
            server, Self.draft(more: #","osVersion":"\#(version)""#))
        #expect(answer.body["lacks"].array.compactMap(\.string) == lacks)
        let newest = await Self.preview(server, Self.draft())
        #expect(newest.body["lacks"].array.isEmpty)
        #expect(newest.body["bytes"].number == answer.body["bytes"].number)
        await server.server.drain()
    }

    @Test(
        "a preview of nothing real is refused",
        arguments: [
            "", "{}", "[]", draft("dance"), draft(""), draft(name: ""), draft(language: "xx"),
            draft(name: String(repeating: "M", count: 41)), draft(health: "1.01"),
            draft(health: "-0.1"), draft(health: "\"1\""), draft(health: "1e999"),
            draft(more: #","osVersion":"iOS 18""#), draft(more: #","osVersion":"""#),
            draft(more: #","kind":"hurt""#), draft(more: #","colour":"red""#),
        ])
    func refused(body: String) async throws {
        let server = try await TestServer()
        let answer = await Self.preview(server, body)
        #expect(answer.status == 400, "\(answer.text)")
        await server.server.drain()
    }

    @Test("a name that looks like markup is only a text, and 200 previews at once are all answered")
    func crowd() async throws {
        let server = try await TestServer()
        let name = "<img onload=x>"
        let (statuses, _) = await FairLimitTests.storm { _ in
            let answer = await Self.preview(server, Self.draft(name: name))
            #expect(answer.body["contentState"]["eventDescription"].string?.contains(name) == true)
            return answer
        }
        #expect(statuses == [200: 200])
        let panda = try await TestPlayer.make("Power Panda", at: server)
        #expect(await panda.send(.post, Self.path + "/preview", Self.draft()).status == 401)
        #expect(await panda.send(.get, Self.path).status == 401)
        await server.server.drain()
    }
}
