import APNsClient
import HTTPServer
import Isolation
import Playtest
import PushPolicy
import RangersServer
import Testing

/// A party of two: Panda leads and watches, Egghead sleeps beside a phone that can be started. Each
/// adventure has another seed, as in life.
struct StartScene {
    let server: TestServer
    let panda: TestPlayer
    let egghead: TestPlayer
    let party: String

    static func make(
        osVersion: String = "18.1", language: String = "en",
        limits: PushToStartGuard.Limits = .standard, speed: Int64 = 60_000
    ) async throws -> StartScene {
        let seed = Locked<UInt64>(7)
        let server = try await TestServer(
            nextSeed: {
                seed.withLock { seed in
                    defer { seed += 1 }
                    return seed
                }
            }, speed: speed, startLimits: limits)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let egghead = try await TestPlayer.make("Egghead", at: server)
        let party = try await panda.found()
        try #require(await egghead.join(party.code).status == 200)
        try #require(await panda.watch("panda-card", token: "aa").status == 204)
        let offered = await egghead.offer(
            "phone", token: "bb", osVersion: osVersion, language: language)
        try #require(offered.status == 204)
        return StartScene(server: server, panda: panda, egghead: egghead, party: party.id)
    }

    /// The same party at another server.
    func moved(to server: TestServer) -> StartScene {
        StartScene(
            server: server, panda: panda.moved(to: server), egghead: egghead.moved(to: server),
            party: party)
    }

    func start(from device: String? = nil) async throws {
        let body = device.map { #"{"device":"\#($0)"}"# } ?? "{}"
        let answer = await panda.send(.post, "/v1/parties/\(party)/adventure", body)
        try #require(answer.status == 201)
    }

    /// Ends the adventure, and lets everything be said of it.
    func end() async throws {
        try #require(await server.end(party) == 200)
        for _ in 0..<5 { await server.step() }
    }

    var starts: [FakeAPNs.Push] {
        server.apns.pushes.filter { $0.aps["event"].string == "start" }
    }

    func pushes(to token: String) -> [FakeAPNs.Push] {
        server.apns.pushes.filter { $0.request.token.hex == token }
    }

    /// The ledger's rows on starts.
    func decisions() async -> [Value] {
        let path = "/v1/admin/parties/\(party)/decisions"
        return await server.admin(.get, path).body["decisions"].array.filter {
            $0["activity"].string?.hasPrefix("push-to-start/") == true
        }
    }

    func starts(_ result: String) -> Double {
        server.metrics.value(.starts, labels: "result=\"\(result)\"")
    }

    func later(minutes: Int64) async {
        server.clock.advance(to: server.clock.now.adding(seconds: minutes * 60))
        await server.step()
    }
}
