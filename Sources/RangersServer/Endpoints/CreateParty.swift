internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy
internal import Secrets

/// `POST /v1/parties` creates a party with one hero, whose player leads it.
enum CreateParty {
    static let route = APIRoute(
        .post, "/v1/parties", .player,
        Contract(
            "creates a party with a hero; the player leads it", body: Input.self, status: 201,
            returns: .visibleParty, problems: [404, 409]),
        handle: respond)
    private static let idLength = 16
    /// How many ids are drawn to find one of a shard of this server.
    private static let drawsMax = 256

    private struct Input: BodyFields {
        let hero: String

        enum CodingKeys: CodingKey, CaseIterable {
            case hero
        }
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let input = try Body.decode(Input.self, from: request)
        let hero = try await call.ownHero(HeroID(input.hero))
        let party = newParty(call.game)
        try call.game.shards.requireHere(party.id)
        try call.game.limits.spend(.memberships, .player(hero.owner, at: request.client))
        let result = call.result(201, .party(party.id))
        try await call.admit(hero) { hero in
            try await call.game.shards.create(party) { change in
                try change.apply(.join(hero))
                change.keep(result)
            }
        }
        return try await call.partyResponse(party.id, request, status: 201)
    }

    private static func newParty(_ game: Game) -> StoredParty {
        StoredParty(
            key: .random(), version: 0,
            party: Party(id: newID(game.shards)),
            clock: PartyClock(
                beganAt: game.now, millisecondsPerSecond: game.settings.millisecondsPerSecond),
            activities: [], inviteCode: RandomText.code(length: InviteCode.length),
            createdAt: game.now)
    }

    /// Returns an id whose shard is here, so that the party is created where the request arrived; a
    /// server without shards sends the request to another.
    private static func newID(_ shards: Shards) -> PartyID {
        var id = PartyID("party-" + RandomText.name(length: idLength))
        for _ in 1..<drawsMax where !shards.map.isHere(id) {
            id = PartyID("party-" + RandomText.name(length: idLength))
        }
        return id
    }
}
