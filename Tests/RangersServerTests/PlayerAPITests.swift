import Foundation
import GameLogic
import HTTPServer
import Isolation
import PushPolicy
import RangersServer
import Testing

@Suite("Players, heroes, parties", .timeLimit(.minutes(1)), .simulated)
struct PlayerAPITests {
    @Test("D4: a player gets a token once, and is known by it")
    func register() async throws {
        let server = try await TestServer()
        let player = try await TestPlayer.make("Power Panda", at: server)
        let heroes = await player.send(.get, "/v1/heroes")
        #expect(heroes.status == 200)
        #expect(heroes.body["heroes"][0]["name"].string == "Power Panda")
        #expect(heroes.body["heroes"][0]["healthLevel"].number == 1)
        #expect(heroes.body["heroes"][0]["level"].number == 1)
        await server.server.drain()
    }

    @Test("D5: an app fills the attributes of its Live Activity from any hero of a response")
    func attributes() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        let created = await panda.send(
            .post, "/v1/heroes", #"{"name":"Egghead","avatar":"🥚","heroType":"Free Rangers"}"#)
        let id = try #require(created.body["id"].string)
        let ranger = try JSONDecoder().decode(EmojiRanger.self, from: Data(created.text.utf8))
        let hero = Hero(
            id: HeroID(id), owner: PlayerID(panda.id), name: "Egghead", avatar: "🥚",
            heroType: "Free Rangers")
        #expect(ranger == AdventureAttributes(of: hero).hero)
        #expect(ranger.bio == HeroClass.striker.bio)
        #expect(ranger.url == "game:///\(id)" && ranger.battleCode == "game:///\(id)/battle")
        let shown = await panda.send(.get, "/v1/parties/\(party.id)").body["heroes"][0]
        let mine = await panda.send(.get, "/v1/me").body["heroes"].array
        #expect(mine.count == 2)
        let me = try #require(mine.first { $0["id"].string == panda.hero })
        for field in ["url", "battleCode", "bio"] {
            #expect(shown[field].string != nil)
            #expect(me[field].string == shown[field].string)
        }
        await server.server.drain()
    }

    @Test("D4: the bearer token is not in the file, its hash is")
    func tokenIsHashed() async throws {
        let server = try await TestServer()
        let player = try await TestPlayer.make("Power Panda", at: server)
        await server.server.drain()
        #expect(try !FileBytes.of(server.file).contains(player.token))
        #expect(!server.logged.withLock { $0 }.contains(player.token))
    }

    @Test("C2: joining again changes nothing and returns the same response")
    func idempotentJoin() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let egghead = try await TestPlayer.make("Egghead", at: server)
        let party = try await panda.found()
        let first = await egghead.join(party.code)
        let second = await egghead.join(party.code.lowercased())
        #expect(first.status == 200)
        #expect(second.status == 200)
        #expect(first.text == second.text)
        #expect(second.body["heroes"].array.count == 2)
        await server.server.drain()
    }

    @Test("C2: a hero is in one party only")
    func onePartyAHero() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        let again = await panda.send(.post, "/v1/parties", #"{"hero":"\#(panda.hero)"}"#)
        #expect(again.status == 409)
        await server.server.drain()
    }

    @Test("C2: when the leader leaves, the next hero's player leads")
    func succession() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let egghead = try await TestPlayer.make("Egghead", at: server)
        let party = try await panda.found()
        _ = await egghead.join(party.code)
        let refused = await egghead.send(.post, "/v1/parties/\(party.id)/adventure")
        #expect(refused.status == 403)
        let left = await panda.send(
            .post, "/v1/parties/\(party.id)/actions",
            #"{"hero":"\#(panda.hero)","action":"leave"}"#)
        #expect(left.status == 200)
        let started = await egghead.send(.post, "/v1/parties/\(party.id)/adventure")
        #expect(started.status == 201)
        #expect(started.body["leader"].string == egghead.id)
        await server.server.drain()
    }

    @Test("the party is full with eight heroes")
    func fullParty() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        for number in 2...8 {
            let answer = try await TestPlayer.make("Hero \(number)", at: server).join(party.code)
            #expect(answer.status == 200)
        }
        let ninth = try await TestPlayer.make("Hero 9", at: server).join(party.code)
        #expect(ninth.status == 409)
        #expect(ninth.body["detail"].string?.contains("8") == true)
        await server.server.drain()
    }

    @Test("the API responds in the client's language")
    func languages() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        _ = await panda.send(.post, "/v1/parties/\(party.id)/adventure")
        let path = "/v1/parties/\(party.id)"
        let english = await server.send(.get, path, as: panda.token, language: "tlh, en;q=0.5")
        let french = await server.send(.get, path, as: panda.token, language: "tlh, fr-CA;q=0.5")
        let japanese = await server.send(.get, path, as: panda.token, language: "ja-JP")
        for (answer, language) in [
            (english, Language.english), (french, .french), (japanese, .japanese),
        ] {
            let said = answer.body["events"].array.last?["description"].string
            #expect(Sentences.of("classic/1.begins", in: language).contains(said ?? ""))
        }
        await server.server.drain()
    }
}
