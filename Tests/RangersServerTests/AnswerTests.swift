import GameLogic
import HTTPServer
import PartyStore
import Testing

@testable import RangersServer

@Suite("C5: questions of an adventure", .timeLimit(.minutes(1)), .simulated)
struct AnswerTests {
    typealias Pair = FormerMemberTests.Pair

    /// Starts the pie and waits until the heroes stand at its hedge. Returns the question.
    static func reachFork(_ pair: Pair) async throws -> Int {
        try await reach("fork", in: "stolen-pie", pair)
    }

    /// Starts a pack and waits until it asks this. Returns the question.
    private static func reach(_ kind: String, in pack: String, _ pair: Pair) async throws -> Int {
        let begun = await pair.panda.send(
            .post, pair.path + "/adventure", #"{"pack":"\#(pack)","difficulty":"gentle"}"#)
        try #require(begun.status == 201)
        #expect(begun.body["adventure"]["difficulty"].string == "gentle")
        var id: Int?
        _ = await pair.server.step {
            let asks = await pair.panda.send(.get, pair.path).body["adventure"]["asks"].array
            id = asks.first { $0["kind"].string == kind }?["id"].number.map { Int($0) }
            return id != nil
        }
        return try #require(id)
    }

    private static func answer(
        _ ask: Int, _ player: TestPlayer, _ pair: Pair, yes: Bool = true, as hero: String? = nil
    ) async -> Int {
        await player.send(
            .post, pair.path + "/answers",
            #"{"hero":"\#(hero ?? player.hero)","ask":\#(ask),"yes":\#(yes)}"#
        ).status
    }

    @Test("players vote for a way; the last answer counts, and the vote ends when it is decided")
    func fork() async throws {
        let pair = try await Pair.make(speed: 1000)
        let ask = try await Self.reachFork(pair)
        let shown = await pair.panda.send(.get, pair.path).body["adventure"]["asks"].array
            .first { $0["kind"].string == "fork" }
        #expect(shown?["button"].string == "Hedge!")
        #expect(shown?["endsAt"].number != nil)
        #expect(await Self.answer(ask, pair.panda, pair, as: pair.egghead.hero) == 403)
        #expect(await Self.answer(ask + 7, pair.panda, pair) == 409)
        for _ in 0..<2 {
            let kept = await pair.panda.send(
                .post, pair.path + "/answers",
                #"{"hero":"\#(pair.panda.hero)","ask":\#(ask),"yes":true}"#, key: "vote")
            #expect(kept.status == 204)
        }
        #expect(await Self.answer(ask, pair.panda, pair) == 204)
        // Again changes nothing.
        #expect(await Self.answer(ask, pair.panda, pair) == 204)
        #expect(await Self.answer(ask, pair.egghead, pair) == 204)
        #expect(await Self.answer(ask, pair.panda, pair) == 409)
        let events = await pair.panda.send(.get, pair.path + "?after=0").body["events"].array
        let taken = events.last { $0["kind"].string == "forkTaken" }?["description"].string
        #expect(Sentences.of("stolen-pie/2.hedge.bold").contains(taken ?? ""))
        await pair.server.server.drain()
        #expect(await Replay.report(file: pair.server.file, party: nil).differences == [])
    }

    @Test("players stop between two bosses: the adventure is over, with no victory and no defeat")
    func stop() async throws {
        let pair = try await Pair.make(speed: 1000)
        let ask = try await Self.reach("stop", in: "titan-rush", pair)
        let shown = await pair.panda.send(.get, pair.path).body["adventure"]["asks"].array
            .first { $0["kind"].string == "stop" }
        #expect(shown?["button"].string == "Stop here")
        #expect(shown?["endsAt"].number != nil)
        #expect(await Self.answer(ask, pair.panda, pair) == 204)
        #expect(
            await pair.panda.send(.get, pair.path).body["adventure"]["phase"].string == "quest")
        #expect(await Self.answer(ask, pair.egghead, pair) == 204)
        let over = await pair.panda.send(.get, pair.path + "?after=0").body
        #expect(over["adventure"]["outcome"].string == "stopped")
        #expect(
            over["events"].array.suffix(2).map { $0["kind"].string } == [
                "stopped", "adventureOver",
            ])
        let said = over["events"].array.last?["description"].string ?? ""
        #expect(Sentences.of("titan-rush/1.ends.party").contains(said))
        await pair.server.server.drain()
        #expect(await Replay.report(file: pair.server.file, party: nil).differences == [])
    }

    @Test("200 answers at once decide a question once")
    func atOnce() async throws {
        let pair = try await Pair.make(speed: 1000)
        let ask = try await Self.reachFork(pair)
        let accepted = await withTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                let player = number.isMultiple(of: 2) ? pair.panda : pair.egghead
                group.addTask { await Self.answer(ask, player, pair) }
            }
            return await group.reduce(into: 0) { $0 += $1 == 204 ? 1 : 0 }
        }
        #expect((2...200).contains(accepted))
        let events = await pair.panda.send(.get, pair.path + "?after=0").body["events"].array
        #expect(events.count { $0["kind"].string == "forkTaken" } == 1)
        await pair.server.server.drain()
    }

    @Test("a difficulty must be opened")
    func difficulty() async throws {
        let pair = try await Pair.make()
        func start(_ body: String) async -> TestServer.Answer {
            await pair.panda.send(.post, pair.path + "/adventure", body)
        }
        let locked = await start(#"{"pack":"forest-quest","difficulty":"heroic"}"#)
        #expect(locked.status == 409)
        #expect(locked.body["detail"].string == "\"heroic\" requires a victory at \"hard\".")
        #expect(await start(#"{"pack":"forest-quest","difficulty":"silly"}"#).status == 400)
        #expect(await start(#"{"pack":"forest-quest","difficulty":"hard"}"#).status == 201)
        let bag = await pair.panda.send(.get, "/v1/heroes/\(pair.panda.hero)/bag")
        let open = bag.body["difficulties"].array.compactMap(\.string)
        #expect(open == ["gentle", "normal", "hard"])
        await pair.server.server.drain()
    }
}
