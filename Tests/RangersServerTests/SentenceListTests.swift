import Content
import HTTPServer
import PushPolicy
import Testing

@testable import RangersServer

@Suite(
    "E3: every sentence of a pack, for whoever reads them all", .timeLimit(.minutes(2)), .simulated)
struct SentenceListTests {
    private static func path(_ pack: String, _ language: String? = nil) -> String {
        "/v1/admin/packs/\(pack)/sentences" + (language.map { "?language=\($0)" } ?? "")
    }

    @Test("they are all texts of the pack, then those of base.json that it lacks, with names")
    func all() async throws {
        let server = try await TestServer()
        let egg = try #require(EmbeddedPacks.document(named: "lost-egg")).texts.texts
        let body = await server.admin(.get, Self.path("lost-egg/1", "fr")).body
        #expect(body["languages"].array.compactMap(\.string) == Language.allCases.map(\.rawValue))
        let sentences = body["sentences"].array
        let own = sentences.filter { $0["isOfPack"].bool == true }.compactMap { $0["key"].string }
        #expect(Set(own) == Set(egg.keys) && own.count == egg.count)
        #expect(own.prefix(3) == ["title", "pitch", "begins"])
        #expect(own.last?.hasPrefix("ends.") == true)
        let others = sentences.compactMap { $0["key"].string }.dropFirst(own.count)
        #expect(Set(others) == Set(BaseTexts.texts.texts.keys).subtracting(egg.keys))
        for sentence in sentences {
            let key = try #require(sentence["key"].string)
            let texts = sentence["texts"].array.compactMap(\.string)
            let variants = (egg[key] ?? BaseTexts.texts.texts[key])?[.french] ?? []
            #expect(texts.count >= variants.count && !texts.contains { $0.contains("%") }, "\(key)")
            #expect((1...60).contains(sentence["columns"].number ?? 0), "\(key)")
        }
        await server.server.drain()
    }

    @Test("a question has its button, in the language; nothing else has one")
    func buttons() async throws {
        let server = try await TestServer()
        let body = await server.admin(.get, Self.path("stolen-pie/2", "de")).body
        var buttons: [String: String] = [:]
        for sentence in body["sentences"].array {
            guard let key = sentence["key"].string else { continue }
            buttons[key] = sentence["button"].string
        }
        let pie = try #require(EmbeddedPacks.document(named: "stolen-pie")).texts
        #expect(buttons["hedge.ask"] == pie.text("hedge.button", in: .german))
        #expect(buttons["raccoon.gathers"] == "In Deckung!")
        #expect(buttons["ask.drink"] == "Trank trinken")
        // A fork, nine asks of every story, and four bosses that gather.
        let asking = buttons.keys.filter { $0.contains("ask") || $0.hasSuffix(".gathers") }
        #expect(buttons.count == asking.count && buttons.count == 13, "\(buttons)")
        await server.server.drain()
    }

    @Test("without a language they are English; what is not known is refused")
    func refused() async throws {
        let server = try await TestServer()
        let english = await server.admin(.get, Self.path("training/1")).body["sentences"].array
        let title = try #require(EmbeddedPacks.document(named: "training"))
            .texts.text("title", in: .english)
        #expect(english.first?["texts"].array.first?.string == title)
        #expect(await server.admin(.get, Self.path("training/1", "xx")).status == 400)
        for pack in ["training/9", "nothing/1", "training/x"] {
            #expect(await server.admin(.get, Self.path(pack)).status == 404)
        }
        await server.server.drain()
    }

    @Test("the JSON Schema of packs is there for everybody")
    func schema() async throws {
        let server = try await TestServer()
        let answer = await server.send(.get, "/adventure.schema.json")
        #expect(answer.status == 200)
        #expect(answer.text == String(decoding: PackSchema.file, as: UTF8.self))
        await server.server.drain()
    }
}
