internal import HTTPServer

/// The server's HTTP listeners: that of players, and that of game masters and metrics if they have
/// one of their own. Without sockets there are only their APIs.
struct Listeners: Sendable {
    /// The most connections of the listener of game masters.
    private static let adminConnectionsMax = 64

    let api: API
    let adminAPI: API
    private let players: HTTPServer?
    private let gameMasters: HTTPServer?

    /// 0: there is no socket.
    var port: UInt16 { players?.port ?? 0 }
    var adminPort: UInt16 { gameMasters?.port ?? port }

    /// Starts listening. If the second listener cannot, the first one stops.
    init(_ given: Server.Settings, _ game: Game) async throws {
        var settings = given
        settings.http.streamsMax += given.pagesMax
        guard var admin = settings.adminHTTP else {
            settings.http.streamsMax += ConsoleStreams.streamsMax
            api = API(for: .everybody, game: game)
            adminAPI = api
            players = try Self.listening(settings.http, api, game)
            gameMasters = nil
            return
        }
        admin.connectionsMax = Self.adminConnectionsMax
        admin.streamsMax = ConsoleStreams.streamsMax
        api = API(for: .players, game: game)
        adminAPI = API(for: .gameMasters, game: game)
        players = try Self.listening(settings.http, api, game)
        do {
            gameMasters = try Self.listening(admin, adminAPI, game)
        } catch {
            await players?.stop(graceSeconds: 0)
            throw error
        }
    }

    private static func listening(
        _ settings: HTTPServer.Settings, _ api: API, _ game: Game
    ) throws -> HTTPServer? {
        guard case .sockets = game.dependencies.front else { return nil }
        var settings = settings
        settings.largerBodyBytesMax = { ManagePacks.bodyBytesMax(of: $0) }
        return try HTTPServer(settings) {
            api.immediateResponse(to: $0)
        } admission: {
            await api.refusal(ofHead: $0)
        } handler: {
            await api.respond(to: $0)
        }
    }

    /// Stops all; the listener of game masters last, so that metrics show the end.
    func stop(graceSeconds: Int) async {
        await players?.stop(graceSeconds: graceSeconds)
        await gameMasters?.stop(graceSeconds: graceSeconds)
    }
}
