import GameLogic
import HTTPServer
import Playtest
import Testing

/// A player with a party at each of two nodes, in each a Live Activity of the same phone.
struct TwoParties {
    let nodes: TwoNodes
    let here: TestPlayer
    let there: TestPlayer
    /// The first node's, the second one's.
    let parties: [String]

    static func make() async throws -> TwoParties {
        let nodes = try await TwoNodes.make()
        let here = try await TestPlayer.make("Panda", at: nodes.one)
        let there = try await here.anotherHero("Spouty").moved(to: nodes.two)
        let parties = [try await here.found().id, try await there.found().id]
        #expect(await here.watch("one", device: "phone").status == 204)
        #expect(await there.watch("two", device: "phone").status == 204)
        let scene = TwoParties(nodes: nodes, here: here, there: there, parties: parties)
        try await scene.untilDelivered(to: nodes.one)
        return scene
    }

    func left(of activity: String, in party: Int) async -> Double? {
        await nodes.one.admin(.get, "/v1/admin/parties/\(parties[party])").body["activities"]
            .array.first { $0["id"].string == activity }?["budgetLeft"].number
    }

    func reconcile(key: String? = nil) async -> TestServer.Answer {
        await here.send(
            .post, "/v1/me/reconcile", #"{"device":"phone","activities":[]}"#, key: key)
    }

    func states() async -> [String] {
        await here.send(.get, "/v1/me").body["activities"].array.compactMap { $0["state"].string }
    }

    /// The activities with a push token.
    func holders() async -> [String] {
        await here.send(.get, "/v1/me").body["activities"].array
            .filter { $0["hasPushToken"].bool == true }.compactMap { $0["id"].string }.sorted()
    }

    /// How many letters no owner has taken.
    func letters() async throws -> Int {
        try #require(
            Int(try await nodes.query("SELECT count(*) FROM shard_inbox").filter(\.isNumber)))
    }

    /// Lets two seconds of these nodes' time pass, and waits for what that has begun: no letter needs
    /// more time.
    func untilDelivered(to nodes: TestServer...) async throws {
        for node in nodes { await node.step(forSeconds: 2) }
        let times = nodes.map(\.clock.now)
        await TestServer.until { (try? await letters()) == 0 }
        // The commit is in the store before it is in memory.
        for node in nodes { await node.untilAsleep() }
        #expect(nodes.map(\.clock.now) == times)
    }
}
