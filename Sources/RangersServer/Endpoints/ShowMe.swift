internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `GET /v1/me` returns what the server knows of the player: everything that a relaunched app needs
/// to go on.
enum ShowMe {
    static let route = APIRoute(
        .get, "/v1/me", .player,
        Contract(
            "returns the player's heroes, parties, Live Activities and devices",
            returns: .json(schema)),
        handle: respond)

    static let schema = JSONSchema.fields([
        "player": .text, "heroes": .list(heroSchema),
        "activities": .list(ActivityView.schema), "devices": .list(deviceSchema),
    ])

    static let heroSchema = HeroView.schema.adding(["party": .nullable(.text)])

    static let deviceSchema = JSONSchema.named(
        "Device",
        .fields([
            "device": .text, "environment": .choice(PushEnvironment.allCases.map(\.rawValue)),
            "frequentPushesEnabled": .boolean,
            "language": .choice(Language.allCases.map(\.rawValue)), "osVersion": .text,
            "hasPushToStartToken": .boolean, "tokenRegisteredAt": .nullable(.time),
            "unfollowedStarts": .whole,
        ]))

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let player = try call.player
        let parties = try await call.game.store.parties(of: player)
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        try await writeFields(of: player, call, parties, to: &json)
        json.endObject()
        return .json(json.bytes)
    }

    /// Writes the player, their heroes, Live Activities and devices for push-to-start.
    static func writeFields(
        of player: PlayerID, _ call: Call, _ parties: [StoredParty], to json: inout JSONWriter
    ) async throws {
        let store = call.game.store
        let heroes = try await store.heroes(of: player)
        let memberships = try await store.memberships(of: player)
        let devices = try await store.startDevices(of: [player])
        let names = call.names
        json.field("player", player.rawValue)
        json.array("heroes", heroes) { json, hero in
            json.beginObject()
            HeroView.writeFields(of: names.hero(hero), to: &json)
            json.field("party", memberships[hero.id]?.rawValue)
            json.endObject()
        }
        json.array("activities", parties.flatMap { $0.activities(of: player) }) { json, activity in
            ActivityView(activity, call.game).write(to: &json)
        }
        json.array("devices", devices) { json, device in
            json.beginObject()
            writeFields(of: device, call.game, to: &json)
            json.endObject()
        }
    }

    /// Writes a device for push-to-start, without its token.
    static func writeFields(
        of device: StartDevice, _ game: Game, to json: inout JSONWriter
    ) {
        json.field("device", device.key.device.rawValue)
        json.field("environment", device.key.environment.rawValue)
        json.field("frequentPushesEnabled", device.traits.frequentPushesEnabled)
        json.field("language", device.traits.language.rawValue)
        json.field("osVersion", device.traits.osVersion)
        let hasToken = device.token != nil
        json.field("hasPushToStartToken", hasToken)
        let registeredAt = game.wall(at: device.traits.tokenRegisteredAt)
        json.field("tokenRegisteredAt", hasToken ? registeredAt : nil)
        json.field("unfollowedStarts", device.unfollowedStarts)
    }
}
