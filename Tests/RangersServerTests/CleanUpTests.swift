import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// C2: parties that were left alone end, others stay.
@Suite("Parties left alone", .timeLimit(.minutes(2)), .simulated)
struct CleanUpTests {
    private typealias Pair = FormerMemberTests.Pair

    /// Lets hours pass in which nobody sends anything.
    private static func rest(_ server: TestServer, hours: Int) async {
        for _ in 0..<hours {
            await server.untilAsleep()
            server.clock.advance(to: server.clock.now.adding(seconds: CleanUp.restSeconds))
            await server.untilAsleep()
            // The sweep pauses after each page of parties, three here at most, and of accounts.
            for _ in 0..<9 {
                server.clock.advance(
                    to: server.clock.now.adding(milliseconds: CleanUp.pauseMilliseconds))
                await server.untilAsleep()
            }
        }
    }

    private static func restarted(_ pair: Pair, after seconds: Int64 = 1) async throws -> Pair {
        await pair.server.server.drain()
        let clock = VirtualClock(now: pair.server.clock.now.adding(seconds: seconds))
        let server = try await TestServer(file: pair.server.file, clock: clock)
        return Pair(
            server: server, panda: pair.panda.moved(to: server),
            egghead: pair.egghead.moved(to: server), party: pair.party, code: pair.code)
    }

