import Foundation
import HTTPServer
import Isolation
import Playtest
import PushPolicy
import RangersServer
import Testing

/// PR15, PR22: what clients may do how often, whatever arrives at once.
@Suite("Rate limits", .timeLimit(.minutes(2)), .simulated)
struct RateLimitTests {
    /// A server with the standard rate of this limit, or another one, and no other.
    private static func server(
        _ limit: Limit, _ rate: String? = nil
    ) async throws -> TestServer {
        try await TestServer(rates: rates([limit: rate ?? limit.standard]))
    }

    /// These rates, and no others.
    static func rates(_ limits: [Limit: String]) throws -> RateSettings {
        var rates = RateSettings()
        for limit in Limit.allCases { rates[limit] = try #require(Rate("1000000/s")) }
        for (limit, rate) in limits { rates[limit] = try #require(Rate(rate)) }
        return rates
    }

    static func storm(
        _ send: @escaping @Sendable (Int) async -> TestServer.Answer
    ) async -> [Int: Int] {
        await FairLimitTests.storm { number in
            await FairLimitTests.patiently { await send(number) }
        }.statuses
    }

    @Test("PR22: a player has ten requests a second, reads of parties among them")
    func player() async throws {
        let server = try await Self.server(.requestsOfPlayer)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found().id
        let spent = 2
        #expect(
            await Self.storm { _ in await panda.send(.get, "/v1/me") } == [
                200: 30 - spent, 429: 200 - 30 + spent,
            ])
        let read = Request(
            method: .get, path: "/v1/parties/\(party)",
            headers: ["authorization": "Bearer \(panda.token)"])
        let refused = read.withHead { server.server.immediateResponse(to: $0) }
        #expect(refused?.status == 429)
        let answer = await panda.send(.get, "/v1/parties/\(party)")
        #expect(answer.status == 429)
        #expect(answer.headers["retry-after"] == "1")
        server.clock.advance(to: server.clock.now.adding(milliseconds: 100))
        #expect(await panda.send(.get, "/v1/parties/\(party)").status == 200)
        #expect(await panda.send(.get, "/v1/parties/\(party)").status == 429)
        let other = try await TestPlayer.make("Egghead", at: server)
        #expect(await other.send(.get, "/v1/me").status == 200)
        let refusals = server.metrics.value(.limited, labels: "limit=\"player-requests\"")
        #expect(refusals == Double(200 - 30 + spent + 3))
        await server.server.drain()
    }

    @Test("PR22: reads that the HTTP worker serves count too")
    func immediate() async throws {
        let server = try await Self.server(.requestsOfPlayer)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found().id
        _ = await panda.send(.get, "/v1/parties/\(party)")
        server.clock.advance(to: server.clock.now.adding(seconds: 10))
        let read = Request(
            method: .get, path: "/v1/parties/\(party)",
            headers: ["authorization": "Bearer \(panda.token)"])
        let statuses = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    read.withHead { server.server.immediateResponse(to: $0)?.status }
                }
            }
            return await group.reduce(into: [:]) { $0[$1 ?? 0, default: 0] += 1 }
        }
        #expect(statuses == [200: 30, 429: 170])
        await server.server.drain()
    }

    @Test("PR22: an address has 50 requests a second, an IPv6 network like an address")
    func address() async throws {
        let server = try await Self.server(.requestsOfAddress)
        let statuses = await Self.storm { number in
            await server.send(
                .get, number.isMultiple(of: 2) ? "/healthz" : "/v1/parties/x",
                from: "2001:db8:0:7:\(String(number, radix: 16))::1")
        }
        #expect(statuses[429] == 100)
        let path = "/healthz"
        #expect(await server.send(.get, path, from: "2001:db8:0:8::1").status == 200)
        #expect(await server.send(.get, path, from: "192.0.2.1").status == 200)
        #expect(await server.send(.get, path, from: "2001:db8:0:7::2").status == 429)
        server.clock.advance(to: server.clock.now.adding(milliseconds: 20))
        #expect(await server.send(.get, path, from: "2001:db8:0:7::2").status == 200)
        await server.server.drain()
    }

    @Test(
        "PR22: however many addresses of a network ask, it has its share, and others have theirs",
        arguments: [
            (Limit.requestsOfAddress, Method.get, "/healthz", nil),
            (.playersOfAddress, .post, "/v1/players", nil),
            (.recoveryGuesses, .post, "/v1/players/recover", #"{"recoveryCode":"wrong"}"#),
            (.adminGuesses, .get, "/v1/admin/keys", nil),
            (.adminGuesses, .get, "/v1/stream-check", nil),
        ] as [(Limit, Method, String, String?)])
    func networks(_ limit: Limit, _ method: Method, _ path: String, _ body: String?) async throws {
        let server = try await Self.server(limit, "1/h:1")
        func refused(_ address: @escaping @Sendable (String) -> String) async -> Int? {
            await Self.storm { number in
                let digits = String(16 + number, radix: 16)
                return await server.send(method, path, body, as: "guess", from: address(digits))
            }[429]
        }
        #expect(await refused { "2001:db8:7:1\($0)::1" } == 200 - 4)
        #expect(await refused { "2001:db8:7:\($0)00::1" } == 200 - 12)
        #expect(await refused { "192.0.2.\(Int($0, radix: 16) ?? 0)" } == 200 - 16)
        for other in ["2001:db8:8::1", "198.51.100.1"] {
            #expect(await server.send(method, path, body, as: "guess", from: other).status != 429)
        }
        await server.server.drain()
    }

    @Test("PR22: while a /48 registers, the server's own rate stays for others")
    func attackedPlayers() async throws {
        var rates = try Self.rates([.playersOfAddress: "60/h:20", .players: "1/h:400"])
        rates.factors.ipv6Of48 = 8
        let server = try await TestServer(rates: rates)
        var registered = 0
        for round in 0..<4 {
            let statuses = await Self.storm { number in
                let network = String((200 * round + number) << 6, radix: 16)
                return await server.send(.post, "/v1/players", from: "2001:db8:bad:\(network)::1")
            }
            registered += statuses[201] ?? 0
        }
        #expect(registered == 160)
        for number in 0..<40 {
            #expect(
                await server.send(.post, "/v1/players", from: "192.0.2.\(number)").status == 201)
        }
        await server.server.drain()
    }

    @Test("PR22: an address registers 20 players at once and 60 an hour, whatever arrives at once")
    func players() async throws {
        let server = try await Self.server(.playersOfAddress)
        #expect(
            await Self.storm { _ in await server.send(.post, "/v1/players") } == [
                201: 20, 429: 180,
            ])
        #expect(await server.send(.post, "/v1/players", from: "192.0.2.1").status == 201)
        server.clock.advance(to: server.clock.now.adding(seconds: 60))
        #expect(
            await Self.storm { _ in await server.send(.post, "/v1/players") } == [
                201: 1, 429: 199,
            ])
        await server.server.drain()
    }

    @Test("PR22: the server registers so many players, from however many addresses")
    func allPlayers() async throws {
        let server = try await Self.server(.players, "20/s:50")
        let statuses = await Self.storm { number in
            await server.send(.post, "/v1/players", from: "192.0.2.\(number)")
        }
        #expect(statuses == [201: 50, 429: 150])
        await server.server.drain()
    }

    @Test("PR22: a player creates, joins and leaves twelve times, then once in five seconds")
    func memberships() async throws {
        let server = try await Self.server(.memberships)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        let guest = try await TestPlayer.make("Guest", at: server)
        var statuses: [Int] = []
        for _ in 0..<10 {
            statuses.append(await guest.join(party.code).status)
            statuses.append(
                await guest.send(
                    .post, "/v1/parties/\(party.id)/actions",
                    #"{"hero":"\#(guest.hero)","action":"leave"}"#
                ).status)
        }
        #expect(statuses.prefix(12).count { $0 == 200 } == 12)
        #expect(statuses.count { $0 == 200 } == 12)
        server.clock.advance(to: server.clock.now.adding(seconds: 5))
        #expect(await guest.join(party.code).status == 200)
        await server.server.drain()
    }

    @Test("PR22: a player starts ten adventures at once, and then one in two minutes")
    func adventures() async throws {
        let server = try await Self.server(.adventures)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found().id
        let statuses = await Self.storm { _ in
            await panda.send(.post, "/v1/parties/\(party)/adventure")
        }
        #expect(statuses == [201: 1, 409: 9, 429: 190])
        await server.server.drain()
    }

    @Test(
        "PR22: a player registers ten push tokens at once, and as many as needed once one is good")
    func pushTokens() async throws {
        let server = try await Self.server(.pushTokens)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found().id
        let statuses = await Self.storm { number in
            await panda.watch("card", token: String(1000 + number))
        }
        #expect(statuses == [204: 10, 429: 190])
        let refused = await panda.offer("phone", token: "ef01")
        #expect(refused.status == 429)
        #expect(refused.headers["retry-after"] == "360")
        server.clock.advance(to: server.clock.now.adding(seconds: 360))
        #expect(await panda.watch("card", token: "abcd").status == 204)
        // The same again is nothing new.
        #expect(await panda.watch("card", token: "abcd").status == 204)
        #expect(await panda.watch("card", token: "abce").status == 429)
        let other = try await TestPlayer.make("Egghead", at: server)
        #expect(await other.offer("phone", token: "ef02").status == 204)
        #expect(await panda.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        await server.apns.untilSent(1)
        await server.untilAsleep()
        #expect(
            await Self.storm { number in
                await panda.watch("card", token: String(2000 + number))
            } == [204: 200])
        #expect(await panda.offer("phone", token: "ef01").status == 204)
        await server.server.drain()
    }

    @Test("PR15: of 200 guesses of invite codes at once ten are looked up")
    func guesses() async throws {
        let server = try await Self.server(.inviteGuesses)
        let thief = try await TestPlayer.make("Thief", at: server)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        let statuses = await Self.storm { number in await thief.join("WRONG\(number)") }
        #expect(statuses == [404: 10, 429: 190])
        let right = await thief.join(party.code)
        #expect(right.status == 429)
        #expect(right.headers["retry-after"] == "6")
        server.clock.advance(to: server.clock.now.adding(seconds: 6))
        #expect(await thief.join(party.code).status == 200)
        // A right code costs nothing.
        #expect(await Self.storm { _ in await thief.join(party.code) }[200] ?? 0 > 0)
        #expect(await thief.join(party.code).status == 200)
        await server.server.drain()
    }

    @Test("PR15: players of one address share their guesses at invite codes")
    func guessesOfAddress() async throws {
        let server = try await Self.server(.inviteGuessesOfAddress)
        var thieves: [TestPlayer] = []
        for number in 0..<20 {
            thieves.append(try await TestPlayer.make("Thief \(number)", at: server))
        }
        let all = thieves
        let statuses = await Self.storm { number in
            await all[number % all.count].join("WRONG\(number)")
        }
        #expect(statuses == [404: 100, 429: 100])
        await server.server.drain()
    }

    @Test(
        "PR15: an address has ten unknown keys a minute, and then one in ten seconds; others have theirs"
    )
    func keys() async throws {
        let server = try await Self.server(.adminGuesses)
        let path = "/v1/admin/keys"
        let statuses = await Self.storm { number in
            await server.send(.get, path, as: "guess-\(number)", from: "192.0.2.1")
        }
        #expect(statuses == [401: 10, 429: 190])
        let key = TestServer.adminKey
        #expect(await server.send(.get, path, as: key, from: "192.0.2.1").status == 429)
        #expect(await server.send(.get, path, as: key, from: "192.0.2.2").status == 200)
        server.clock.advance(to: server.clock.now.adding(seconds: 9))
        #expect(await server.send(.get, path, as: key, from: "192.0.2.1").status == 429)
        server.clock.advance(to: server.clock.now.adding(seconds: 1))
        // A right key costs nothing.
        for _ in 0..<20 {
            #expect(await server.send(.get, path, as: key, from: "192.0.2.1").status == 200)
        }
        await server.server.drain()
    }

    @Test("PR22: who is trusted has no rate, but every cap")
    func trusted() async throws {
        var rates = RateSettings()
        rates.trustedClients = AddressRange.loopback
        let server = try await TestServer(rates: rates)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let statuses = await Self.storm { number in
            await panda.send(
                .post, "/v1/heroes",
                #"{"name":"Hero \#(number)","avatar":"🐼","heroType":"Forest Dweller"}"#)
        }
        #expect(statuses == [201: 99, 409: 101])
        await server.server.drain()
    }

    @Test("the first refusal of a client behind an unset proxy is logged, once")
    func hint() async throws {
        let server = try await Self.server(.requestsOfAddress, "1/s")
        for _ in 0..<5 {
            _ = await server.server.respond(
                to: Request(
                    method: .get, path: "/healthz", headers: ["x-forwarded-for": "192.0.2.1"]))
        }
        let log = server.logged.withLock { $0 }
        #expect(log.components(separatedBy: "--behind-proxy").count == 2)
        await server.server.drain()
    }
}
