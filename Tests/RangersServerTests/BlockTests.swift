import APNsClient
import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import RangersServer
import Testing

/// C2: players who do not want to meet.
@Suite("Blocked players", .timeLimit(.minutes(2)), .simulated)
struct BlockTests {
    private typealias Pair = FormerMemberTests.Pair

    static func block(_ blocked: TestPlayer, by player: TestPlayer) async -> TestServer.Answer {
        await player.send(.put, "/v1/players/me/blocks/\(blocked.id)", "{}")
    }

    static func unblock(_ blocked: TestPlayer, by player: TestPlayer) async -> TestServer.Answer {
        await player.send(.delete, "/v1/players/me/blocks/\(blocked.id)")
    }

    private static func join(
        _ code: String, _ player: TestPlayer, anyway: Bool
    ) async -> TestServer.Answer {
        await player.send(
            .post, "/v1/parties/join",
            #"{"inviteCode":"\#(code)","hero":"\#(player.hero)","anyway":\#(anyway)}"#)
    }

    @Test("C2: blocks are listed, and written and removed as often as asked")
    func list() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let foxy = try await TestPlayer.make("Foxy", at: server)
        for _ in 1...2 { #expect(await Self.block(foxy, by: panda).status == 204) }
        let listed = await panda.send(.get, "/v1/players/me/blocks")
        #expect(listed.body["blocks"].array.map { $0["player"].string } == [foxy.id])
        #expect(listed.body["blocks"][0]["blockedAt"].number != nil)
        for _ in 1...2 { #expect(await Self.unblock(foxy, by: panda).status == 204) }
        #expect(await panda.send(.get, "/v1/players/me/blocks").text == #"{"blocks":[]}"#)
        #expect(await Self.block(panda, by: panda).status == 409)
        #expect(
            await panda.send(.put, "/v1/players/me/blocks/player-nobody", "{}").status == 404)
        await server.server.drain()
    }

    @Test("C2: a player blocks at most 100 players, whatever arrives at once")
    func limit() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        var others: [TestPlayer] = []
        for number in 0..<FairLimitTests.atOnce {
            others.append(try await TestPlayer.make("Hero \(number)", at: server))
        }
        let all = others
        let (statuses, details) = await FairLimitTests.storm { number in
            await Self.block(all[number], by: panda)
        }
        #expect(statuses == [204: 100, 409: 100])
        #expect(details == ["A player can block at most 100 players."])
        let listed = await panda.send(.get, "/v1/players/me/blocks").body["blocks"].array
        #expect(listed.count == 100)
        await server.server.drain()
    }

    @Test("C2: who is blocked by the leader cannot join, until another leads or the block goes")
    func leader() async throws {
        let pair = try await Pair.make()
        let foxy = try await TestPlayer.make("Foxy", at: pair.server)
        #expect(await Self.block(foxy, by: pair.panda).status == 204)
        let refused = await foxy.join(pair.code)
        #expect(refused.status == 403)
        #expect(refused.body["detail"].string?.contains("blocked") == false)
        #expect(await Self.join(pair.code, foxy, anyway: true).status == 403)
        #expect(await Self.unblock(foxy, by: pair.panda).status == 204)
        #expect(await foxy.join(pair.code).status == 200)
        // A block removes nobody who is there already.
        #expect(await Self.block(foxy, by: pair.panda).status == 204)
        #expect(await foxy.send(.get, pair.path).status == 200)
        #expect(await pair.panda.send(.post, "/v1/parties/nobody/code").status == 404)
        await pair.server.server.drain()
        let report = await Replay.report(file: pair.server.file, party: nil)
        #expect(report.differences == [])
    }

    @Test("C2: a member's block keeps nobody out")
    func member() async throws {
        let pair = try await Pair.make()
        let foxy = try await TestPlayer.make("Foxy", at: pair.server)
        #expect(await Self.block(foxy, by: pair.egghead).status == 204)
        #expect(await foxy.join(pair.code).status == 200)
        await pair.server.server.drain()
    }