    private static func ended(_ reason: String, at server: TestServer) -> Double {
        server.metrics.value(.partiesLeftAlone, labels: #"reason="\#(reason)""#)
    }

    @Test("C2: a party ends after a day without adventure and request, and its heroes are free")
    func idle() async throws {
        let pair = try await Pair.make()
        #expect(await pair.egghead.watch("egg", token: "ee").status == 204)
        await Self.rest(pair.server, hours: 24)
        #expect(Self.ended("idle", at: pair.server) == 0)
        await Self.rest(pair.server, hours: 1)
        #expect(Self.ended("idle", at: pair.server) == 1)
        #expect(await pair.panda.send(.get, pair.path).status == 200)
        #expect(await pair.panda.send(.get, "/v1/parties").text == #"{"parties":[]}"#)
        #expect(try await pair.panda.found().id != pair.party)
        #expect(try await pair.egghead.found().id != pair.party)
        await pair.server.server.drain()
        #expect(await Replay.report(file: pair.server.file, party: nil).differences == [])
    }

    @Test("C2: one request of one member keeps a party for another day")
    func seen() async throws {
        let pair = try await Pair.make()
        await Self.rest(pair.server, hours: 23)
        #expect(await pair.egghead.send(.get, "/v1/heroes").status == 200)
        await Self.rest(pair.server, hours: 24)
        #expect(Self.ended("idle", at: pair.server) == 0)
        await Self.rest(pair.server, hours: 1)
        #expect(Self.ended("idle", at: pair.server) == 1)
        await pair.server.server.drain()
    }

    @Test("C2: hours before a restart count, the time between servers does not")
    func restart() async throws {
        var pair = try await Pair.make()
        await Self.rest(pair.server, hours: 20)
        // A clock that is years ahead, and the next one that is right again.
        pair = try await Self.restarted(pair, after: 300 * 24 * 3600)
        await Self.rest(pair.server, hours: 1)
        #expect(Self.ended("idle", at: pair.server) == 0)
        pair = try await Self.restarted(pair, after: -300 * 24 * 3600)
        await Self.rest(pair.server, hours: 2)
        #expect(Self.ended("idle", at: pair.server) == 0)
        await Self.rest(pair.server, hours: 2)
        #expect(Self.ended("idle", at: pair.server) == 1)
        await pair.server.server.drain()
    }

    @Test(
        "C2: an adventure keeps a party from being idle; after a week unseen it ends all the same")
    func ghost() async throws {
        var pair = try await Pair.make()
        try await pair.start()
        await pair.server.server.drain()
        // As if the adventure had kept running for a week.
        let store = try await SQLiteStore.open(path: pair.server.file)
        let epoch = try await store.takeOwnership()
        let stored = try #require(try await store.party(PartyID(pair.party)))
        let hours = UnseenHours(idle: 0, unseen: CleanUp.unseenMax - 2)
        try await store.write([stored.key: hours], epoch: epoch)
        await store.close()
        pair = try await Self.restarted(pair)
        await Self.rest(pair.server, hours: 1)
        #expect(Self.ended("ghost", at: pair.server) == 0)
        #expect(try await Self.isOnAdventure(pair))
        await Self.rest(pair.server, hours: 1)
        #expect(Self.ended("ghost", at: pair.server) == 1)
        let seen = await pair.panda.send(.get, pair.path)
        #expect(seen.body["adventure"]["outcome"].string == "endedByGameMaster")
        #expect(try await pair.panda.found().id != pair.party)
        await pair.server.server.drain()
        #expect(await Replay.report(file: pair.server.file, party: nil).differences == [])
    }

    /// Read from the file, because a request would be a sighting.
    private static func isOnAdventure(_ pair: Pair) async throws -> Bool {
        let store = try await SQLiteStore.open(path: pair.server.file)
        let stored = try await store.party(PartyID(pair.party))
        await store.close()
        return try #require(stored).party.isOnAdventure
    }

    @Test("PR22: an account that was never in a party goes after its days, and no other does")
    func unusedAccounts() async throws {
        let server = try await TestServer(unusedAccountDays: 1)
        let unused = try await TestPlayer.make("Nobody", at: server)
        let member = try await TestPlayer.make("Power Panda", at: server)
        let former = try await TestPlayer.make("Egghead", at: server)
        _ = try await member.found()
        let left = try await former.found().id
        #expect(await former.send(.delete, "/v1/parties/\(left)").status == 204)
        await Self.rest(server, hours: 23)
        let later = try await TestPlayer.make("Spouty", at: server)
        #expect(server.metrics.value(.accountsUnused) == 0)
        await Self.rest(server, hours: 2)
        #expect(server.metrics.value(.accountsUnused) == 1)
        for player in [member, former, later] {
            #expect(await player.send(.get, "/v1/me").status == 200)
        }
        #expect(await unused.send(.get, "/v1/me").status == 401)
        let shown = await server.admin(.get, "/v1/admin/players/\(unused.id)")
        #expect(shown.status == 404)
        await server.server.drain()
    }

    @Test("PR22: an account whose app has just sent a request stays for now")
    func usedAccount() async throws {
        let server = try await TestServer(unusedAccountDays: 1)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        await Self.rest(server, hours: 23)
        #expect(await panda.send(.get, "/v1/me").status == 200)
        await Self.rest(server, hours: 1)
        #expect(await panda.send(.get, "/v1/me").status == 200)
        await Self.rest(server, hours: 2)
        #expect(await panda.send(.get, "/v1/me").status == 401)
        await server.server.drain()
    }

    @Test("PR22: a thousand unused accounts go in small steps")
    func manyAccounts() async throws {
        let server = try await TestServer(unusedAccountDays: 1)
        for _ in 0..<1000 { _ = await server.send(.post, "/v1/players") }
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        await Self.rest(server, hours: 26)
        #expect(server.metrics.value(.accountsUnused) == 1000)
        #expect(await panda.send(.get, "/v1/me").status == 200)
        await server.server.drain()
    }

    @Test("C2: many parties are swept in small steps, each once an hour")
    func many() async throws {
        let server = try await TestServer()
        for number in 0..<(CleanUp.stepMax + 5) {
            _ = try await TestPlayer.make("Hero \(number)", at: server).found()
        }
        await Self.rest(server, hours: 25)
        #expect(Self.ended("idle", at: server) == Double(CleanUp.stepMax + 5))
        await server.server.drain()
    }
}
