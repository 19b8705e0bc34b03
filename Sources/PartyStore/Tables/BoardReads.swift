internal import GameLogic
internal import PushPolicy

/// The boards, in SQL. Each reads from one state of the file, and a number of rows that does not
/// grow with the number of heroes.
struct BoardReads {
    /// A hero on a board whose row has not been read yet.
    private struct Place {
        let points: Int64
        let reachedAt: Int64
        let hero: String

        init(_ row: any SQLRow) {
            points = row.integer(0)
            reachedAt = row.integer(1)
            hero = row.text(2)
        }
    }

    private let database: any SQLSession
    /// Decodes a hero; `nil`: the row is damaged, and reported. A board goes on without it.
    private let sound: (DataRow) -> Hero?

    init(_ database: any SQLSession, sound: @escaping (DataRow) -> Hero?) {
        self.database = database
        self.sound = sound
    }

    // MARK: All heroes

    func top(_ season: Int64) throws -> [BoardLine] {
        let top = try database.rows(
            """
            SELECT points, reached_at, hero FROM standings WHERE season = ?1
            ORDER BY season, points DESC, reached_at, hero LIMIT ?2
            """, [.integer(season), .limit(Ranking.topMax)], read: Place.init)
        return try lines(top, Self.ranks(ofFirst: top))
    }

    func place(_ season: Int64, of player: String) throws -> WorldPlace {
        let best = try database.rows(
            """
            SELECT points, reached_at, hero FROM heroes
            JOIN standings ON season = ?1 AND hero = heroes.id WHERE owner = ?2
            ORDER BY points DESC, reached_at, hero LIMIT 1
            """, [.integer(season), .text(player)], read: Place.init
        ).first
        var around: [Place] = []
        if let best {
            around = try above(best, season).reversed() + [best] + below(best, season)
        }
        let heroes = try database.integer(
            """
            SELECT CAST(coalesce(sum(heroes), 0) AS BIGINT) FROM standing_buckets
            WHERE season = ?1
            """,
            [.integer(season)])
        return WorldPlace(
            around: try lines(around, ranks(of: around, season)), heroes: Int(heroes))
    }

    /// The heroes just above one, the nearest first.
    private func above(_ place: Place, _ season: Int64) throws(SQLFailure) -> [Place] {
        let tied = try database.rows(
            """
            SELECT points, reached_at, hero FROM standings
            WHERE season = ?1 AND points = ?2 AND (reached_at, hero) < (?3, ?4)
            ORDER BY reached_at DESC, hero DESC LIMIT ?5
            """, values(place, season), read: Place.init)
        let better = try database.rows(
            """
            SELECT points, reached_at, hero FROM standings WHERE season = ?1 AND points > ?2
            ORDER BY points, reached_at DESC, hero DESC LIMIT ?3
            """, [.integer(season), .integer(place.points), .limit(Ranking.neighbours)],
            read: Place.init)
        return Array((tied + better).prefix(Ranking.neighbours))
    }

    /// The heroes just below one, the nearest first.
    private func below(_ place: Place, _ season: Int64) throws(SQLFailure) -> [Place] {
        let tied = try database.rows(
            """
            SELECT points, reached_at, hero FROM standings
            WHERE season = ?1 AND points = ?2 AND (reached_at, hero) > (?3, ?4)
            ORDER BY reached_at, hero LIMIT ?5
            """, values(place, season), read: Place.init)
        let worse = try database.rows(
            """
            SELECT points, reached_at, hero FROM standings WHERE season = ?1 AND points < ?2
            ORDER BY points DESC, reached_at, hero LIMIT ?3
            """, [.integer(season), .integer(place.points), .limit(Ranking.neighbours)],
            read: Place.init)
        return Array((tied + worse).prefix(Ranking.neighbours))
    }

    private func values(_ place: Place, _ season: Int64) -> [SQLValue] {
        [
            .integer(season), .integer(place.points), .integer(place.reachedAt), .text(place.hero),
            .limit(Ranking.neighbours),
        ]
    }

    /// The ranks of the first places.
    private static func ranks(ofFirst places: [Place]) -> [Int] {
        var ranks: [Int] = []
        for (index, place) in places.enumerated() {
            let isTied = index > 0 && place.points == places[index - 1].points
            ranks.append(isTied ? ranks[index - 1] : index + 1)
        }
        return ranks
    }

    /// Reads the heroes of places with these ranks.
    private func lines(_ places: [Place], _ ranks: [Int]) throws -> [BoardLine] {
        try zip(places, ranks).compactMap { place, rank in
            try hero(place.hero).map {
                BoardLine(rank: rank, points: Int(place.points), hero: $0)
            }
        }
    }

    /// The ranks of neighbours: only that of the first is counted from above.
    private func ranks(of places: [Place], _ season: Int64) throws(SQLFailure) -> [Int] {
        guard let first = places.first else { return [] }
        var ranks = [try rank(of: first.points, season)]
        for (place, before) in zip(places.dropFirst(), places) {
            let tied =
                place.points == before.points ? 0 : try heroes(with: before.points, season)
            ranks.append(ranks[ranks.count - 1] + tied)
        }
        return ranks
    }

