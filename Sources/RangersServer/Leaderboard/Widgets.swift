internal import APNsClient
internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `…/v1/players/me/widgets/{device}`: the push token of the leaderboard's widgets on a device, as
/// WidgetKit gives it to the app's push handler. It is no token of a Live Activity.
enum Widgets {
    private static let path = "/v1/players/me/widgets/{device}"
    /// The most devices of one player at a time.
    static let devicesMax = 8

    static let schema = JSONSchema.fields([
        "device": .text, "environment": .choice(PushEnvironment.allCases.map(\.rawValue)),
    ])

    static let routes = [
        APIRoute(
            .put, path, .player,
            Contract(
                "registers the push token of a device's widgets", body: Input.self, status: 204,
                returns: .nothing, problems: [403, 409]),
            handle: put),
        APIRoute(
            .delete, path, .player,
            Contract(
                "removes the token: pushes no longer reload the widgets", status: 204,
                returns: .nothing, problems: [403]),
            handle: remove),
    ]

    private struct Input: BodyFields {
        /// Lower-case hex.
        let pushToken: String
        let environment: PushEnvironment

        enum CodingKeys: CodingKey, CaseIterable {
            case pushToken, environment
        }

        static var narrower: [String: JSONSchema] { ["pushToken": Text.tokenSchema] }
    }

    @Sendable private static func put(_ request: Request, _ call: Call) async throws -> Response {
        let device = try DeviceID(checking: request.parameter("device"))
        try await call.requireOwn(device)
        let input = try Body.decode(Input.self, from: request)
        try call.game.requireEnvironment(input.environment)
        let token = try Text.pushToken(input.pushToken, field: "pushToken")
        let (player, game) = (try call.player, call.game)
        if !game.newTokens.isProven(player) {
            let known = try await game.store.widgets(of: player)
                .first { $0.token.device == device }
            try call.spendNewToken(token.hex, known: known?.token.token, from: request.client)
        }
        game.dependencies.senders.liftQuarantine(of: DeviceToken(hex: token.hex))
        let widget = WidgetToken(
            player: player, device: device, environment: input.environment, token: token,
            confirmedAt: game.wallNow)
        let put = try await game.store.put(
            widget, by: call.device.device, amongAtMost: devicesMax, epoch: game.epoch)
        switch put {
        case .written: return .noContent
        case .noRoom:
            throw Problem.conflict(
                "A player can have widgets on at most \(devicesMax) devices: remove one first.")
        }
    }

    @Sendable private static func remove(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let device = DeviceID(try request.parameter("device"))
        try await call.requireOwn(device)
        let removed = try await call.game.store.removeWidget(
            of: device, player: call.player, epoch: call.game.epoch)
        guard removed > 0 else {
            throw Problem.notFound("You have no widgets' push token on device \(device).")
        }
        return .noContent
    }

    /// Writes a widget without its token.
    static func write(_ widget: WidgetToken, to json: inout JSONWriter) {
        json.beginObject()
        json.field("device", widget.device.rawValue)
        json.field("environment", widget.environment.rawValue)
        json.endObject()
    }
}
