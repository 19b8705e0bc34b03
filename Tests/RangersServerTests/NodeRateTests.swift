import GameLogic
import HTTPServer
import RangersServer
import Testing

/// PR22: nodes share the rates.
@Suite("Rate limits of several servers", .timeLimit(.minutes(3)), .serialized)
struct NodeRateTests {
    @Test("PR22: who spreads 200 requests over two nodes gets what one gives, and all of it")
    func spread() async throws {
        let nodes = try await TwoNodes.make(rates: RateLimitTests.rates([.players: "20/s:50"]))
        let statuses = await RateLimitTests.storm { number in
            await (number.isMultiple(of: 2) ? nodes.one : nodes.two)
                .send(.post, "/v1/players", from: "192.0.2.\(number)")
        }
        #expect(statuses == [201: 50, 429: 150])
        // The number comes with the lease's renewal.
        try await nodes.remove("one", seenBy: nodes.two)
        let alone = await RateLimitTests.storm { number in
            await nodes.two.send(.post, "/v1/players", from: "192.0.2.\(number)")
        }
        #expect(alone == [201: 50, 429: 150])
        try await nodes.end()
    }

    @Test("PR22: a redirected request counts at the node that its player has asked, and only there")
    func forwarded() async throws {
        let nodes = try await TwoNodes.make(
            rates: RateLimitTests.rates([.requestsOfPlayer: "1/h:12"]))
        let panda = try await TestPlayer.make("Panda", at: nodes.one)
        let party = try await panda.found().id
        let elsewhere = panda.moved(to: nodes.two)
        let path = "/v1/parties/\(party)"
        let statuses = await RateLimitTests.storm { _ in await elsewhere.send(.get, path) }
        #expect(statuses == [200: 12, 429: 188])
        #expect(await panda.send(.get, path).status == 200)
        try await nodes.end()
    }

    @Test("PR22: a change of a party counts at its owner, and only there")
    func changes() async throws {
        let nodes = try await TwoNodes.make(rates: RateLimitTests.rates([.memberships: "1/h:1"]))
        let panda = try await TestPlayer.make("Panda", at: nodes.one)
        let code = try await panda.found().code
        let guest = try await TestPlayer.make("Spouty", at: nodes.two)
        #expect(await guest.join(code).status == 200)
        #expect(try await guest.anotherHero("Egghead").join(code).status == 429)
        let party = #"{"hero":"\#(try await guest.anotherHero("Pandita").hero)"}"#
        #expect(await guest.send(.post, "/v1/parties", party).status == 201)
        #expect(await guest.send(.post, "/v1/parties", party).status == 429)
        try await nodes.end()
    }
}
