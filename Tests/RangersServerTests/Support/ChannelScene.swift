import APNsClient
import Foundation
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import RangersServer
import Testing

/// Power Panda's party at a server that has channels.
struct ChannelScene {
    let server: TestServer
    let channels: FakeChannels
    let panda: TestPlayer
    let party: String
    let code: String

    static func make(
        channels: FakeChannels = FakeChannels(), orphans: ChannelSweep.Orphans = .keep,
        wrapping wrap: @Sendable (SQLiteStore) -> any Store = { $0 }
    ) async throws -> ChannelScene {
        let server = try await TestServer(channels: channels, orphans: orphans, wrapping: wrap)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        return ChannelScene(
            server: server, channels: channels, panda: panda, party: party.id, code: party.code)
    }

    /// A party on its adventure: only then may it open a channel.
    static func started(
        channels: FakeChannels = FakeChannels(), orphans: ChannelSweep.Orphans = .keep,
        wrapping wrap: @Sendable (SQLiteStore) -> any Store = { $0 }
    ) async throws -> ChannelScene {
        let scene = try await make(channels: channels, orphans: orphans, wrapping: wrap)
        try await scene.start()
        return scene
    }

    /// The same player and party at a server that took over, an hour's rest later if it is told.
    func moved(resting seconds: Int64 = 1) async throws -> ChannelScene {
        await server.server.drain()
        let clock = VirtualClock(now: server.clock.now.adding(seconds: seconds))
        let next = try await TestServer(file: server.file, clock: clock, channels: channels)
        let panda = TestPlayer(
            server: next, token: panda.token, id: panda.id, hero: panda.hero, name: panda.name)
        return ChannelScene(
            server: next, channels: channels, panda: panda, party: party, code: code)
    }

    var path: String { "/v1/parties/\(party)/channel" }

    func open(language: String = "en", as player: TestPlayer? = nil) async -> TestServer.Answer {
        await (player ?? panda).send(.put, path, #"{"language":"\#(language)"}"#)
    }

    func close() async -> TestServer.Answer { await panda.send(.delete, path) }

    func show() async -> TestServer.Answer { await panda.send(.get, path) }

    func start() async throws {
        let answer = await panda.send(.post, "/v1/parties/\(party)/adventure")
        try #require(answer.status == 201)
    }

    /// Lets the adventure run to the end of the spectators' cards; returns whether it came.
    func untilEnded() async -> Bool {
        await server.step(until: { hasEnded })
    }

    var hasEnded: Bool { channels.broadcasts.last?.aps["event"].string == "end" }

    /// Lets the sweeper sweep so often, ten minutes apart.
    func sweep(_ times: Int = 1) async {
        for _ in 0..<times {
            let before = channels.listings
            let next = server.clock.now.adding(seconds: 10 * 60)
            await server.untilAsleep()
            server.clock.advance(to: next)
            await TestServer.until { channels.listings > before }
            await server.untilAsleep()
        }
    }

    func channelCount(_ state: String) -> Double {
        server.metrics.value(.channels, labels: "state=\"\(state)\"")
    }

    /// The ledger's rows on the channel.
    func decisions() async -> [Value] {
        let path = "/v1/admin/parties/\(party)/decisions"
        return await server.admin(.get, path).body["decisions"].array.filter {
            $0["activity"].string?.hasPrefix("channel/") == true
        }
    }
}
