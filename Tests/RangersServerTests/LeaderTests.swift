import APNsClient
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import RangersServer
import Testing

/// C2: what a leader may do, by the front door.
@Suite("Kick, promote, disband", .timeLimit(.minutes(2)), .simulated)
struct LeaderTests {
    private typealias Pair = FormerMemberTests.Pair

    private static func kick(_ hero: TestPlayer, _ pair: Pair, by leader: TestPlayer) async
        -> TestServer.Answer
    {
        await leader.send(.post, pair.path + "/members/\(hero.hero)/kick", "{}")
    }

    private static func promote(_ hero: TestPlayer, _ pair: Pair, by leader: TestPlayer) async
        -> TestServer.Answer
    {
        await leader.send(.put, pair.path + "/leader", #"{"hero":"\#(hero.hero)"}"#)
    }

    /// Stops the server and compares the file with its replay.
    private static func finish(_ pair: Pair) async {
        await pair.server.server.drain()
        let report = await Replay.report(file: pair.server.file, party: nil)
        #expect(report.parties > 0)
        #expect(report.differences == [])
    }

    @Test("C2: a kicked hero goes home with what it earned, in the words of leaving")
    func kick() async throws {
        let pair = try await Pair.make()
        #expect(await pair.egghead.watch("egg", token: "ee").status == 204)
        try await pair.start()
        _ = await pair.server.step { pair.server.apns.pushes.count > 12 }
        let before = await pair.egghead.send(.get, pair.path).body["heroes"][1]["exp"].number
        let kicked = await Self.kick(pair.egghead, pair, by: pair.panda)
        #expect(kicked.status == 200)
        #expect(kicked.body["heroes"].array.count == 1)
        let words = kicked.body["events"].array.compactMap { $0["description"].string }
        #expect(words.contains { Sentences.of("hero.leaves", "Egghead").contains($0) })
        #expect(
            await pair.server.step {
                pair.server.apns.pushes.last { $0.request.token.hex == "ee" }?.aps["event"].string
                    == "end"
            })
        let home = await pair.egghead.send(.get, "/v1/heroes").body["heroes"][0]
        #expect(try #require(home["exp"].number) >= (try #require(before)))
        #expect(await pair.egghead.send(.get, pair.path).text.contains(#""former":true"#))
        let party = try await pair.egghead.found()
        #expect(party.id != pair.party)
        await Self.finish(pair)
    }

    @Test("C2: a kicked player returns after a day, not before, with no hero, and after a restart")
    func keptOut() async throws {
        let pair = try await Pair.make()
        #expect(await Self.kick(pair.egghead, pair, by: pair.panda).status == 200)
        let another = try await pair.egghead.anotherHero("Yolk")
        let code = try await Self.code(pair)
        for hero in [pair.egghead, another] {
            let refused = await hero.join(code)
            #expect(refused.status == 409)
            #expect(refused.body["detail"].string?.contains("24 hours") == true)
        }
        await pair.server.server.drain()
        for (hours, status) in [(Int64(23), 409), (25, 200)] {
            let time = pair.server.clock.now.adding(seconds: hours * 3600)
            let later = try await TestServer(
                file: pair.server.file, clock: VirtualClock(now: time))
            let code = try await Self.code(
                Pair(
                    server: later, panda: pair.panda.moved(to: later),
                    egghead: pair.egghead.moved(to: later), party: pair.party, code: ""))
            #expect(await pair.egghead.moved(to: later).join(code).status == status)
            await later.server.drain()
        }
    }

    @Test("PR12: a kick by a clock that was years ahead keeps a player out for a day")
    func wrongClock() async throws {
        let ahead = VirtualClock(now: WallTime(milliseconds: 2_500_000_000_000))
        let first = try await TestServer(clock: ahead)
        let panda = try await TestPlayer.make("Power Panda", at: first)
        let egghead = try await TestPlayer.make("Egghead", at: first)
        let (party, code) = try await panda.found()
        _ = await egghead.join(code)
        _ = await panda.send(.post, "/v1/parties/\(party)/members/\(egghead.hero)/kick", "{}")
        await first.server.drain()
        let right = VirtualClock()
        for (hours, status) in [(Int64(0), 409), (25, 200)] {
            let time = right.now.adding(seconds: hours * 3600)
            let server = try await TestServer(file: first.file, clock: VirtualClock(now: time))
            let pair = Pair(
                server: server, panda: panda.moved(to: server),
                egghead: egghead.moved(to: server), party: party, code: "")
            #expect(await pair.egghead.join(try await Self.code(pair)).status == status)
            await server.server.drain()
        }
    }

    /// The party's code, renewed by its leader.
    private static func code(_ pair: Pair) async throws -> String {
        let renewed = await pair.panda.send(.post, pair.path + "/code", "{}")
        return try #require(renewed.body["inviteCode"].string)
    }

    @Test("C2: of 200 kicks at once all succeed and one counts")
    func kicksAtOnce() async throws {
        let pair = try await Pair.make()
        let version = await pair.panda.send(.get, pair.path).body["version"].number
        let (statuses, _) = await FairLimitTests.storm { _ in
            await FairLimitTests.patiently { await Self.kick(pair.egghead, pair, by: pair.panda) }
        }
        #expect(statuses == [200: 200])
        let after = await pair.panda.send(.get, pair.path)
        #expect(after.body["version"].number == version.map { $0 + 1 })
        await Self.finish(pair)
    }

