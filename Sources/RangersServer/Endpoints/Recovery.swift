internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// Recovery codes: with one a player who has lost their phone continues on another.
enum Recovery {
    static let routes = [
        APIRoute(
            .post, "/v1/me/recovery-code", .player,
            Contract(
                "creates a recovery code in place of any other", body: Body.Nothing.self,
                status: 201, returns: .json(.fields(["recoveryCode": .text]))),
            handle: create),
        APIRoute(
            .post, "/v1/players/recover", .anyone,
            Contract(
                "moves a player to a new device, with the recovery code", body: Input.self,
                status: 201, returns: .json(BearerToken.schema.adding(["player": .text])),
                problems: [404]),
            handle: recover),
    ]

    private struct Input: BodyFields {
        let recoveryCode: String
        let device: String?

        enum CodingKeys: CodingKey, CaseIterable {
            case recoveryCode, device
        }

        static var narrower: [String: JSONSchema] { ["device": Text.identifierSchema] }
    }

    /// Creates the player's code, in place of any other. It is in this response only.
    @Sendable private static func create(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        try Body.expectNothing(in: request)
        let code = RecoveryCode()
        try await call.game.players.change(
            .setRecoveryCode(code.hash, by: call.device), keeping: call.result(201, .secret))
        var json = JSONWriter()
        json.beginObject()
        json.field("recoveryCode", code.revealed)
        json.endObject()
        return .json(json.bytes, status: 201)
    }

    /// Moves the player to this device: all others lose their tokens. The first use of the new token
    /// uses up the code.
    @Sendable private static func recover(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let input = try Body.decode(Input.self, from: request)
        let device = try input.device.map { text throws(Problem) in
            try DeviceID(checking: text)
        }
        let code = RecoveryCode(typed: input.recoveryCode)
        let (limits, address) = (call.game.limits, LimitedClient.address(request.client))
        // Before the code is looked up, so that guesses that arrive together count.
        try limits.spend(.recoveryGuesses, address)
        let token = BearerToken()
        do throws(StoreError) {
            let outcome = try await call.game.players.change(
                .recover(
                    code: code.hash, device ?? .unnamed, tokenHash: token.hash, at: call.game.now),
                keeping: nil)
            limits.giveBack(.recoveryGuesses, address)
            return token.response(for: device ?? .unnamed, of: outcome.player)
        } catch {
            if error != .account(.wrongCode) { limits.giveBack(.recoveryGuesses, address) }
            throw error
        }
    }
}