    @Test("C2: who joins a party with a player they have blocked is warned, and may join anyway")
    func warned() async throws {
        let pair = try await Pair.make()
        let foxy = try await TestPlayer.make("Foxy", at: pair.server)
        #expect(await Self.block(pair.egghead, by: foxy).status == 204)
        for answer in [
            await foxy.join(pair.code), await Self.join(pair.code, foxy, anyway: false),
        ] {
            #expect(answer.status == 409)
            #expect(answer.body["detail"].string?.contains(#""anyway": true"#) == true)
        }
        #expect(await Self.join(pair.code, foxy, anyway: true).status == 200)
        #expect(await foxy.join(pair.code).status == 200)
        await pair.server.server.drain()
    }

    @Test("C2: of 200 joins and blocks at once none joins after the block")
    func atOnce() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let code = try await panda.found().code
        let foxy = try await TestPlayer.make("Foxy", at: server)
        let (statuses, _) = await FairLimitTests.storm { number in
            guard number != 100 else { return await Self.block(foxy, by: panda) }
            return await FairLimitTests.patiently { await foxy.join(code) }
        }
        #expect(statuses[204] == 1)
        let isIn = (statuses[200] ?? 0) > 0
        #expect((statuses[200] ?? 0) + (statuses[403] ?? 0) == 199)
        // Once in, joining again changes nothing; once blocked, nobody comes in.
        #expect(await foxy.join(code).status == (isIn ? 200 : 403))
        await server.server.drain()
    }

    // MARK: Names

    /// Every text in which the player could read the name: the party and all that was pushed.
    private static func sees(_ name: String, _ player: TestPlayer, _ pair: Pair) async -> Bool {
        let texts = [
            await player.send(.get, pair.path).text,
            await player.send(.get, pair.path + "?after=0").text,
            await player.send(.get, "/v1/parties").text,
        ]
        return texts.contains { $0.contains(name) }
    }

    @Test("C2: a blocked player's hero is avatar and class to who blocked them, and only to them")
    func names() async throws {
        let pair = try await Pair.make()
        let foxy = try await TestPlayer.make("Foxy", at: pair.server)
        #expect(await foxy.join(pair.code).status == 200)
        #expect(await pair.panda.watch("panda", token: "aa").status == 204)
        #expect(await foxy.watch("foxy", token: "ff").status == 204)
        #expect(await Self.block(pair.egghead, by: foxy).status == 204)
        #expect(await !Self.sees("Egghead", foxy, pair))
        #expect(await foxy.send(.get, pair.path).text.contains("🐼 Forest Dweller"))
        #expect(await Self.sees("Egghead", pair.panda, pair))
        try await pair.start()
        let leave = await pair.leave(pair.egghead)
        #expect(leave.status == 200)
        let texts = { (token: String) in
            pair.server.apns.pushes.filter { $0.request.token.hex == token }
                .compactMap { $0.aps["content-state"]["eventDescription"].string }
        }
        #expect(
            await pair.server.step {
                texts("aa").contains { Sentences.of("hero.leaves", "Egghead").contains($0) }
            })
        #expect(
            await pair.server.step {
                texts("ff").contains {
                    Sentences.of("hero.leaves", "🐼 Forest Dweller").contains($0)
                }
            })
        #expect(texts("ff").allSatisfy { !$0.contains("Egghead") })
        #expect(await !Self.sees("Egghead", foxy, pair))
        #expect(await Self.unblock(pair.egghead, by: foxy).status == 204)
        #expect(await Self.sees("Egghead", foxy, pair))
        await pair.server.server.drain()
    }

    @Test("C2: a new hero of a blocked player has no name either, also after a restart")
    func laterHero() async throws {
        let pair = try await Pair.make()
        #expect(await Self.block(pair.egghead, by: pair.panda).status == 204)
        let yolk = try await pair.egghead.anotherHero("Yolk")
        #expect(await Self.unblock(pair.egghead, by: pair.panda).status == 204)
        #expect(await yolk.join(pair.code).status == 200)
        #expect(await Self.sees("Yolk", pair.panda, pair))
        #expect(await Self.block(pair.egghead, by: pair.panda).status == 204)
        #expect(await !Self.sees("Yolk", pair.panda, pair))
        await pair.server.server.drain()
        let second = try await TestServer(file: pair.server.file)
        let later = Pair(
            server: second, panda: pair.panda.moved(to: second),
            egghead: pair.egghead.moved(to: second), party: pair.party, code: pair.code)
        #expect(await !Self.sees("Yolk", later.panda, later))
        #expect(await Self.sees("Yolk", later.egghead, later))
        await second.server.drain()
    }
}
