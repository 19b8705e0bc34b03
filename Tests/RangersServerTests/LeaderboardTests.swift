import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("C6: leaderboards", .timeLimit(.minutes(2)), .simulated)
struct LeaderboardTests {
    typealias Pair = FormerMemberTests.Pair
    static let path = "/v1/leaderboards/"

    /// Plays the pack to its end.
    static func play(_ pair: Pair, _ pack: String = "stolen-pie") async throws {
        let started = await pair.panda.send(
            .post, pair.path + "/adventure", #"{"pack":"\#(pack)","difficulty":"gentle"}"#)
        try #require(started.status == 201, "\(started.text)")
        let isOver = await pair.server.step {
            let party = await pair.panda.send(.get, pair.path).body
            return party["adventure"]["phase"].string == "over"
        }
        try #require(isOver)
    }

    static func names(in lines: [Value]) -> [String?] {
        lines.map { $0["hero"]["name"].string }
    }

    @Test("the end of an adventure puts its heroes on the boards; replay gives the same")
    func boards() async throws {
        let pair = try await Pair.make()
        try await Self.play(pair)
        let friends = await pair.panda.send(.get, Self.path + "friends").body
        let lines = friends["lines"].array
        #expect(lines.compactMap { $0["rank"].number } == [1, 1])
        let points = try #require(lines.first?["points"].number)
        // A pie counts 40: won at gentle by two, 31.
        #expect((1...31).contains(points))
        #expect(Set(Self.names(in: lines)) == ["Power Panda", "Egghead"])
        let party = await pair.panda.send(.get, pair.path).body
        #expect(party["heroes"].array.compactMap { $0["score"].number } == [points, points])
        #expect((party["adventure"]["score"].number ?? 0) >= points)
        let world = await pair.panda.send(.get, Self.path + "world").body
        #expect(world["heroes"].number == 2)
        #expect(world["around"].array.count == 2)
        let export = await pair.panda.send(.get, "/v1/me/export").body
        #expect(export["results"].array.compactMap { $0["points"].number } == [points])
        let met = export["companions"].array.compactMap { $0["player"].string }
        #expect(met == [pair.egghead.id])
        await pair.server.server.drain()
        #expect(await Replay.report(file: pair.server.file, party: nil).differences == [])
    }

    @Test("a stranger on the board of all has neither a name nor an id")
    func strangers() async throws {
        let pair = try await Pair.make()
        try await Self.play(pair)
        let stranger = try await TestPlayer.make("Nosy", at: pair.server)
        let seen = await stranger.send(.get, Self.path + "world")
        #expect(seen.body["top"].array.count == 2)
        #expect(seen.body["around"].array.isEmpty)
        for secret in ["Panda", "Egghead", pair.panda.hero, pair.panda.id, pair.egghead.id] {
            #expect(!seen.text.contains(secret))
        }
        let own = await pair.panda.send(.get, Self.path + "world")
        #expect(own.text.contains("Power Panda"))
        #expect(!own.text.contains("Egghead"))
        let friends = await stranger.send(.get, Self.path + "friends").body["lines"].array
        #expect(friends.isEmpty)
        let parties = await stranger.send(.get, Self.path + "party")
        #expect(parties.body["parties"].array.first?["title"].string == "The Stolen Pie")
        #expect(!parties.text.contains("Panda"))
        let members = await pair.panda.send(.get, Self.path + "party?pack=stolen-pie")
        #expect(members.text.contains("Power Panda") && members.text.contains("Egghead"))
        await pair.server.server.drain()
    }

    @Test("a blocked player leaves the board of friends, both ways")
    func blocked() async throws {
        let pair = try await Pair.make()
        try await Self.play(pair)
        let block = "/v1/players/me/blocks/\(pair.egghead.id)"
        #expect(await pair.panda.send(.put, block).status == 204)
        for player in [pair.panda, pair.egghead] {
            let lines = await player.send(.get, Self.path + "friends").body["lines"].array
            #expect(Self.names(in: lines) == [player.name])
        }
        // As everywhere, a member whom the player has blocked has no name.
        let parties = await pair.panda.send(.get, Self.path + "party")
        #expect(!parties.text.contains("Egghead"))
        await pair.server.server.drain()
    }

    @Test("a replaced name is replaced on the boards")
    func hidden() async throws {
        let pair = try await Pair.make()
        try await Self.play(pair)
        let decided = await pair.server.admin(
            .put, "/v1/admin/heroes/\(pair.egghead.hero)/name", #"{"decision":"hide"}"#)
        #expect(decided.status == 200, "\(decided.text)")
        let friends = await pair.panda.send(.get, Self.path + "friends")
        #expect(!friends.text.contains("Egghead"))
        await pair.server.server.drain()
    }

    @Test("training has no score")
    func scoreless() async throws {
        let pair = try await Pair.make()
        try await Self.play(pair, "training")
        let world = await pair.panda.send(.get, Self.path + "world").body
        #expect(world["heroes"].number == 0)
        let party = await pair.panda.send(.get, pair.path)
        #expect(!party.text.contains(#""score""#))
        await pair.server.server.drain()
    }

    @Test("a game master's end counts nothing")
    func assisted() async throws {
        let pair = try await Pair.make()
        let started = await pair.panda.send(
            .post, pair.path + "/adventure", #"{"pack":"stolen-pie"}"#)
        #expect(started.status == 201)
        try await pair.end()
        let world = await pair.panda.send(.get, Self.path + "world").body
        #expect(world["heroes"].number == 0)
        await pair.server.server.drain()
    }

    @Test("a query that names no board is refused, with what would be right")
    func queries() async throws {
        let pair = try await Pair.make()
        let season = await pair.panda.send(.get, Self.path + "world").body["season"].number
        let current = try #require(season.map { Int($0) })
        let expected = [
            ("world?season=\(current)", 200), ("world?season=\(current - 1)", 200),
            ("world?season=\(current - 2)", 404), ("world?season=\(current + 1)", 404),
            ("friends?season=x", 400), ("friends?pack=stolen-pie", 400),
            ("party?season=-1", 400), ("party?pack=no-such", 404), ("party?pack=stolen-pie", 200),
        ]
        for (query, status) in expected {
            let answer = await pair.panda.send(.get, Self.path + query)
            #expect(answer.status == status, "\(query): \(answer.text)")
        }
        await pair.server.server.drain()
    }

    @Test("a player who deletes the account leaves the boards")
    func deleted() async throws {
        let pair = try await Pair.make()
        try await Self.play(pair)
        let deleted = await pair.egghead.send(.delete, "/v1/me")
        #expect((200...204).contains(deleted.status), "\(deleted.text)")
        let isGone = await pair.server.step {
            await pair.panda.send(.get, Self.path + "world").body["heroes"].number == 1
        }
        #expect(isGone)
        // The first lines are shared for two seconds.
        await pair.server.step(forSeconds: 2)
        let world = await pair.panda.send(.get, Self.path + "world").body
        #expect(world["top"].array.count == 1)
        #expect(world["topAt"].number == Double(pair.server.clock.now.milliseconds))
        #expect(!(await pair.panda.send(.get, Self.path + "party")).text.contains("Egghead"))
        await pair.server.server.drain()
    }
}
