internal import APNsClient
internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// `PUT /v1/players/me/push-to-start-tokens/{device}` registers a device's push-to-start token: the
/// server may start an activity there when an adventure begins (A7). A new token replaces the old
/// one.
enum PutStartToken {
    static let route = APIRoute(
        .put, "/v1/players/me/push-to-start-tokens/{device}", .player,
        Contract(
            "registers a device's push-to-start token", body: Input.self, status: 204,
            returns: .nothing, problems: [403, 409]),
        handle: respond)
    /// The most devices of one player at a time.
    static let devicesMax = 8

    private struct Input: BodyFields {
        /// Lower-case hex, as `pushToStartTokenUpdates` delivers it.
        let pushToStartToken: String
        /// One token per attributes type; this server starts only one type.
        let attributesType: String
        let environment: PushEnvironment
        let frequentPushesEnabled: Bool
        let language: String
        let osVersion: String

        enum CodingKeys: CodingKey, CaseIterable {
            case pushToStartToken, attributesType, environment, frequentPushesEnabled, language,
                osVersion
        }

        static var narrower: [String: JSONSchema] {
            [
                "pushToStartToken": Text.tokenSchema,
                "attributesType": .choice([AdventureAttributes.typeName]),
                "language": Text.languageSchema,
                "osVersion": Text.osVersionSchema,
            ]
        }
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let device = try DeviceID(checking: request.parameter("device"))
        try await call.requireOwn(device)
        let input = try Body.decode(Input.self, from: request)
        guard input.attributesType == AdventureAttributes.typeName else {
            throw Problem.badRequest(
                "The field \"attributesType\" must be \"\(AdventureAttributes.typeName)\": this server "
                    + "starts activities of that type only, and each type has a token of its own.")
        }
        try call.game.requireEnvironment(input.environment)
        let token = try Text.pushToken(input.pushToStartToken, field: "pushToStartToken")
        let traits = StartDevice.Traits(
            tokenRegisteredAt: call.game.now, language: try Text.language(input.language),
            osVersion: try Text.osVersion(input.osVersion),
            frequentPushesEnabled: input.frequentPushesEnabled)
        let record = StartDevice(
            key: StartDevice.Key(
                player: try call.player, environment: input.environment, device: device),
            token: token,
            traits: traits)
        if !call.game.newTokens.isProven(record.key.player) {
            let known = try await call.game.store.startDevices(of: [record.key.player])
                .first { $0.key == record.key }
            try call.spendNewToken(token.hex, known: known?.token, from: request.client)
        }
        call.game.dependencies.senders.liftQuarantine(of: DeviceToken(hex: token.hex))
        switch try await call.game.store.put(
            record, by: call.device.device, amongAtMost: devicesMax, epoch: call.game.epoch)
        {
        case .written: return .noContent
        case .noRoom:
            throw Problem.conflict(
                "A player can have push-to-start tokens on at most \(devicesMax) devices: "
                    + "delete one first.")
        }
    }
}

extension DeviceID {
    static let lengthMax = 100

    /// Parses a device's name from a client.
    init(checking text: String) throws(Problem) {
        self.init(try Text.identifier(text, field: "device", limit: Self.lengthMax))
    }
}
