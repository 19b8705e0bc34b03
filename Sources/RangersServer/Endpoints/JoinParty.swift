internal import GameLogic
internal import HTTPServer
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// `POST /v1/parties/join` adds a hero to a party, by its invite code. Joining again changes
/// nothing and returns the same response.
enum JoinParty {
    static let route = APIRoute(
        .post, "/v1/parties/join", .player,
        Contract(
            "joins by invite code", body: Input.self, returns: .visibleParty,
            problems: [403, 404, 409, 429]),
        handle: respond)

    private struct Input: BodyFields {
        let inviteCode: String
        let hero: String
        /// The requesting device, which starts its activity by itself.
        let device: String?
        /// Whether to join even where a blocked player is.
        let anyway: Bool?

        enum CodingKeys: CodingKey, CaseIterable {
            case inviteCode, hero, device, anyway
        }

        static var narrower: [String: JSONSchema] {
            [
                "device": Text.identifierSchema
            ]
        }
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let input = try Body.decode(Input.self, from: request)
        let device = try await call.ownDevice(named: input.device)
        let hero = try await call.ownHero(HeroID(input.hero))
        let code = input.inviteCode.uppercased()
        let party = try await party(with: code, for: hero.owner, call.game)
        let result = call.result(200, .party(party))
        let isValid = try await call.game.shards.change(party) { change in
            guard change.party.member(hero.id) == nil else {
                change.keep(result)
                return true
            }
            // It may have changed since it was looked up.
            let current = change.stored.code
            guard current.text == code, current.isValid(at: change.now) else { return false }
            change.isRequested(by: device, of: hero.owner)
            if input.anyway == true { change.meeting = .accepted }
            try change.apply(.join(hero))
            change.keep(result)
            return true
        }
        guard isValid else { throw wrongCode(of: hero.owner, call.game) }
        return try await call.partyResponse(party, request)
    }

    /// Returns the party with this code. A player has few wrong tries, so that codes cannot be
    /// guessed (PR15).
    private static func party(
        with code: String, for player: PlayerID, _ game: Game
    ) async throws -> PartyID {
        let now = game.now
        if let seconds = game.inviteGuesses.withLock({ $0.wait(for: player, now: now) }) {
            throw Problem.tooManyRequests(
                "Too many wrong invite codes: check the code, and try again later.",
                retryAfterSeconds: seconds)
        }
        guard let party = try await game.store.party(withInviteCode: code) else {
            throw wrongCode(of: player, game)
        }
        return party
    }

    /// Takes one try. An expired code gets the response of an unknown one (PR15).
    private static func wrongCode(of player: PlayerID, _ game: Game) -> Problem {
        game.inviteGuesses.withLock { $0.spend(player, now: game.now) }
        return .notFound(
            "There is no party with this invite code, or the code has expired: ask the party's "
                + "leader for a valid one.")
    }
}
