internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// A push token that moves to a Live Activity: it is one activity's at a time. The player's other
/// activity loses it; a living one of another player keeps it.
struct PushTokenMove: Sendable {
    /// How often a registration is repeated while others take the token meanwhile.
    private static let attemptsMax = 4

    /// `nil`: nothing moves.
    let token: PushToken?
    let environment: PushEnvironment
    let player: PlayerID

    /// Repeats `register` after taking the token from the player's activity in another party. The
    /// store refuses each try while a further activity has the token.
    func whileTaken<Value>(
        in game: Game, _ register: @Sendable () async throws -> Value
    ) async throws -> Value {
        for _ in 0..<Self.attemptsMax {
            do {
                return try await register()
            } catch StoreError.tokenIsTaken(let holder) {
                try await take(from: holder, in: game)
            }
        }
        throw Problem.unavailable(
            "Other requests are registering this push token: try again soon.")
    }

    private func take(from holder: ActivityID, in game: Game) async throws {
        guard let registration = try await game.store.activity(holder) else { return }
        guard registration.player == player else {
            throw Problem.conflict(
                "The push token belongs to a Live Activity of another player: register your own.")
        }
        try await take(from: registration.party, in: game)
    }

    /// Takes the token from the player's activities in a party, whichever node has it.
    private func take(from party: PartyID, in game: Game) async throws {
        do {
            try await game.shards.change(party) { $0.take(self, for: nil) }
        } catch ShardError.elsewhere {
            // The request itself is another party's: it stays here.
            guard let response = await game.forwarding?.taking(self, from: party),
                response.status == 204
            else { throw Problem.otherPartyIsUnreachable }
        }
    }
}

extension Problem {
    fileprivate static let otherPartyIsUnreachable = unavailable(
        "The push token belongs to your Live Activity in a party whose server does not respond: "
            + "try again soon.")
}

extension PartyChange {
    /// Takes the token from the player's activities here, except the one that receives it.
    mutating func take(_ move: PushTokenMove, for receiver: ActivityID?) {
        guard let token = move.token else { return }
        for registration in stored.activities.map(\.registration)
        where registration.id != receiver && registration.player == move.player
            && registration.pushToken == token && registration.environment == move.environment
            && !registration.state.isFinal
        {
            var other = registration
            other.pushToken = nil
            update(other)
        }
    }
}
