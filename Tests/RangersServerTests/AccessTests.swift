import HTTPServer
import PartyStore
import Testing

@testable import RangersServer

@Suite("Who may call what", .timeLimit(.minutes(1)))
struct AccessTests {
    /// The whole table, told a second time: a new route must be added here.
    static let table: [String: Access] = [
        "POST /v1/players": .anyone,
        "GET /v1/me": .player,
        "GET /v1/me/export": .player,
        "DELETE /v1/me": .player,
        "GET /v1/me/devices": .player,
        "POST /v1/me/devices": .player,
        "DELETE /v1/me/devices/{device}": .player,
        "POST /v1/me/token": .player,
        "POST /v1/me/recovery-code": .player,
        "POST /v1/players/recover": .anyone,
        "POST /v1/me/reconcile": .player,
        "POST /v1/heroes": .player,
        "GET /v1/heroes": .player,
        "POST /v1/parties": .player,
        "GET /v1/parties": .player,
        "POST /v1/parties/join": .player,
        "GET /v1/parties/{party}": .player,
        "GET /v1/parties/{party}/stream": .player,
        "GET /v1/adventures": .player,
        "POST /v1/parties/{party}/adventure": .player,
        "POST /v1/parties/{party}/actions": .player,
        "POST /v1/parties/{party}/answers": .player,
        "POST /v1/parties/{party}/ready": .player,
        "DELETE /v1/parties/{party}/ready": .player,
        "GET /v1/heroes/{hero}/bag": .player,
        "PUT /v1/heroes/{hero}/orders": .player,
        "POST /v1/heroes/{hero}/shop": .player,
        "POST /v1/parties/{party}/code": .player,
        "POST /v1/parties/{party}/members/{hero}/kick": .player,
        "PUT /v1/parties/{party}/leader": .player,
        "DELETE /v1/parties/{party}": .player,
        "PUT /v1/parties/{party}/channel": .player,
        "GET /v1/parties/{party}/channel": .player,
        "DELETE /v1/parties/{party}/channel": .player,
        "GET /v1/activities/{activity}": .player,
        "GET /v1/activities/{activity}/pushes": .player,
        "PUT /v1/activities/{activity}": .player,
        "DELETE /v1/activities/{activity}": .player,
        "DELETE /v1/activities/{activity}/push-token": .player,
        "POST /v1/activities/{activity}/state": .player,
        "PUT /v1/players/me/push-to-start-tokens/{device}": .player,
        "DELETE /v1/players/me/push-to-start-tokens/{device}": .player,
        "POST /v1/heroes/{hero}/reports": .player,
        "GET /v1/players/me/blocks": .player,
        "PUT /v1/players/me/blocks/{player}": .player,
        "DELETE /v1/players/me/blocks/{player}": .player,
        "POST /v1/admin/commands": .admin(.observer),
        "GET /v1/admin/jobs": .admin(.observer),
        "GET /v1/admin/jobs/{job}": .admin(.observer),
        "DELETE /v1/admin/jobs/{job}": .admin(.director),
        "GET /v1/world": .player,
        "GET /v1/world/channel": .player,
        "GET /v1/leaderboards/friends": .player,
        "GET /v1/leaderboards/world": .player,
        "GET /v1/leaderboards/party": .player,
        "PUT /v1/players/me/widgets/{device}": .player,
        "DELETE /v1/players/me/widgets/{device}": .player,
        "GET /v1/admin/world": .admin(.observer),
        "POST /v1/admin/world": .admin(.director),
        "DELETE /v1/admin/world/{event}": .admin(.director),
        "GET /v1/admin/reports": .admin(.moderator),
        "PUT /v1/admin/heroes/{hero}/name": .admin(.moderator),
        "GET /v1/admin/banned-names": .admin(.moderator),
        "PUT /v1/admin/banned-names/{name}": .admin(.moderator),
        "DELETE /v1/admin/banned-names/{name}": .admin(.moderator),
        "GET /v1/admin/stream": .admin(.observer),
        "GET /v1/admin/parties": .admin(.observer),
        "GET /v1/admin/parties/{party}/decisions": .admin(.observer),
        "GET /v1/admin/parties/{party}/story": .admin(.observer),
        "GET /v1/admin/parties/{party}/cards": .admin(.observer),
        "GET /v1/admin/parties/{party}/pushes": .admin(.observer),
        "GET /v1/admin/pushes": .admin(.observer),
        "GET /v1/admin/nodes": .admin(.observer),
        "POST /v1/admin/players/find": .admin(.observer),
        "GET /v1/admin/players/{player}": .admin(.observer),
        "DELETE /v1/admin/players/{player}/token": .admin(.owner),
        "DELETE /v1/admin/activities/{activity}": .admin(.gameMaster),
        "GET /v1/admin/content": .admin(.observer),
        "POST /v1/admin/content/preview": .admin(.observer),
        "GET /v1/admin/parties/{party}": .admin(.observer),
        "GET /v1/admin/players": .admin(.observer),
        "GET /v1/admin/devices": .admin(.observer),
        "GET /v1/admin/push-pause": .admin(.observer),
        "PUT /v1/admin/push-pause": .admin(.owner),
        "DELETE /v1/admin/push-pause": .admin(.owner),
        "GET /v1/admin/frozen-parties": .admin(.observer),
        "GET /v1/admin/frozen-parties/{party}": .admin(.observer),
        "POST /v1/admin/frozen-parties/{party}/repair": .admin(.director),
        "POST /v1/admin/frozen-parties/{party}/abandon": .admin(.owner),
        "GET /v1/admin/audit": .admin(.director),
        "GET /v1/admin/packs": .admin(.observer),
        "PUT /v1/admin/packs/{pack}": .admin(.director),
        "DELETE /v1/admin/packs/{pack}/{version}": .admin(.director),
        "GET /v1/admin/packs/{pack}/{version}/sentences": .admin(.observer),
        "POST /v1/admin/session": .signIn,
        "GET /v1/admin/session": .admin(.observer),
        "DELETE /v1/admin/session": .admin(.observer),
        "POST /v1/admin/session-codes": .admin(.owner),
        "GET /v1/admin/keys": .admin(.owner),
        "POST /v1/admin/keys": .admin(.owner),
        "DELETE /v1/admin/keys/{key}": .admin(.owner),
        "POST /v1/admin/parties/{party}/boss": .admin(.gameMaster),
        "POST /v1/admin/parties/{party}/loot": .admin(.gameMaster),
        "POST /v1/admin/parties/{party}/storm": .admin(.gameMaster),
        "POST /v1/admin/parties/{party}/end": .admin(.gameMaster),
        "GET /v1/stream-check": .doctor,
        "GET /healthz": .anyone,
        "GET /readyz": .anyone,
        "GET /metrics": .anyone,
        "GET /openapi.json": .anyone,
        "GET /adventure.schema.json": .anyone,
    ]

