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

    /// Repeats `register` with the player's activity of another party that has the token. The store
    /// refuses each try while a further activity has it.
    func whileTaken<Value>(
        in game: Game, _ register: @Sendable (ActivityRegistration?) async throws -> Value
    ) async throws -> Value {
        var holder: ActivityRegistration?
        for _ in 0..<Self.attemptsMax {
            do {
                let value = try await register(holder)
                if let holder { await game.shards.takeLetters(to: [holder.party]) }
                return value
            } catch StoreError.tokenIsTaken(let id) {
                holder = try await self.holder(id, in: game)
            }
        }
        throw Problem.unavailable(
            "Other requests are registering this push token: try again soon.")
    }

    /// Returns the activity that has the token; `nil`: it is gone meanwhile.
    private func holder(
        _ id: ActivityID, in game: Game
    ) async throws -> ActivityRegistration? {
        guard let holder = try await game.store.activity(id) else { return nil }
        guard holder.player == player else {
            throw Problem.conflict(
                "The push token belongs to a Live Activity of another player: register your own.")
        }
        return holder
    }
}

extension PartyChange {
    /// Takes the token from the player's activities here, except the one that receives it, and from
    /// the one of another party that has it.
    mutating func take(
        _ move: PushTokenMove, for receiver: ActivityID, from holder: ActivityRegistration?
    ) {
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
        if let holder { takeToken(from: holder) }
    }
}
