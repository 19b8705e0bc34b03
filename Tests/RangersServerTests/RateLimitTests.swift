import GameLogic
import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("Rate limits", .timeLimit(.minutes(2)))
struct RateLimitTests {
    private let player = PlayerID("player-1")
    private let noon = WallTime(milliseconds: 1_685_952_000_000)

    @Test("a rested player has the whole burst, and then must wait for one try to come back")
    func burst() {
        var limit = RateLimit(burst: 3, refillMilliseconds: 6000)
        for _ in 0..<3 {
            #expect(limit.wait(for: player, now: noon) == nil)
            limit.spend(player, now: noon)
        }
        #expect(limit.wait(for: player, now: noon) == 6)
        #expect(limit.wait(for: PlayerID("player-2"), now: noon) == nil)
        #expect(limit.wait(for: player, now: noon.adding(seconds: 5)) == 1)
        #expect(limit.wait(for: player, now: noon.adding(seconds: 6)) == nil)
    }

    @Test("a try that is given back counts for nothing, and no more than that")
    func givenBack() {
        var limit = RateLimit(burst: 1, refillMilliseconds: 6000)
        limit.spend(player, now: noon)
        limit.giveBack(to: player)
        #expect(limit.wait(for: player, now: noon) == nil)
        limit.spend(player, now: noon)
        #expect(limit.wait(for: player, now: noon) == 6)
        limit.giveBack(to: PlayerID("player-2"))
        #expect(limit.wait(for: player, now: noon) == 6)
    }

    @Test("the memory of players is bounded, and forgets the most rested first")
    func bounded() {
        var limit = RateLimit(burst: 1, refillMilliseconds: 60_000)
        limit.spend(player, now: noon)
        for number in 0..<RateLimit.playersMax {
            limit.spend(PlayerID("other-\(number)"), now: noon.adding(milliseconds: 1))
        }
        #expect(limit.wait(for: player, now: noon) == nil)
        #expect(limit.wait(for: PlayerID("other-7"), now: noon) != nil)
    }

    @Test("PR15: invite codes cannot be found by trying")
    func guesses() async throws {
        let server = try await TestServer()
        let thief = try await TestPlayer.make("Thief", at: server)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        var statuses: [Int: Int] = [:]
        for number in 0..<1000 {
            statuses[await thief.join("WRONG\(number)").status, default: 0] += 1
        }
        #expect(statuses == [404: 10, 429: 990])
        let right = await thief.join(party.code)
        #expect(right.status == 429)
        #expect(right.headers["retry-after"].flatMap { Int($0) } ?? 0 > 0)
        server.clock.advance(to: server.clock.now.adding(seconds: 6))
        #expect(await thief.join(party.code).status == 200)
        await server.server.drain()
    }
}
