internal import GameLogic
internal import Isolation
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// The first lines of the board of all heroes, which all its readers share. Everything else on that
/// board is read anew for each of them (docs/internals/scores-and-boards.md).
final class WorldTops: Sendable {
    /// The largest age of the lines in a response, in milliseconds.
    static let freshFor: Int64 = 2000

    /// One season's lines, as they were at a time of the server.
    struct Top: Sendable {
        let at: WallTime
        let lines: [BoardLine]
        /// The lines as an array for a player who owns none of their heroes.
        let json: [UInt8]
        private let owners: Set<PlayerID>

        init(_ lines: [BoardLine], at time: WallTime) {
            at = time
            self.lines = lines
            owners = Set(lines.map(\.hero.owner))
            var json = JSONWriter(reserving: 8192)
            json.beginArray()
            for line in lines { ShowLeaderboards.writeOfStranger(line, to: &json) }
            json.endArray()
            self.json = json.bytes
        }

        func isOn(_ player: PlayerID) -> Bool { owners.contains(player) }
    }

    /// At most `Leaderboard.seasonsKept`: a board of another season is refused before.
    private let seasons = Locked<[Season: SharedReading<Top>]>([:])

    func top(of season: Season, in game: Game) async throws -> Top {
        let reading = reading(of: season, oldest: Leaderboard.oldestSeason(at: game.wallNow))
        let (store, now) = (game.store, game.now)
        return try await reading.value(at: now) {
            Top(try await store.worldTop(of: season), at: now)
        }
    }

    private func reading(of season: Season, oldest: Season) -> SharedReading<Top> {
        seasons.withLock { seasons in
            if let known = seasons[season] { return known }
            seasons = seasons.filter { $0.key >= oldest }
            let reading = SharedReading<Top>(freshFor: Self.freshFor)
            seasons[season] = reading
            return reading
        }
    }
}
