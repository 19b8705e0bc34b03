import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// C2: a party whose leader is away finds another.
@Suite("An absent leader", .timeLimit(.minutes(2)), .simulated)
struct AbsentLeaderTests {
    private typealias Pair = FormerMemberTests.Pair

    private static func claim(_ pair: Pair, _ hero: TestPlayer) async -> TestServer.Answer {
        await hero.send(
            .post, pair.path + "/actions", #"{"hero":"\#(hero.hero)","action":"claimLead"}"#)
    }

    private static func wait(_ pair: Pair, seconds: Int64) async {
        await pair.server.untilAsleep()
        pair.server.clock.advance(to: pair.server.clock.now.adding(seconds: seconds))
        await pair.server.untilAsleep()
    }

    @Test("C2: after ten minutes without a request of the leader a member may lead")
    func claim() async throws {
        let pair = try await Pair.make()
        await Self.wait(pair, seconds: 300)
        #expect(await pair.panda.send(.get, "/v1/heroes").status == 200)
        await Self.wait(pair, seconds: 600)
        let early = await Self.claim(pair, pair.egghead)
        #expect(early.status == 409)
        #expect(early.body["detail"].string == "The leader was active less than 10 minutes ago.")
        await Self.wait(pair, seconds: 31)
        let late = await Self.claim(pair, pair.egghead)
        #expect(late.status == 200)
        #expect(late.body["leader"].string == pair.egghead.id)
        #expect(await Self.claim(pair, pair.egghead).text == late.text)
        // The new leader was just here.
        #expect(await Self.claim(pair, pair.panda).status == 409)
        #expect(await pair.egghead.send(.post, pair.path + "/adventure").status == 201)
        await pair.server.server.drain()
        let report = await Replay.report(file: pair.server.file, party: nil)
        #expect(report.differences == [])
    }

    @Test("C2: of 200 claims at once one player leads")
    func atOnce() async throws {
        let pair = try await Pair.make()
        let foxy = try await TestPlayer.make("Foxy", at: pair.server)
        #expect(await foxy.join(pair.code).status == 200)
        await Self.wait(pair, seconds: 631)
        let (statuses, _) = await FairLimitTests.storm { number in
            await FairLimitTests.patiently {
                await Self.claim(pair, number.isMultiple(of: 2) ? foxy : pair.egghead)
            }
        }
        #expect(statuses == [200: 100, 409: 100])
        await pair.server.server.drain()
    }

    @Test("C2: on an adventure nobody takes the lead, and its time does not count")
    func underway() async throws {
        let pair = try await Pair.make()
        try await pair.start()
        await Self.wait(pair, seconds: 631)
        let running = await Self.claim(pair, pair.egghead)
        #expect(running.status == 409)
        #expect(running.body["detail"].string == "The party is already on an adventure.")
        _ = await pair.server.step {
            await pair.egghead.send(.get, pair.path).body["adventure"]["phase"].string == "over"
        }
        #expect(await Self.claim(pair, pair.egghead).status == 409)
        await Self.wait(pair, seconds: 631)
        #expect(await Self.claim(pair, pair.egghead).status == 200)
        await pair.server.server.drain()
    }

    @Test("C2: a restart makes nobody absent at once")
    func restart() async throws {
        let pair = try await Pair.make()
        await pair.server.server.drain()
        let time = pair.server.clock.now.adding(seconds: 3600)
        let second = try await TestServer(file: pair.server.file, clock: VirtualClock(now: time))
        let moved = Pair(
            server: second, panda: pair.panda.moved(to: second),
            egghead: pair.egghead.moved(to: second), party: pair.party, code: pair.code)
        #expect(await Self.claim(moved, moved.egghead).status == 409)
        await Self.wait(moved, seconds: 631)
        #expect(await Self.claim(moved, moved.egghead).status == 200)
        await second.server.drain()
    }

    @Test("sightings of absent players are forgotten, those of others are kept")
    func forgetting() throws {
        let start = WallTime(milliseconds: 1_800_000_000_000)
        let sightings = PlayerSightings(from: start)
        let now = start.adding(seconds: 3600)
        var party = Party(id: PartyID("party"))
        _ = try party.apply(
            .join(
                Hero(
                    id: HeroID("hero"), owner: PlayerID("leader"), name: "Panda", avatar: "🐼",
                    heroType: "Bear")), at: .zero)
        let stored = StoredParty(
            key: PartyKey(number: 1), version: 1, party: party,
            clock: PartyClock(beganAt: start, millisecondsPerSecond: 1000), inviteCode: "",
            createdAt: start)
        #expect(sightings.isLeaderAbsent(from: stored, at: now))
        sightings.note(PlayerID("leader"), at: now)
        for number in 0..<5_000 { sightings.note(PlayerID("\(number)"), at: now) }
        #expect(!sightings.isLeaderAbsent(from: stored, at: now.adding(seconds: 600)))
        for number in 0..<5_000 {
            sightings.note(PlayerID("later \(number)"), at: now.adding(seconds: 700))
        }
        #expect(sightings.isLeaderAbsent(from: stored, at: now.adding(seconds: 700)))
    }
}
