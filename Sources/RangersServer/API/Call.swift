internal import GameLogic
internal import HTTPServer
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// A request's caller, and what a handler needs to answer.
struct Call: Sendable {
    enum Caller: Hashable, Sendable {
        case nobody
        case player(PlayerID)
        case gameMaster
    }

    let caller: Caller
    let game: Game

    /// The player who calls. Routes with `.player` always have one.
    var player: PlayerID {
        get throws(Problem) {
            guard case .player(let player) = caller else { throw Problem.unauthorized }
            return player
        }
    }
}

/// What the endpoints work with.
struct Game: Sendable {
    let shards: Shards
    /// Parties as readers see them.
    let snapshots: PartySnapshots
    let dependencies: Dependencies
    let epoch: Epoch
    let words: Words
    /// Game milliseconds a real second.
    let millisecondsPerSecond: Int64
    /// The environment of the APNs host: a token of another one is refused. `nil`: any.
    let pushEnvironment: PushEnvironment?
    /// Where channels are opened.
    let channelTerms: ChannelTerms
    /// What `/readyz` waits for.
    let readiness: Readiness
    /// Wrong invite codes: ten at once, then one in six seconds.
    let inviteGuesses = Locked(RateLimit(burst: 10, refillMilliseconds: 6000))

    /// Channels that were opened: five at once, then one in ten minutes.
    let channelOpenings = Locked(RateLimit(burst: 5, refillMilliseconds: 600_000))

    var store: any Store { dependencies.store }
    var now: WallTime { dependencies.clock.now() }
}
