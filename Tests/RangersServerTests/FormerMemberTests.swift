import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import RangersServer
import Testing

/// C2: who has left a party still reads how its adventure ended, and nothing else.
@Suite("Former members", .timeLimit(.minutes(1)), .simulated)
struct FormerMemberTests {
    /// Panda leads, Egghead comes along.
    struct Pair {
        let server: TestServer
        let panda: TestPlayer
        let egghead: TestPlayer
        let party: String
        let code: String

        static func make(
            file: String = TestServer.freshFile(), rates: RateSettings = TestServer.patientRates,
            speed: Int64 = 60_000
        ) async throws -> Pair {
            let server = try await TestServer(file: file, speed: speed, rates: rates)
            let panda = try await TestPlayer.make("Power Panda", at: server)
            let egghead = try await TestPlayer.make("Egghead", at: server)
            let (party, code) = try await panda.found()
            try #require(await egghead.join(code).status == 200)
            return Pair(
                server: server, panda: panda, egghead: egghead, party: party, code: code)
        }

        var path: String { "/v1/parties/\(party)" }

        func leave(_ player: TestPlayer) async -> TestServer.Answer {
            await player.send(
                .post, path + "/actions", #"{"hero":"\#(player.hero)","action":"leave"}"#)
        }

        func start() async throws {
            try #require(await panda.send(.post, path + "/adventure").status == 201)
        }

        func end() async throws {
            try #require(await server.end(party) == 200)
        }
    }

    @Test("C2: who left sees nothing of the party while it plays, then how it ended")
    func outcome() async throws {
        let pair = try await Pair.make()
        try await pair.start()
        let left = await pair.leave(pair.egghead)
        #expect(left.status == 200)
        #expect(left.text == #"{"id":"\#(pair.party)","former":true,"adventure":null}"#)
        #expect(await pair.egghead.send(.get, pair.path).text == left.text)
        try await pair.end()
        let over = await pair.egghead.send(.get, pair.path + "?after=1")
        #expect(over.status == 200)
        #expect(
            over.text
                == #"{"id":"\#(pair.party)","former":true,"#
                + #""adventure":{"phase":"over","outcome":"endedByGameMaster"}}"#)
        let heroes = await pair.egghead.send(.get, "/v1/heroes")
        #expect(heroes.body["heroes"][0]["id"].string == pair.egghead.hero)
        await pair.server.server.drain()
    }

    @Test("C2: nothing else is open to who left")
    func nothingElse() async throws {
        let pair = try await Pair.make()
        try await pair.start()
        _ = await pair.leave(pair.egghead)
        for (method, path, body) in [
            (Method.post, "/adventure", "{}"), (.get, "/channel", ""),
            (.put, "/channel", #"{"language":"en"}"#), (.delete, "/channel", ""),
            (.post, "/actions", #"{"hero":"\#(pair.panda.hero)","action":"leave"}"#),
        ] {
            let answer = await pair.egghead.send(method, pair.path + path, body)
            #expect(answer.status == 404, "\(method) \(path)")
        }
        let stranger = try await TestPlayer.make("Stranger", at: pair.server)
        #expect(await stranger.send(.get, pair.path).status == 404)
        await pair.server.server.drain()
    }

    @Test("C2: the next adventure is not theirs, and returning makes them members again")
    func next() async throws {
        let pair = try await Pair.make()
        try await pair.start()
        _ = await pair.leave(pair.egghead)
        try await pair.end()
        #expect(await pair.egghead.send(.get, pair.path).status == 200)
        try await pair.start()
        #expect(await pair.egghead.send(.get, pair.path).status == 404)
        #expect(await pair.egghead.join(pair.code).status == 200)
        let state = await pair.egghead.send(.get, pair.path)
        #expect(state.body["heroes"].array.count == 2)
        #expect(state.body["former"].isNull)
        await pair.server.server.drain()
    }

    @Test("C2: the outcome stays open to who left after a restart")
    func restart() async throws {
        let pair = try await Pair.make()
        try await pair.start()
        _ = await pair.leave(pair.egghead)
        _ = await pair.leave(pair.panda)
        await pair.server.server.drain()
        let second = try await TestServer(
            file: pair.server.file, clock: VirtualClock(now: pair.server.clock.now))
        for player in [pair.panda, pair.egghead] {
            let seen = await player.moved(to: second).send(.get, pair.path)
            #expect(seen.body["adventure"]["outcome"].string == "abandoned")
        }
        await second.server.drain()
    }

    @Test("a party remembers 32 former members; those who may not return stay longest")
    func bound() {
        let now = WallTime(milliseconds: 1_800_000_000_000)
        var former = FormerMembers()
        former.noteKicked(PlayerID("kicked"), at: now)
        for number in 0..<40 { former.noteLeft(PlayerID("player-\(number)")) }
        #expect(former.entries.count == FormerMembers.countMax)
        #expect(former.keepsOut(PlayerID("kicked"), at: now))
        #expect(!former.seesOutcome(PlayerID("player-8")))
        #expect(former.seesOutcome(PlayerID("player-9")))
    }
}
