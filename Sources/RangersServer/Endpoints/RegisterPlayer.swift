internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import Secrets

/// `POST /v1/players` registers a player and returns the bearer token once; only its hash is kept.
enum RegisterPlayer {
    static let route = APIRoute(.post, "/v1/players", .anyone, handle: respond)
    /// 5 bits per character: 260 bits.
    private static let tokenLength = 52
    private static let idLength = 16

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        try Body.expectNothing(in: request)
        let token = Secret(RandomText.name(length: tokenLength))
        let player = PlayerRecord(
            id: PlayerID("player-" + RandomText.name(length: idLength)),
            tokenHash: Digest.sha256(token.revealed.utf8), createdAt: call.game.now)
        try await call.game.store.insert(player, epoch: call.game.epoch)
        var json = JSONWriter()
        json.beginObject()
        json.field("player", player.id.rawValue)
        json.field("token", token.revealed)
        json.endObject()
        return .json(json.bytes, status: 201)
    }
}
