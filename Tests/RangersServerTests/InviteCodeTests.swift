import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import RangersServer
import Testing

/// C2, PR15: a code opens a party for a quarter of an hour.
@Suite("Invite codes", .timeLimit(.minutes(2)), .simulated)
struct InviteCodeTests {
    private typealias Pair = FormerMemberTests.Pair

    private static func renew(
        _ pair: Pair, as player: TestPlayer, _ body: String = "{}"
    ) async -> TestServer.Answer {
        await player.send(.post, pair.path + "/code", body)
    }

    private static func wait(_ pair: Pair, seconds: Int64) async {
        await pair.server.untilAsleep()
        pair.server.clock.advance(to: pair.server.clock.now.adding(seconds: seconds))
        await pair.server.untilAsleep()
    }

    /// Whether a new player can join with the code.
    private static func opens(_ code: String, at server: TestServer) async throws -> Bool {
        let foxy = try await TestPlayer.make("Foxy", at: server)
        let answer = await foxy.join(code)
        guard answer.status == 404 else { return answer.status == 200 }
        #expect(answer.body["detail"].string?.contains("expired") == true)
        return false
    }

    @Test("PR15: a code has eight characters without look-alikes, in any case, for 15 minutes")
    func expiry() async throws {
        let pair = try await Pair.make()
        #expect(pair.code.count == 8)
        #expect(pair.code.allSatisfy { "23456789ABCDEFGHJKLMNPQRSTUVWXYZ".contains($0) })
        let made = pair.server.clock.now
        let state = await pair.panda.send(.get, pair.path)
        #expect(
            state.body["inviteCodeExpiresAt"].number == Double(made.milliseconds + 900_000))
        await Self.wait(pair, seconds: 899)
        #expect(try await Self.opens(pair.code.lowercased(), at: pair.server))
        await Self.wait(pair, seconds: 1)
        #expect(try await !Self.opens(pair.code, at: pair.server))
        // Who is in the party already may repeat the request.
        #expect(await pair.egghead.join(pair.code).status == 200)
        await pair.server.server.drain()
    }

    @Test("PR15: an expired code gets the response of an unknown one, and takes a guess")
    func unknown() async throws {
        var rates = TestServer.patientRates
        rates[.inviteGuesses] = RateSettings()[.inviteGuesses]
        let pair = try await Pair.make(rates: rates)
        await Self.wait(pair, seconds: 900)
        let foxy = try await TestPlayer.make("Foxy", at: pair.server)
        let expired = await foxy.join(pair.code)
        let unknown = await foxy.join("ABCDEFGH")
        #expect(expired.status == 404)
        #expect(expired.text == unknown.text)
        for _ in 0..<8 { _ = await foxy.join(pair.code) }
        #expect(await foxy.join(pair.code).status == 429)
        await pair.server.server.drain()
    }

    @Test("PR15: the leader renews a valid code, which stays the same, and replaces an expired one")
    func renewal() async throws {
        let pair = try await Pair.make()
        for _ in 0..<4 {
            await Self.wait(pair, seconds: 600)
            let renewed = await Self.renew(pair, as: pair.panda)
            #expect(renewed.status == 200)
            #expect(renewed.body["inviteCode"].string == pair.code)
        }
        #expect(try await Self.opens(pair.code, at: pair.server))
        await Self.wait(pair, seconds: 900)
        let replaced = await Self.renew(pair, as: pair.panda)
        let code = try #require(replaced.body["inviteCode"].string)
        #expect(code != pair.code)
        #expect(try await !Self.opens(pair.code, at: pair.server))
        #expect(try await Self.opens(code, at: pair.server))
        await pair.server.server.drain()
    }

    @Test("PR15: others renew it only while the leader is absent, and never change a valid one")
    func renewalByMember() async throws {
        let pair = try await Pair.make()
        #expect(await Self.renew(pair, as: pair.egghead).status == 403)
        let stranger = try await TestPlayer.make("Stranger", at: pair.server)
        #expect(await Self.renew(pair, as: stranger).status == 404)
        await Self.wait(pair, seconds: 631)
        #expect(await Self.renew(pair, as: pair.egghead, #"{"rotate":true}"#).status == 403)
        let renewed = await Self.renew(pair, as: pair.egghead)
        #expect(renewed.status == 200)
        #expect(renewed.body["inviteCode"].string == pair.code)
        await Self.wait(pair, seconds: 600)
        #expect(try await Self.opens(pair.code, at: pair.server))
        await pair.server.server.drain()
    }

    @Test("PR15: the leader, a kick and disbanding change it at once; one is valid at a time")
    func rotation() async throws {
        let pair = try await Pair.make()
        let rotated = await Self.renew(pair, as: pair.panda, #"{"rotate":true}"#)
        let second = try #require(rotated.body["inviteCode"].string)
        #expect(second != pair.code)
        #expect(try await !Self.opens(pair.code, at: pair.server))
        let kicked = await pair.panda.send(
            .post, pair.path + "/members/\(pair.egghead.hero)/kick", "{}")
        let third = try #require(kicked.body["inviteCode"].string)
        #expect(try await !Self.opens(second, at: pair.server))
        #expect(try await Self.opens(third, at: pair.server))
        #expect(await pair.panda.send(.delete, pair.path).status == 204)
        #expect(try await !Self.opens(third, at: pair.server))
        await pair.server.server.drain()
        let report = await Replay.report(file: pair.server.file, party: nil)
        #expect(report.differences == [])
    }

    @Test("PR15: of 200 changes at once the last code that was told is the one that opens")
    func atOnce() async throws {
        let pair = try await Pair.make()
        let (statuses, _) = await FairLimitTests.storm { _ in
            await FairLimitTests.patiently {
                await Self.renew(pair, as: pair.panda, #"{"rotate":true}"#)
            }
        }
        #expect(statuses == [200: 200])
        let state = await pair.panda.send(.get, pair.path)
        let code = try #require(state.body["inviteCode"].string)
        #expect(try await Self.opens(code, at: pair.server))
        #expect(try await !Self.opens(pair.code, at: pair.server))
        await pair.server.server.drain()
    }

    @Test(
        "PR12: a code and its expiry survive a restart, and a clock that was set back",
        arguments: [(899, true), (900, false), (-899, true), (-900, true), (-90_000_000, true)])
    func restart(seconds: Int64, isValid: Bool) async throws {
        let pair = try await Pair.make()
        await Self.wait(pair, seconds: 600)
        let rotated = await Self.renew(pair, as: pair.panda, #"{"rotate":true}"#)
        let code = try #require(rotated.body["inviteCode"].string)
        await pair.server.server.drain()
        let clock = VirtualClock(now: pair.server.clock.now.adding(seconds: seconds))
        let second = try await TestServer(file: pair.server.file, clock: clock)
        #expect(try await Self.opens(code, at: second) == isValid)
        // After a boot the server's time goes on from the newest row, minutes before the code.
        clock.advance(to: clock.now.adding(seconds: 600 + 900))
        #expect(try await !Self.opens(code, at: second))
        await second.server.drain()
    }
}
