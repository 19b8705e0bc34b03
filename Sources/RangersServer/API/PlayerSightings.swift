internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// When players last sent a request: who is absent. It is kept in memory only, so nobody counts as
/// absent until the server has run as long, and has had its newest shards as long: their players
/// may have been seen by another node.
final class PlayerSightings: Sendable {
    /// How long the leader of a party sends nothing before another member may lead, in minutes.
    static let absenceMinutes: Int64 = 10
    /// How late a sighting may be noted, in milliseconds: a busy client is noted once in this time.
    static let resolutionMilliseconds: Int64 = 30_000
    /// How long a sighting is remembered, in minutes: longer than the pause of `CleanUp`.
    static let keptMinutes: Int64 = 2 * CleanUp.restSeconds / 60
    /// The most players remembered.
    static let playersMax = 1 << 20

    private struct State {
        var seenAt: [PlayerID: WallTime] = [:]
        /// The time that counts for players who are not remembered.
        var others: WallTime
        /// The number of players at which those who are absent are forgotten.
        var tidyCount = 1024
    }

    private let state: Locked<State>

    init(from start: WallTime) { state = Locked(State(others: start)) }

    /// Counts players who are not remembered as seen at this time.
    func noteOthers(at now: WallTime) { state.withLock { $0.others = max($0.others, now) } }

    func note(_ player: PlayerID, at now: WallTime) {
        state.withLock { state in
            state.seenAt[player] = now
            guard state.seenAt.count >= state.tidyCount else { return }
            let oldest = now.adding(seconds: -60 * Self.keptMinutes)
            state.seenAt = state.seenAt.filter { $0.value >= oldest }
            if state.seenAt.count >= Self.playersMax {
                state.seenAt = [:]
                state.others = now
            }
            state.tidyCount = max(1024, 2 * state.seenAt.count)
        }
    }

    /// Whether the player has sent a request after this time. Of players who are not remembered, a
    /// server that has run since before then has seen none.
    func hasSeen(_ player: PlayerID, since time: WallTime) -> Bool {
        state.withLock { state in
            // The last request may be later than its note.
            let noted = state.seenAt[player]?.adding(milliseconds: Self.resolutionMilliseconds)
            return max(noted ?? state.others, state.others) > time
        }
    }

    /// Whether the party's leader has sent nothing for so long, while no adventure ran. On one, a
    /// leader has nothing to do.
    func isLeaderAbsent(from stored: StoredParty, at now: WallTime) -> Bool {
        guard let leader = stored.party.leader, !stored.party.isOnAdventure else { return false }
        let seenAt = state.withLock { max($0.seenAt[leader] ?? $0.others, $0.others) }
        guard Self.isAbsence(from: seenAt, to: now) else { return false }
        guard let adventure = stored.party.adventure else { return true }
        let endedAt = stored.clock.wallTime(of: adventure.advancedTo)
        // An end in the future is that of a clock that was wrong.
        return endedAt > now || Self.isAbsence(from: endedAt, to: now)
    }

    private static func isAbsence(from time: WallTime, to now: WallTime) -> Bool {
        now.milliseconds - time.milliseconds > absenceMinutes * 60_000 + resolutionMilliseconds
    }
}
