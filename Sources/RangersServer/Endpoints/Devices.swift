internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `/v1/me/devices`: the player's devices, each with a bearer token of its own.
enum Devices {
    static let routes = [
        APIRoute(
            .get, "/v1/me/devices", .player,
            Contract(
                "lists the player's devices",
                returns: .json(.fields(["devices": .list(schema)]))),
            handle: list),
        APIRoute(
            .post, "/v1/me/devices", .player,
            Contract(
                "adds a device with a token of its own", body: Input.self, status: 201,
                returns: .json(BearerToken.schema)),
            handle: add),
        APIRoute(
            .delete, "/v1/me/devices/{device}", .player,
            Contract("revokes a device's token", status: 204, returns: .nothing, problems: [409]),
            handle: revoke),
        APIRoute(
            .post, "/v1/me/token", .player,
            Contract(
                "replaces the calling device's token", body: Body.Nothing.self, status: 201,
                returns: .json(BearerToken.schema)),
            handle: rotate),
    ]

    static let schema = JSONSchema.named(
        "SignedInDevice", .fields(["device": .text, "current": .boolean, "addedAt": .time]))

    private struct Input: BodyFields {
        let device: String

        enum CodingKeys: CodingKey, CaseIterable {
            case device
        }

        static var narrower: [String: JSONSchema] { ["device": Text.identifierSchema] }
    }

    @Sendable private static func list(_ request: Request, _ call: Call) async throws -> Response {
        let caller = try call.device
        let devices = try await call.game.store.devices(of: caller.player)
        var json = JSONWriter()
        json.beginObject()
        json.array("devices", devices) { json, device in
            write(device, call.game, to: &json, current: caller)
        }
        json.endObject()
        return .json(json.bytes)
    }

    /// Writes a device without its token.
    static func write(
        _ device: DeviceRecord, _ game: Game, to json: inout JSONWriter,
        current: DeviceRecord.Key
    ) {
        json.beginObject()
        json.field("device", device.key.device.rawValue)
        json.field("current", device.key == current)
        json.field("addedAt", game.wall(at: device.createdAt))
        json.endObject()
    }

    /// The new device's token is in this response only.
    @Sendable private static func add(_ request: Request, _ call: Call) async throws -> Response {
        let caller = try call.device
        let name = try DeviceID(checking: Body.decode(Input.self, from: request).device)
        let token = BearerToken()
        let device = DeviceRecord(
            key: DeviceRecord.Key(player: caller.player, device: name), tokenHash: token.hash,
            createdAt: call.game.now)
        try await call.game.players.change(
            .add(device, by: caller.device), keeping: call.result(201, .secret))
        return token.response(for: name)
    }

    /// The device's token fails from now on, and its push-to-start token is gone.
    @Sendable private static func revoke(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let caller = try call.device
        let name = DeviceID(try request.parameter("device"))
        guard
            try await call.game.store.devices(of: caller.player).contains(where: {
                $0.key.device == name
            })
        else { throw Problem.notFound("You have no device \(name).") }
        let key = DeviceRecord.Key(player: caller.player, device: name)
        try await call.game.players.change(.revoke(key, by: caller.device), keeping: nil)
        return .noContent
    }

    /// The old token is valid until the new one is used: a lost response locks nobody out.
    @Sendable private static func rotate(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        try Body.expectNothing(in: request)
        let caller = try call.device
        let token = BearerToken()
        try await call.game.players.change(
            .rotate(caller, to: token.hash), keeping: call.result(201, .secret))
        return token.response(for: caller.device)
    }
}

extension Call {
    /// Refuses the name of a device other than the caller's. A device without a name may use any
    /// that no other device of its player has, as apps did before devices had names.
    func requireOwn(_ device: DeviceID) async throws {
        let caller = try self.device
        guard caller.device != device else { return }
        var isFree = false
        if caller.device == .unnamed {
            let devices = try await game.store.devices(of: caller.player)
            isFree = !devices.contains { $0.key.device == device }
        }
        guard isFree else {
            throw Problem.forbidden(
                "This token belongs to device \(caller.device), not to \(device): use its name.")
        }
    }

    /// Returns the device that a request names, if it names one.
    func ownDevice(named text: String?) async throws -> DeviceID? {
        guard let text else { return nil }
        let device = try DeviceID(checking: text)
        try await requireOwn(device)
        return device
    }

    /// The name of the calling device; `nil`: its app has given none.
    var namedDevice: DeviceID? {
        get throws(Problem) {
            let name = try device.device
            return name == .unnamed ? nil : name
        }
    }
}
