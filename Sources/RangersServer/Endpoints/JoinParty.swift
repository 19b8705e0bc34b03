internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// `POST /v1/parties/join` adds a hero to a party, by its invite code. Joining again changes
/// nothing and returns the same response.
enum JoinParty {
    static let route = APIRoute(
        .post, "/v1/parties/join", .player,
        Contract(
            "joins by invite code", body: Input.self, returns: .visibleParty,
            problems: [403, 404, 409]),
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
        let party = try await call.game.limitingGuesses(of: hero.owner, at: request.client) {
            guard let found = try await call.game.store.party(withInviteCode: code) else {
                return nil
            }
            try call.game.shards.requireHere(found)
            try call.game.limits.spend(.memberships, .player(hero.owner, at: request.client))
            let isValid = try await call.admit(hero) { hero in
                try await join(hero, found, code, on: device, input.anyway == true, call)
            }
            return isValid ? found : nil
        }
        return try await call.partyResponse(party, request)
    }

    /// Returns whether the code is valid. An expired one gets the response of an unknown one (PR15).
    private static func join(
        _ hero: Hero, _ party: PartyID, _ code: String, on device: DeviceID?,
        _ meetsBlocked: Bool, _ call: Call
    ) async throws -> Bool {
        let result = call.result(200, .party(party))
        return try await call.game.shards.change(party) { change in
            guard change.party.anyHero(hero.id) == nil else {
                change.keep(result)
                return true
            }
            // It may have changed since it was looked up.
            let current = change.stored.code
            guard current.text == code, current.isValid(at: change.now) else { return false }
            change.isRequested(by: device, of: hero.owner)
            if meetsBlocked { change.meeting = .accepted }
            try change.apply(.join(hero))
            change.keep(result)
            return true
        }
    }
}

extension Game {
    /// Counts a wrong invite code, so that codes cannot be guessed (PR15). The tokens are taken before
    /// the store is asked, so that guesses that arrive together count, and given back unless the code
    /// was wrong.
    fileprivate func limitingGuesses(
        of player: PlayerID, at address: ClientAddress, _ body: () async throws -> PartyID?
    ) async throws -> PartyID {
        let (player, network) = (
            LimitedClient.player(player, at: address), LimitedClient.address(address)
        )
        try limits.spend(.inviteGuesses, player)
        do throws(Problem) {
            try limits.spend(.inviteGuessesOfAddress, network)
        } catch {
            limits.giveBack(.inviteGuesses, player)
            throw error
        }
        var isWrong = false
        defer {
            if !isWrong {
                limits.giveBack(.inviteGuesses, player)
                limits.giveBack(.inviteGuessesOfAddress, network)
            }
        }
        guard let party = try await body() else {
            isWrong = true
            throw Problem.notFound(
                "There is no party with this invite code, or the code has expired: ask the party's "
                    + "leader for a valid one.")
        }
        return party
    }
}