    @Test("C2: only the leader kicks, and not their own hero or a stranger's")
    func kickRefused() async throws {
        let pair = try await Pair.make()
        #expect(await Self.kick(pair.panda, pair, by: pair.egghead).status == 403)
        #expect(await Self.kick(pair.panda, pair, by: pair.panda).status == 409)
        let stranger = try await TestPlayer.make("Stranger", at: pair.server)
        #expect(await Self.kick(stranger, pair, by: pair.panda).status == 409)
        #expect(await Self.kick(pair.egghead, pair, by: stranger).status == 404)
        #expect(await pair.panda.send(.get, pair.path).body["heroes"].array.count == 2)
        await Self.finish(pair)
    }

    @Test("C2: a leader hands over, on an adventure too, and asking again changes nothing")
    func promote() async throws {
        let pair = try await Pair.make()
        #expect(await Self.promote(pair.egghead, pair, by: pair.egghead).status == 403)
        try await pair.start()
        for _ in 0..<10 { await pair.server.step() }
        let promoted = await Self.promote(pair.egghead, pair, by: pair.panda)
        #expect(promoted.status == 200)
        #expect(promoted.body["leader"].string == pair.egghead.id)
        #expect(promoted.body["heroes"][0]["id"].string == pair.egghead.hero)
        #expect(await Self.promote(pair.egghead, pair, by: pair.panda).status == 200)
        #expect(await Self.promote(pair.panda, pair, by: pair.panda).status == 403)
        _ = await pair.server.step {
            await pair.panda.send(.get, pair.path).body["adventure"]["phase"].string == "over"
        }
        #expect(await pair.panda.send(.post, pair.path + "/adventure").status == 403)
        #expect(await pair.egghead.send(.post, pair.path + "/adventure").status == 201)
        await Self.finish(pair)
    }

    @Test("C2: a new leader is on their own card at low priority, and on no other")
    func newLeader() async throws {
        let pair = try await Pair.make()
        #expect(await pair.panda.watch("panda", token: "aa").status == 204)
        #expect(await pair.egghead.watch("egg", token: "ee").status == 204)
        try await pair.start()
        await pair.server.untilAsleep()
        let before = pair.server.apns.pushes.count
        let promoted = await Self.promote(pair.egghead, pair, by: pair.panda)
        #expect(promoted.body["events"].array.last?["kind"].string == "leaderChanged")
        let cards = promoted.body["heroes"].array.compactMap {
            $0["card"]["eventDescription"].string
        }
        let leads = Sentences.of("hero.leads", "Egghead")
        #expect(leads.contains(cards[0]))
        #expect(Sentences.of("classic/1.begins").contains(cards[1]))
        await pair.server.untilAsleep()
        let pushes = pair.server.apns.pushes.dropFirst(before)
        #expect(pushes.map(\.request.token.hex) == ["ee"])
        #expect(pushes.map(\.request.priority) == [.low])
        let words = pushes.map { $0.aps["content-state"]["eventDescription"].string }
        #expect(words == [cards[0]])
        let decisions = await pair.server.admin(
            .get, "/v1/admin/parties/\(pair.party)/decisions?after=3"
        ).body["decisions"].array
        #expect(decisions.map { $0["activity"].string } == ["egg", "panda"])
        #expect(decisions.map { $0["verdict"].string } == ["sent", "dropped"])
        await Self.finish(pair)
    }

    @Test("C2: a party is disbanded by its leader, while no adventure runs, once")
    func disband() async throws {
        let pair = try await Pair.make()
        #expect(await pair.egghead.send(.delete, pair.path).status == 403)
        try await pair.start()
        let running = await pair.panda.send(.delete, pair.path)
        #expect(running.status == 409)
        #expect(running.body["detail"].string == "The party is already on an adventure.")
        try await pair.end()
        let (statuses, _) = await FairLimitTests.storm { _ in
            await FairLimitTests.patiently { await pair.panda.send(.delete, pair.path) }
        }
        #expect(statuses == [204: 200])
        for player in [pair.panda, pair.egghead] {
            let seen = await player.send(.get, pair.path)
            #expect(seen.body["adventure"]["outcome"].string == "endedByGameMaster")
            #expect(try await player.found().id != pair.party)
        }
        let stranger = try await TestPlayer.make("Stranger", at: pair.server)
        #expect(await stranger.send(.delete, pair.path).status == 404)
        await Self.finish(pair)
    }

    @Test("C2: the channel closes before the party can disband, which then opens none")
    func disbandedChannel() async throws {
        let scene = try await ChannelScene.started()
        _ = await scene.open()
        let path = "/v1/parties/\(scene.party)"
        #expect(await scene.panda.send(.delete, path).status == 409)
        #expect(await scene.untilEnded())
        #expect(await scene.panda.send(.delete, path).status == 204)
        #expect(await scene.open().status == 404)
        #expect(scene.channels.created == 1)
        await scene.server.server.drain()
    }
}
