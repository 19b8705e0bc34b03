import Isolation
import Playtest
import PushPolicy
import RangersServer
import Testing

@testable import HTTPServer

/// A party of one whose phone is a page in a browser.
struct PageScene {
    let server: TestServer
    let panda: TestPlayer
    let party: String
    var activity = "page-1"

    static func make(
        file: String = TestServer.freshFile(), clock: VirtualClock = VirtualClock(),
        pagesMax: Int = 1000, language: String = "en", usualPack: String = "classic"
    ) async throws -> PageScene {
        let server = try await TestServer(
            file: file, clock: clock, usualPack: usualPack, pagesMax: pagesMax)
        return try await make("Power Panda", at: server, language: language)
    }

    /// A further player's party at the same server.
    static func make(
        _ name: String, at server: TestServer, activity: String = "page-1",
        language: String = "en", from address: String? = nil
    ) async throws -> PageScene {
        let panda = try await TestPlayer.make(name, at: server, from: address)
        let party = try await panda.found().id
        let answer = await put(activity, of: panda, language: language)
        try #require(answer.status == 204, "\(answer.text)")
        return PageScene(server: server, panda: panda, party: party, activity: activity)
    }

    @discardableResult
    static func put(
        _ activity: String, of player: TestPlayer, language: String = "en", more: String = ""
    ) async -> TestServer.Answer {
        await player.send(
            .put, "/v1/activities/\(activity)",
            #"{"hero":"\#(player.hero)","page":true,"frequentPushesEnabled":true,"#
                + #""language":"\#(language)","osVersion":"156"\#(more)}"#)
    }

    func moved(to server: TestServer) -> PageScene {
        PageScene(server: server, panda: panda.moved(to: server), party: party, activity: activity)
    }

    func start() async throws {
        let answer = await panda.send(.post, "/v1/parties/\(party)/adventure")
        try #require(answer.status == 201, "\(answer.text)")
    }

    /// Opens the page; returns its stream and the response's status.
    func open(_ other: String? = nil) async -> (client: StreamClient, status: Int) {
        await Self.open(other ?? activity, as: panda)
    }

    static func open(
        _ activity: String = "page-1", as player: TestPlayer
    ) async -> (client: StreamClient, status: Int) {
        let client = StreamClient(to: player.server)
        let status = await client.get("/v1/activities/\(activity)/pushes", as: player.token)
        return (client, status)
    }

    /// Opens the page without a socket.
    func hold() async -> HeldPage {
        HeldPage(
            await server.server.respond(
                to: Request(
                    method: .get, path: "/v1/activities/\(activity)/pushes",
                    headers: ["authorization": "Bearer \(panda.token)"],
                    from: panda.address.flatMap { ClientAddress($0) } ?? .loopback)))
    }

    /// What the party's response says that the card should show.
    func card(_ language: String = "en") async -> Value {
        let answer = await server.send(
            .get, "/v1/parties/\(party)", as: panda.token, language: language)
        return answer.body["heroes"][0]["card"]
    }

    /// Steps until the condition holds. Each step ends when the pages have taken what was sent, for
    /// which no clock is needed.
    func step(until condition: () async -> Bool) async -> Bool {
        await server.step {
            await TestServer.until { server.metrics.value(.pushesInFlight) == 0 }
            return await condition()
        }
    }

    /// Plays on until the stream has ended, and returns what it said.
    func messages(of page: StreamClient) async -> [StreamClient.Message] {
        let isOver = Locked(false)
        return await withTaskGroup(of: [StreamClient.Message].self) { group in
            group.addTask {
                let messages = await page.messages { _ in false }
                isOver.withLock { $0 = true }
                return messages
            }
            _ = await step { isOver.withLock { $0 } }
            return await group.next() ?? []
        }
    }

    func decisions() async -> [Value] {
        await server.admin(.get, "/v1/admin/parties/\(party)/decisions").body["decisions"].array
    }

    func isOver() async -> Bool {
        let state = await panda.send(.get, "/v1/parties/\(party)")
        return state.body["adventure"]["phase"].string == "over"
    }

    /// A game master's loot: an event at least.
    func loot() async {
        let answer = await server.admin(.post, "/v1/admin/parties/\(party)/loot", "{}")
        #expect(answer.status == 200)
    }
}

/// A page that a test reads itself: 200 clients that wait for a socket would need as many threads.
/// Released, it is gone.
final class HeldPage: Sendable {
    let response: Response

    init(_ response: Response) { self.response = response }

    var status: Int { response.status }

    var retryAfter: String? { response.headers.first { $0.name == "retry-after" }?.value }

    /// Takes what the server has, until it waits or ends. Returns the names of the messages.
    func read() -> [String] {
        var text = ""
        while case .bytes(let bytes) = response.stream?.stream.next() {
            text += String(decoding: bytes, as: UTF8.self)
        }
        return text.split(separator: "\n").filter { $0.hasPrefix("event: ") }
            .map { String($0.dropFirst(7)) }
    }
}
