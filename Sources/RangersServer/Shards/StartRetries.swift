internal import GameLogic
internal import PushPolicy

/// When to retry the starts that APNs did not accept, by party and player.
struct StartRetries {
    private var times: [PartyID: [PlayerID: WallTime]] = [:]

    /// Returns when the party's next start is retried; `nil`: none is.
    func next(of party: PartyID) -> WallTime? {
        times.isEmpty ? nil : times[party]?.values.min()
    }

    /// Returns the players whose starts are due.
    func due(of party: PartyID, at now: WallTime) -> Set<PlayerID> {
        Set((times[party] ?? [:]).filter { $0.value <= now }.keys)
    }

    mutating func add(_ retry: StartRetry) {
        times[retry.party, default: [:]][retry.player] = retry.at
    }

    /// Delays the party's retries to `time` or later.
    mutating func postpone(_ party: PartyID, to time: WallTime) {
        times[party] = times[party]?.mapValues { max($0, time) }
    }

    /// Removes retries that were committed: they need no third try.
    mutating func remove(_ players: Set<PlayerID>, of party: PartyID) {
        for player in players { times[party]?[player] = nil }
        if times[party]?.isEmpty == true { times[party] = nil }
    }

    /// Removes the retries of these parties, which other nodes have.
    mutating func remove(of isGone: (PartyID) -> Bool) {
        times = times.filter { !isGone($0.key) }
    }
}
