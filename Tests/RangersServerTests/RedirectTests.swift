import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// PR20: what a node answers that has not what a request concerns.
@Suite("Requests at a node that has not the party", .timeLimit(.minutes(3)), .serialized)
struct RedirectTests {
    /// A player with a party at the first node.
    private struct Scene {
        let nodes: TwoNodes
        let panda: TestPlayer
        let path: String

        static func make(
            rates: RateSettings = TestServer.patientRates
        ) async throws -> Scene {
            let nodes = try await TwoNodes.make(rates: rates)
            let panda = try await TestPlayer.make("Panda", at: nodes.one)
            return Scene(
                nodes: nodes, panda: panda, path: "/v1/parties/\(try await panda.found().id)")
        }

        var read: Request {
            Request(
                method: .get, path: path, headers: ["authorization": "Bearer \(panda.token)"])
        }

        /// Sends a request to the second node, without a proxy.
        func direct(_ request: Request) async -> Response {
            await nodes.two.server.respond(to: request)
        }
    }

    private static func headers(_ response: Response) -> [String: String] {
        Dictionary(response.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    @Test("without a proxy it is an honest 503 that names the owner's location")
    func direct() async throws {
        let scene = try await Scene.make()
        let response = await scene.direct(scene.read)
        #expect(response.status == 503)
        #expect(
            Self.headers(response) == [
                "content-type": "application/problem+json", "retry-after": "1",
                "x-accel-redirect": "@one.example:8080",
            ])
        // The HTTP worker itself answers once it knows the token.
        let quick = scene.read.withHead { scene.nodes.two.server.immediateResponse(to: $0) }
        #expect(quick?.status == 503)
        #expect(quick.map(Self.headers) == Self.headers(response))
        #expect(quick?.body == response.body)
        #expect(TwoNodes.redirected(by: scene.nodes.two) == 2)
        try await scene.nodes.end()
    }

    @Test("a change that is redirected has changed nothing, and arrives once")
    func change() async throws {
        let scene = try await Scene.make()
        let start = Request(
            method: .post, path: scene.path + "/adventure",
            headers: ["authorization": "Bearer \(scene.panda.token)"])
        #expect(await scene.direct(start).status == 503)
        let before = await scene.panda.send(.get, scene.path)
        #expect(before.body["adventure"]["phase"].string == nil)
        let moved = scene.panda.moved(to: scene.nodes.two)
        #expect(await moved.send(.post, scene.path + "/adventure").status == 201)
        #expect(await moved.send(.post, scene.path + "/adventure").status == 409)
        try await scene.nodes.end()
    }

    @Test("PR22: only the proxy can say that a request was counted")
    func forged() async throws {
        let scene = try await Scene.make(
            rates: RateLimitTests.rates([.requestsOfPlayer: "1/h:12"]))
        let forged = Request(
            method: .get, path: scene.path,
            headers: [
                "authorization": "Bearer \(scene.panda.token)", "rangers-redirected": "1",
            ])
        var statuses: [Int: Int] = [:]
        for _ in 1...50 { statuses[await scene.direct(forged).status, default: 0] += 1 }
        #expect(statuses == [503: 12, 429: 38])
        #expect(TwoNodes.redirected(by: scene.nodes.two) == 12)
        try await scene.nodes.end()
    }

    @Test("what was redirected once is not redirected again")
    func again() async throws {
        let scene = try await Scene.make()
        for _ in 1...2 {
            let response = await scene.direct(scene.read.redirected)
            #expect(response.status == 503)
            #expect(Self.headers(response)["retry-after"] == "1")
            #expect(Self.headers(response)["x-accel-redirect"] == nil)
            let quick = scene.read.redirected.withHead {
                scene.nodes.two.server.immediateResponse(to: $0)
            }
            #expect(quick.map { Self.headers($0)["x-accel-redirect"] } ?? nil == nil)
        }
        let again = scene.nodes.two.metrics.value(
            .requestsRedirected, labels: "result=\"again\"")
        #expect(again >= 2)
        try await scene.nodes.end()
    }

    @Test("a game master's call is in the audit log once, written by the party's owner")
    func audit() async throws {
        let scene = try await Scene.make()
        let party = scene.path.replacing("/v1/parties/", with: "")
        let loot = "/v1/admin/parties/\(party)/loot"
        #expect(await scene.panda.send(.post, scene.path + "/adventure").status == 201)
        #expect(await scene.nodes.two.admin(.post, loot, "{}").status == 200)
        let calls = await scene.nodes.one.admin(.get, "/v1/admin/audit").body["calls"].array
        #expect(calls.count { $0["action"].string?.hasSuffix("/loot") == true } == 1)
        // Without a proxy nobody else writes it.
        let direct = Request(
            method: .post, path: loot,
            headers: ["authorization": "Bearer \(TestServer.adminKey)"], body: Array("{}".utf8))
        #expect(await scene.direct(direct).status == 503)
        let then = await scene.nodes.one.admin(.get, "/v1/admin/audit").body["calls"].array
        #expect(then.count { $0["action"].string?.hasSuffix("/loot") == true } == 2)
        try await scene.nodes.end()
    }

    @Test("a server that has its game for itself knows nothing of it")
    func alone() async throws {
        let server = try await TestServer(proxy: FakeProxy())
        let panda = try await TestPlayer.make("Panda", at: server)
        let party = try await panda.found().id
        let request = Request(
            method: .get, path: "/v1/parties/\(party)",
            headers: ["authorization": "Bearer \(panda.token)"])
        #expect(await server.server.respond(to: request.redirected).status == 200)
        #expect(RequestArrival(of: request.redirected, at: .whole) == .proxied)
        #expect(RequestArrival(of: request, at: .whole) == .direct)
        await server.server.drain()
    }

    @Test("an owner with a listener for game masters and a URL of its own is named by them")
    func places() async throws {
        let nodes = try await TwoNodes.make()
        let panda = try await TestPlayer.make("Panda", at: nodes.one)
        let party = try await panda.found().id
        try await nodes.query(
            """
            UPDATE node SET admin_address = 'one.example:8081',
                public_url = 'https://one.example/' WHERE name = 'one'
            """)
        await nodes.two.step(forSeconds: 3)
        let read = Request(
            method: .get, path: "/v1/parties/\(party)",
            headers: ["authorization": "Bearer \(panda.token)"])
        let ofPlayer = Self.headers(await nodes.two.server.respond(to: read))
        #expect(ofPlayer["x-accel-redirect"] == "@one.example:8080")
        #expect(ofPlayer["rangers-owner"] == "https://one.example/")
        let ask = Request(
            method: .get, path: "/v1/admin/parties/\(party)",
            headers: ["authorization": "Bearer \(TestServer.adminKey)"])
        let ofMaster = Self.headers(await nodes.two.server.respond(to: ask))
        #expect(ofMaster["x-accel-redirect"] == "@one.example:8081")
        try await nodes.end()
    }
}
