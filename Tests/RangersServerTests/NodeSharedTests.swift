import APNsClient
import Content
import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// What servers share through the database: packs, sessions, provider tokens, leaderboards and world
/// bosses.
@Suite("What several servers share", .timeLimit(.minutes(3)), .serialized)
struct NodeSharedTests {
    @Test("C3: a pack that one server stores can be played at the other until it is retired")
    func packs() async throws {
        let nodes = try await TwoNodes.make()
        let file = String(
            decoding: EmbeddedPacks.file(named: "stolen-pie") ?? [], as: UTF8.self
        ).replacing("\"version\": 2", with: "\"version\": 3")
        let player = try await TestPlayer.make("Panda", at: nodes.two)
        func versions(_ reader: TestPlayer) async -> [Double] {
            await reader.send(.get, "/v1/adventures").body["adventures"].array
                .filter { $0["id"].string == "stolen-pie" }.compactMap { $0["version"].number }
        }
        #expect(await versions(player) == [2])
        let path = "/v1/admin/packs/stolen-pie"
        let stored = await nodes.one.admin(.put, path, file)
        try #require(stored.status == 200, "\(stored.text)")
        #expect(await nodes.step { await versions(player) == [3] })
        // The same version with another text.
        let title = await Self.title(player)
        let corrected = file.replacing("\"\(title)\"", with: "\"Pie Day\"")
        try #require(corrected != file)
        let again = await nodes.one.admin(.put, path, corrected)
        try #require(again.status == 200, "\(again.text)")
        #expect(await nodes.step { await Self.title(player) == "Pie Day" })
        let party = try await player.found().id
        let started = await player.send(
            .post, "/v1/parties/\(party)/adventure", #"{"pack":"stolen-pie"}"#)
        #expect(started.status == 201, "\(started.text)")
        let retired = await nodes.two.admin(.delete, path + "/3")
        #expect(retired.status == 200, "\(retired.text)")
        let other = player.moved(to: nodes.one)
        #expect(await nodes.step { await versions(other) == [2] })
        try await nodes.end()
    }

    private static func title(_ reader: TestPlayer) async -> String {
        await reader.send(.get, "/v1/adventures").body["adventures"].array
            .first { $0["id"].string == "stolen-pie" }?["title"].string ?? ""
    }

    @Test("C2: a new hero of a player who was just blocked at another server has no name there")
    func blocks() async throws {
        let nodes = try await TwoNodes.make()
        let panda = try await TestPlayer.make("Panda", at: nodes.one)
        let foxy = try await TestPlayer.make("Foxy", at: nodes.two)
        #expect(await BlockTests.block(foxy, by: panda).status == 204)
        // It has read its own news, and the other server has not, when the hero is made.
        await nodes.one.step(forSeconds: 3)
        let made = await foxy.send(
            .post, "/v1/heroes", #"{"name":"Nosy","avatar":"🦊","heroType":"Sneak"}"#)
        let hero = HeroID(try #require(made.body["id"].string, "\(made.text)"))
        let names = nodes.one.server.game.names
        let isHidden = await nodes.step {
            names.view(of: PlayerID(panda.id)).replacement(of: hero) != nil
        }
        #expect(isHidden)
        try await nodes.end()
    }

    @Test("E2: a session of one server is valid at the other until it ends")
    func sessions() async throws {
        let nodes = try await TwoNodes.make()
        let browser = try await Browser(nodes.one).signedIn()
        let other = Browser(nodes.two, cookie: browser.cookie)
        #expect(await other.status() == 200)
        #expect(await other.send(.delete, "/v1/admin/session").status == 204)
        let isOut = await nodes.step { await browser.status() == 401 }
        #expect(isOut)
        try await nodes.end()
    }

    @Test("E2: a session that has just begun ends at all servers too")
    func youngSession() async throws {
        let nodes = try await TwoNodes.make()
        let browser = try await Browser(nodes.one).signedIn()
        let other = Browser(nodes.two, cookie: browser.cookie)
        #expect(await other.send(.delete, "/v1/admin/session").status == 204)
        #expect(await nodes.one.server.game.follow(.masters))
        #expect(await browser.status() == 401)
        try await nodes.end()
    }

    @Test("PR8: servers share the newest provider token")
    func providerTokens() async throws {
        let nodes = try await TwoNodes.make()
        let now = nodes.one.clock.now.milliseconds
        let token = StoredProviderToken(
            keyID: "KEYNUMBER1", teamID: "TEAM123456",
            token: ProviderToken(
                jwt: "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJURUFNIn0.c2lnbmF0dXJl",
                issuedAt: now / 1000),
            signedAt: now, noOtherBefore: now + 1_200_000)
        await nodes.one.apns.storage?.save(token)
        #expect(await nodes.two.apns.storage?.load() == [token])
        try await nodes.end()
    }

    @Test("C6: heroes of parties of both servers are on one board, at either")
    func leaderboards() async throws {
        let nodes = try await TwoNodes.make()
        for (name, server) in [("Panda", nodes.one), ("Egghead", nodes.two)] {
            let player = try await TestPlayer.make(name, at: server)
            let path = "/v1/parties/\(try await player.found().id)"
            let started = await player.send(
                .post, path + "/adventure", #"{"pack":"stolen-pie","difficulty":"gentle"}"#)
            try #require(started.status == 201, "\(started.text)")
            let isOver = await nodes.step {
                await player.send(.get, path).body["adventure"]["phase"].string == "over"
            }
            try #require(isOver)
        }
        for server in [nodes.one, nodes.two] {
            let reader = try await TestPlayer.make("Reader", at: server)
            let isComplete = await nodes.step {
                await reader.send(.get, "/v1/leaderboards/world").body["heroes"].number == 2
            }
            #expect(isComplete)
        }
        try await nodes.end()
    }

    @Test("C3: parties of both servers take one pool away, and win when it is empty")
    func world() async throws {
        let nodes = try await TwoNodes.make()
        let opened = await nodes.one.admin(.post, "/v1/admin/world", #"{"heroShifts":1}"#)
        try #require(opened.status == 201, "\(opened.text)")
        var parties: [(player: TestPlayer, path: String)] = []
        for (name, server) in [("Panda", nodes.one), ("Egghead", nodes.two)] {
            let player = try await TestPlayer.make(name, at: server)
            let isOpen = await nodes.step {
                await player.send(.get, "/v1/world").body["status"].string == "open"
            }
            try #require(isOpen)
            parties.append((player, "/v1/parties/\(try await player.found().id)"))
        }
        for (player, path) in parties {
            let started = await player.send(
                .post, path + "/adventure", #"{"pack":"kraken-tide","difficulty":"gentle"}"#)
            try #require(started.status == 201, "\(started.text)")
        }
        for (player, path) in parties {
            let isWon = await nodes.step {
                let party = await player.send(.get, path).body
                return party["adventure"]["outcome"].string == "worldBossDefeated"
            }
            #expect(isWon)
            let events = await player.send(.get, path + "?after=0").body["events"].array
            #expect(events.contains { $0["kind"].string == "worldHit" })
        }
        for server in [nodes.one, nodes.two] {
            let events = await server.admin(.get, "/v1/admin/world").body["events"].array
            #expect(events.compactMap { $0["remaining"].number } == [0])
        }
        try await nodes.end()
    }

    @Test("A8: a round that one server opens has its channels soon, whichever server leads")
    func followers() async throws {
        let channels = FakeChannels()
        let nodes = try await TwoNodes.make(channels: channels)
        let leaders = await nodes.one.admin(.get, "/v1/admin/nodes").body["nodes"].array
            .filter { $0["leads"].bool == true }.compactMap { $0["name"].string }
        let (leader, other) =
            try #require(leaders.first) == "one" ? (nodes.one, nodes.two) : (nodes.two, nodes.one)
        // Within this time a server that did not lead has looked whether it does now.
        for server in [leader, other] { await server.step(forSeconds: 11) }
        let began = leader.clock.now
        let opened = await other.admin(.post, "/v1/admin/world", #"{"heroShifts":1}"#)
        try #require(opened.status == 201, "\(opened.text)")
        #expect(await nodes.step { channels.created == Language.allCases.count })
        // By itself the leader looks once a minute.
        #expect(leader.clock.now < began.adding(seconds: 30))
        try await nodes.end()
    }
}
