import Content
import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("C3: adventure packs", .timeLimit(.minutes(2)))
struct PackTests {
    private typealias Pair = FormerMemberTests.Pair

    private static let file = String(
        decoding: EmbeddedPacks.file(named: "stolen-pie") ?? [], as: UTF8.self)
    private static let path = "/v1/admin/packs/stolen-pie"

    /// The pie as another version, with one text replaced by another.
    private static func pie(
        version: Int, replacing old: String = "", by new: String = ""
    ) -> String {
        let file = file.replacing("\"version\": 2", with: "\"version\": \(version)")
        return old.isEmpty ? file : file.replacing(old, with: new)
    }

    private static func start(_ pack: String, _ pair: Pair) async -> TestServer.Answer {
        await pair.panda.send(.post, pair.path + "/adventure", #"{"pack":"\#(pack)"}"#)
    }

    private static func list(_ pair: Pair, language: String = "en") async -> [String] {
        await pair.server.send(
            .get, "/v1/adventures", as: pair.panda.token, language: language
        ).body["adventures"].array.map {
            "\($0["id"].string ?? "")/\($0["version"].number ?? 0): \($0["title"].string ?? "")"
        }
    }

    private static func pie(_ pair: Pair) async -> String? {
        await list(pair).first { $0.hasPrefix("stolen-pie") }
    }

    @Test("players see what there is, in their language, and how long it takes")
    func adventures() async throws {
        let pair = try await Pair.make(speed: 1000)
        let english = await Self.list(pair)
        #expect(english.first == "classic/1.0: The Classic Quest")
        #expect(english.contains("stolen-pie/2.0: The Stolen Pie"))
        let german = await Self.list(pair, language: "de-AT")
        #expect(german.first == "classic/1.0: Das klassische Abenteuer")
        #expect(german.contains("stolen-pie/2.0: Der gestohlene Kuchen"))
        let all = await pair.panda.send(.get, "/v1/adventures").body["adventures"].array
        #expect(all.compactMap { $0["minutes"].number } == [30, 30, 19, 58, 358, 6, 17, 4])
        #expect(all.compactMap { $0["level"].number } == [1, 1, 1, 2, 3, 1, 2, 1])
        #expect(all.compactMap { $0["difficulties"].array.count } == Array(repeating: 5, count: 8))
        #expect(await pair.server.send(.get, "/v1/adventures").status == 401)
        await pair.server.server.drain()
    }

    @Test("PR14: a pack is refused by its head alone, unless its sender may publish it")
    func heads() async throws {
        let server = try await TestServer()
        let made = await server.admin(
            .post, "/v1/admin/keys", #"{"name":"lena","role":"observer"}"#)
        let observer = try #require(made.body["key"].string)
        let length = ["content-length": "262144"]
        for (key, path, status) in [
            ("guess", Self.path, 401), (observer, Self.path, 403),
            (TestServer.adminKey, Self.path + "/1", 405),
        ] {
            let client = StreamClient(to: server)
            #expect(await client.head("PUT", path, as: key, length) == status)
        }
        let audit = await server.admin(.get, "/v1/admin/audit")
        #expect(audit.text.contains(#""status":403"#))
        let body = Array(Self.file.utf8)
        let client = StreamClient(to: server)
        let put = await client.head(
            "PUT", Self.path, as: TestServer.adminKey, ["content-length": "\(body.count)"],
            body: body)
        #expect(put == 200)
        await server.server.drain()
    }

    @Test("a start that names no pack plays the server's usual one")
    func usual() async throws {
        let server = try await TestServer(usualPack: Server.Settings.standardPack)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let (party, _) = try await panda.found()
        let started = await panda.send(.post, "/v1/parties/\(party)/adventure")
        #expect(started.status == 201)
        #expect(started.body["adventure"]["pack"].string == "forest-quest")
        await server.server.drain()
        let without = try await TestServer(usualPack: "moon-quest")
        let egghead = try await TestPlayer.make("Egghead", at: without)
        let (other, _) = try await egghead.found()
        let refused = await egghead.send(.post, "/v1/parties/\(other)/adventure")
        #expect(refused.status == 404)
        #expect(refused.text.contains("There is no adventure \\\"moon-quest\\\""))
        await without.server.drain()
    }

    @Test("a party plays the pack that its leader names, to its end, and replay agrees")
    func play() async throws {
        let pair = try await Pair.make()
        try #require(await pair.egghead.watch("egg", token: "ee", language: "de").status == 204)
        let unknown = await Self.start("stolen-cake", pair)
        #expect(unknown.status == 404)
        #expect(
            unknown.body["detail"].string
                == "There is no adventure \"stolen-cake\": see GET /v1/adventures.")
        let begun = await Self.start("stolen-pie", pair)
        #expect(begun.status == 201)
        #expect(begun.body["adventure"]["pack"].string == "stolen-pie")
        let isOver = await pair.server.step {
            await pair.panda.send(.get, pair.path).body["adventure"]["phase"].string == "over"
        }
        #expect(isOver)
        let told = await pair.server.send(
            .get, pair.path + "?after=0", as: pair.panda.token, language: "de"
        ).body["events"].array.compactMap { $0["description"].string }
        let comes = Sentences.of("stolen-pie/2.raccoon.comes", in: .german)
        #expect(comes.count > 1 && told.contains(where: comes.contains))
        #expect(!told.contains { $0.contains("stolen-pie") })
        await pair.server.server.drain()
        #expect(await Replay.report(file: pair.server.file, party: nil).differences == [])
    }

    @Test("a director publishes a version to a running server; who plays keeps the rules they have")
    func publish() async throws {
        let pair = try await Pair.make(speed: 1000)
        #expect(await Self.start("stolen-pie", pair).status == 201)
        let harder = Self.pie(
            version: 3, replacing: "\"healthPermille\": 550", by: "\"healthPermille\": 900")
        let put = await pair.server.admin(.put, Self.path, harder)
        #expect(put.status == 200)
        #expect(put.body["status"].string == "published")
        #expect(await Self.pie(pair) == "stolen-pie/3.0: The Stolen Pie")
        await pair.server.server.drain()

        let next = try await TestServer(file: pair.server.file, clock: pair.server.clock)
        let stored = try #require(
            try await SQLiteStore.openReadOnly(path: next.file).party(PartyID(pair.party)))
        #expect(stored.party.adventure?.pack.reference.version == 2)
        #expect(
            stored.party.adventure?.pack.bosses[Boss("stolen-pie/2.raccoon")]?.health == 550)
        #expect(await next.end(pair.party) == 200)
        let panda = pair.panda.moved(to: next)
        #expect(
            await panda.send(.post, pair.path + "/adventure", #"{"pack":"stolen-pie"}"#).status
                == 201)
        // A game master brings the boss by its short name; the pack decides who that is.
        let boss = await next.admin(
            .post, "/v1/admin/commands",
            #"{"command":{"name":"boss","boss":"raccoon"},"party":"\#(pair.party)"}"#)
        #expect(boss.status == 200)
        let adventure = await panda.send(.get, pair.path).body["adventure"]
        #expect(adventure["boss"]["name"].string == "raccoon")
        #expect(adventure["boss"]["health"].number == 1)
        let unknown = await next.admin(
            .post, "/v1/admin/commands",
            #"{"command":{"name":"loot","item":"sword"},"party":"\#(pair.party)"}"#)
        #expect(unknown.status == 409)
        #expect(unknown.body["detail"].string == "This adventure has no item \"sword\".")
        await next.server.drain()
        #expect(await Replay.report(file: next.file, party: nil).differences == [])
    }

    @Test("a typo is mended in stories that are running; rules are not")
    func mend() async throws {
        let pair = try await Pair.make(speed: 1000)
        #expect(await Self.start("stolen-pie", pair).status == 201)
        _ = await pair.server.admin(
            .post, "/v1/admin/commands",
            #"{"command":{"name":"boss"},"party":"\#(pair.party)"}"#)
        func last() async -> String? {
            await pair.panda.send(.get, pair.path).body["events"].array.last?["description"].string
        }
        let comes = Sentences.of("stolen-pie/2.raccoon.comes")
        let before = try #require(await last())
        #expect(comes.contains(before))
        let mended = Sentences.marking("raccoon.comes", of: "stolen-pie", in: Self.file)
        #expect(await pair.server.admin(.put, Self.path, mended).status == 200)
        #expect(await last() == Sentences.mark + before)
        let ruled = Self.pie(
            version: 2, replacing: "\"healthPermille\": 550", by: "\"healthPermille\": 551")
        let refused = await pair.server.admin(.put, Self.path, ruled)
        #expect(refused.status == 409)
        #expect(refused.text.contains("give this one a higher \\\"version\\\""))
        await pair.server.server.drain()
    }

    @Test("a retired version goes back to the one before, and a draft is nobody's adventure")
    func retire() async throws {
        let pair = try await Pair.make(speed: 1000)
        let admin = pair.server.admin
        let draft = Self.pie(version: 3, replacing: "The Stolen Pie", by: "The Draft Pie")
        #expect(await admin(.put, Self.path + "?status=draft", draft).status == 200)
        #expect(await Self.pie(pair) == "stolen-pie/2.0: The Stolen Pie")
        #expect(await admin(.put, Self.path, draft).status == 200)
        #expect(await Self.pie(pair) == "stolen-pie/3.0: The Draft Pie")
        #expect(await admin(.delete, Self.path + "/3", nil).status == 200)
        #expect(await Self.pie(pair) == "stolen-pie/2.0: The Stolen Pie")
        #expect(await admin(.delete, Self.path + "/2", nil).status == 200)
        #expect(await Self.pie(pair) == nil)
        #expect(await Self.start("stolen-pie", pair).status == 404)
        #expect(await admin(.delete, Self.path + "/4", nil).status == 404)
        let packs = await admin(.get, "/v1/admin/packs", nil).body["packs"].array
        let pies = packs.filter { $0["id"].string == "stolen-pie" }
        #expect(pies.compactMap { $0["status"].string } == ["retired", "retired"])
        let audit = await admin(.get, "/v1/admin/audit", nil).text
        #expect(audit.contains("DELETE /v1/admin/packs/{pack}/{version}"))
        // The program brings version 2 again at the next start: retired it stays.
        await pair.server.server.drain()
        let next = try await TestServer(file: pair.server.file, clock: pair.server.clock)
        let again = await next.send(
            .get, "/v1/adventures", as: pair.panda.token
        ).body["adventures"].array
        #expect(again.count == EmbeddedPacks.documents.count - 1)
        await next.server.drain()
    }

    @Test("a pack that is wrong is refused with all its faults; warnings must be accepted")
    func faults() async throws {
        let server = try await TestServer()
        let wrong = Self.pie(version: 3, replacing: "\"exp\": 20", by: "\"expp\": 20")
        let refused = await server.admin(.put, Self.path, wrong)
        #expect(refused.status == 422)
        #expect(
            refused.body["detail"].string
                == "foes.magpie.exp: the field is missing\n"
                + "foes.magpie.expp: no such field; did you mean \"exp\"? Known are "
                + "damagePermille, healthPermille, exp")
        let title = EmbeddedPacks.document(named: "stolen-pie")?.texts.text("title", in: .japanese)
        let english = Self.pie(
            version: 3, replacing: "\"ja\": \"\(title ?? "")\",", by: "")
        let warned = await server.admin(.put, Self.path, english)
        #expect(warned.status == 422)
        #expect(
            warned.body["detail"].string?
                .contains("texts.ja: warning: 1 text is missing: title") == true)
        #expect(
            await server.admin(.put, Self.path + "?acceptWarnings=true", english).status == 200)
        let elsewhere = await server.admin(
            .put, "/v1/admin/packs/lost-egg", Self.pie(version: 3))
        #expect(elsewhere.status == 400)
        for body in ["[1]", "{"] {
            #expect(await server.admin(.put, Self.path, body).status == 400)
        }
        #expect(await server.admin(.put, Self.path).status == 422)
        #expect(await server.admin(.put, Self.path + "?status=old", english).status == 400)
        await server.server.drain()
    }

    @Test("a program whose pack has other rules than the file's does not start")
    func conflict() async throws {
        let file = TestServer.freshFile()
        let store = try await SQLiteStore.open(path: file)
        let ruled = try PackDocument(
            json: Array(Self.pie(version: 2, replacing: "550", by: "551").utf8))
        _ = try await store.add(
            [PackRecord(ruled, status: .published)], epoch: try await store.takeOwnership())
        await store.close()
        let error = await #expect(throws: PackError.self) {
            _ = try await TestServer(file: file)
        }
        #expect(
            error?.description
                == "The pack stolen-pie/2 is in the store with other rules, which adventures may be "
                + "using: give this one a higher \"version\".")
    }
}