    @Test("the routes are those of the table")
    func routes() {
        let routes = Routes.all.map { ("\($0.method.rawValue) \($0.template)", $0.access) }
        #expect(Dictionary(routes, uniquingKeysWith: { first, _ in first }) == Self.table)
        #expect(routes.count == Self.table.count)
    }

    @Test("PR15: each route refuses everybody else, before it looks at anything")
    func refusals() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        for route in Routes.all {
            let path = GarbageTests.fill(route.template, with: "x")
            let strangers: [String?] =
                switch route.access {
                case .anyone, .signIn: []
                case .player: [nil, "wrong", TestServer.adminKey]
                case .doctor: [nil, "wrong", "1685952000.0", panda.token, TestServer.adminKey]
                case .admin: [nil, "wrong", panda.token]
                }
            for token in strangers {
                let answer = await server.send(route.method, path, as: token)
                #expect(answer.status == 401, "\(route.template)")
                #expect(answer.headers["www-authenticate"] == "Bearer")
            }
        }
        await server.server.drain()
    }

    @Test("PR16: with two listeners, game masters' routes and metrics are not on that of players")
    func listeners() async throws {
        var admin = HTTPServer.Settings()
        admin.port = 0
        let server = try await TestServer(adminHTTP: admin)
        #expect(server.server.adminPort != server.server.port)
        var counts: [String: Int] = [:]
        for route in Routes.all {
            let path = route.template.replacing(#/{[a-z]+}/#, with: "x")
            let request = Request(method: route.method, path: path)
            let isOfPlayers = await !server.server.respond(to: request).isUnrouted
            let isOfGameMasters = await !server.server.respond(toGameMaster: request).isUnrouted
            switch route.access {
            case .signIn, .admin:
                counts["admin", default: 0] += 1
                #expect(!isOfPlayers && isOfGameMasters, "\(route.template)")
            case .player, .doctor:
                counts["player", default: 0] += 1
                #expect(isOfPlayers && !isOfGameMasters, "\(route.template)")
            case .anyone:
                #expect(isOfPlayers == (path != "/metrics"), "\(route.template)")
                #expect(
                    isOfGameMasters == ["/healthz", "/readyz", "/metrics"].contains(path),
                    "\(route.template)")
            }
        }
        #expect(counts["admin"] ?? 0 > 20 && counts["player"] ?? 0 > 20)
        await server.server.drain()
    }
}

extension Access {
    var isAdmin: Bool {
        if case .admin = self { true } else { false }
    }
}

extension Response {
    /// Whether no route has the path.
    fileprivate var isUnrouted: Bool {
        status == 405 || body == Problem.notFound.response.body
    }
}