    private func heroes(with points: Int64, _ season: Int64) throws(SQLFailure) -> Int {
        Int(
            try database.integer(
                """
                SELECT CAST(coalesce(sum(heroes), 0) AS BIGINT) FROM standing_counts
                WHERE season = ?1 AND points = ?2
                """, [.integer(season), .integer(points)]))
    }

    /// Equal sums share a rank: one more than the heroes who have more points.
    private func rank(of points: Int64, _ season: Int64) throws(SQLFailure) -> Int {
        let bucket = points / ResultTables.bucketPoints
        let higher = try database.integer(
            """
            SELECT CAST(coalesce(sum(heroes), 0) AS BIGINT) FROM standing_buckets
            WHERE season = ?1 AND bucket > ?2
            """, [.integer(season), .integer(bucket)])
        let near = try database.integer(
            """
            SELECT CAST(coalesce(sum(heroes), 0) AS BIGINT) FROM standing_counts
            WHERE season = ?1 AND points > ?2 AND points < ?3
            """,
            [
                .integer(season), .integer(points),
                .integer((bucket + 1) * ResultTables.bucketPoints),
            ])
        return Int(higher + near) + 1
    }

    /// `nil`: the hero's account was deleted, or its row is damaged.
    private func hero(_ id: String) throws(SQLFailure) -> Hero? {
        try database.hero(id).flatMap(sound)
    }

    // MARK: Friends

    /// Returns the player and those who are friends on the board.
    func friends(of player: String, since time: Int64) throws(SQLFailure) -> [String] {
        let friends = try database.rows(
            """
            SELECT other FROM companions WHERE player = ?1 AND at >= ?2
                AND NOT EXISTS (SELECT 1 FROM blocks WHERE player = ?1 AND blocked = other)
                AND NOT EXISTS (SELECT 1 FROM blocks WHERE player = other AND blocked = ?1)
            ORDER BY at DESC, other LIMIT ?3
            """, [.text(player), .integer(time), .limit(Leaderboard.friendsMax)]
        ) { $0.text(0) }
        return [player] + friends
    }

    /// Returns the standings of a player's heroes.
    private func standings(
        _ season: Int64, of player: String
    ) throws(SQLFailure) -> [Ranking.Standing] {
        try database.rows(
            """
            SELECT points, reached_at, hero FROM heroes
            JOIN standings ON season = ?1 AND hero = heroes.id WHERE owner = ?2
            """, [.integer(season), .text(player)], read: Place.init
        ).map {
            Ranking.Standing(HeroID($0.hero), points: Int($0.points), reachedAt: $0.reachedAt)
        }
    }

    func rankAmongFriends(
        _ season: Int64, of player: String, since time: Int64
    ) throws(SQLFailure) -> Int {
        let own = try standings(season, of: player)
        guard let best = own.max(by: { $0.points < $1.points }) else { return 0 }
        var standings: [Ranking.Standing] = []
        for friend in try friends(of: player, since: time) {
            standings += try self.standings(season, of: friend)
        }
        return Ranking(standings).lines.first { $0.standing.hero == best.hero }?.rank ?? 0
    }

    func friendsBoard(
        _ season: Int64, for player: String, since time: Int64
    ) throws -> [BoardLine] {
        var standings: [Ranking.Standing] = []
        for friend in try friends(of: player, since: time) {
            standings += try self.standings(season, of: friend)
        }
        var lines: [BoardLine] = []
        for line in Ranking(standings).top {
            guard let hero = try hero(line.standing.hero.rawValue) else { continue }
            lines.append(
                BoardLine(rank: line.rank, points: line.standing.points, hero: hero))
        }
        return lines
    }

    // MARK: Parties

    func parties(_ season: Int64, pack: String?) throws -> [PartyRecord] {
        let records = try database.rows(
            """
            SELECT week, pack, points, at FROM party_records
            WHERE season = ?1 AND (CAST(?2 AS TEXT) IS NULL OR pack = ?2) ORDER BY week DESC, pack
            """, [.integer(season), .optional(pack)]
        ) { (week: $0.integer(0), pack: $0.text(1), points: $0.integer(2), at: $0.integer(3)) }
        return try records.map { record in
            let heroes = try database.rows(
                """
                SELECT hero FROM party_record_heroes
                WHERE season = ?1 AND week = ?2 AND pack = ?3 ORDER BY place
                """, [.integer(season), .integer(record.week), .text(record.pack)]
            ) { $0.text(0) }
            return PartyRecord(
                week: Int(record.week), pack: record.pack, points: Int(record.points),
                at: WallTime(milliseconds: record.at), heroes: try heroes.compactMap(hero))
        }
    }

    func results(of player: String) throws(SQLFailure) -> [HeroResult] {
        var results: [HeroResult] = []
        for season in try ResultTables(database).seasons() {
            results += try database.rows(
                """
                SELECT results.hero, pack, points, at FROM heroes
                JOIN results ON season = ?1 AND results.hero = heroes.id WHERE owner = ?2
                """, [.integer(season), .text(player)]
            ) { row in
                HeroResult(
                    season: Season(number: season), hero: HeroID(row.text(0)), pack: row.text(1),
                    points: Int(row.integer(2)), at: WallTime(milliseconds: row.integer(3)))
            }
        }
        return results.sorted { ($0.at, $0.hero) < ($1.at, $1.hero) }
    }
}
