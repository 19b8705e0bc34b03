internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy
internal import Secrets

/// `POST /v1/players` registers a player with a first device, and returns the device's bearer token
/// once; only its hash is kept.
enum RegisterPlayer {
    static let route = APIRoute(
        .post, "/v1/players", .anyone,
        Contract(
            "registers a player", body: Input.self, status: 201,
            returns: .json(BearerToken.schema.adding(["player": .text]))),
        handle: respond)
    private static let idLength = 16

    private struct Input: BodyFields {
        let device: String?

        enum CodingKeys: CodingKey, CaseIterable {
            case device
        }

        static var narrower: [String: JSONSchema] { ["device": Text.identifierSchema] }
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let name = try Body.decode(Input.self, from: request).device
            .map { text throws(Problem) in try DeviceID(checking: text) }
        try call.game.limits.spend(
            .players, .everybody(at: request.client),
            and: .playersOfAddress, .address(request.client))
        let token = BearerToken()
        let key = DeviceRecord.Key(
            player: PlayerID("player-" + RandomText.name(length: idLength)),
            device: name ?? .unnamed)
        try await call.game.store.insert(
            DeviceRecord(key: key, tokenHash: token.hash, createdAt: call.game.now),
            epoch: call.game.epoch)
        return token.response(for: key.device, of: key.player)
    }
}
