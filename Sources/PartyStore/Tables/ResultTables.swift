internal import GameLogic
internal import PushPolicy

/// The results of adventures, in SQL. Writes run in the caller's transaction.
///
/// Boards read the sums, which every result keeps up to date: a hero's rank is the heroes of all
/// higher buckets, and those of its own bucket who have more points, counted for each sum.
struct ResultTables {
    /// How many points a bucket spans.
    static let bucketPoints: Int64 = 50

    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    // MARK: Writing

    /// Writes what an adventure counts, in the transaction that commits its end: the party's stale
    /// version is refused before, so nothing is written twice.
    func write(
        _ result: AdventureResult, of party: Int64, version: Int64
    ) throws(SQLFailure) {
        try meet(result)
        var hasChanged = false
        for entry in result.entries where entry.points > 0 {
            let isKept = try keep(entry, result, party, version)
            guard isKept else { continue }
            if try add(entry.hero, result) { hasChanged = true }
        }
        try writeRecord(result)
        if hasChanged || result.players.count > 1 { try markWidgets(ofPlayersIn: result) }
        if hasChanged { try markWidgets(ofFriendsIn: result) }
    }

    /// Keeps the result, if it is among those of its day and pack that can count.
    private func keep(
        _ entry: AdventureResult.Entry, _ result: AdventureResult, _ party: Int64, _ version: Int64
    ) throws(SQLFailure) -> Bool {
        let season = SQLValue.integer(result.season.number)
        let hero = SQLValue.text(entry.hero.rawValue)
        let day = SQLValue.limit(result.day)
        let others = try database.rows(
            """
            SELECT party, version, points FROM results
            WHERE season = ?1 AND hero = ?2 AND day = ?3 AND pack = ?4
            ORDER BY points, at DESC, party, version
            """, [season, hero, day, .text(result.pack)]
        ) { (party: $0.integer(0), version: $0.integer(1), points: $0.integer(2)) }
        if let least = others.first, others.count >= SeasonSum.dayMax {
            guard least.points < Int64(entry.points) else { return false }
            try database.run(
                """
                DELETE FROM results WHERE season = ?1 AND hero = ?2 AND day = ?3 AND pack = ?4
                    AND party = ?5 AND version = ?6
                """,
                [
                    season, hero, day, .text(result.pack), .integer(least.party),
                    .integer(least.version),
                ])
        }
        try database.run(
            """
            INSERT INTO results (season, hero, day, pack, party, version, at, points)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                season, hero, day, .text(result.pack), .integer(party), .integer(version),
                .integer(result.at.milliseconds), .limit(entry.points),
            ])
        return true
    }

    /// Computes a hero's sum from its results. Returns whether it has changed.
    private func add(
        _ hero: HeroID, _ result: AdventureResult
    ) throws(SQLFailure) -> Bool {
        let season = result.season.number
        let sum = try sum(of: hero.rawValue, in: season)
        let before = try points(of: hero.rawValue, in: season)
        guard sum > 0, sum != before else { return false }
        if let before { try count(-1, at: before, in: season) }
        try count(1, at: sum, in: season)
        try database.run(
            """
            INSERT INTO standings (season, hero, points, reached_at) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (season, hero) DO UPDATE
            SET points = excluded.points, reached_at = excluded.reached_at
            """,
            [
                .integer(season), .text(hero.rawValue), .integer(sum),
                .integer(result.at.milliseconds),
            ])
        return true
    }

    /// Computes what a hero's results count together.
    func sum(of hero: String, in season: Int64) throws(SQLFailure) -> Int64 {
        let results = try database.rows(
            "SELECT day, pack, points FROM results WHERE season = ?1 AND hero = ?2",
            [.integer(season), .text(hero)]
        ) {
            SeasonSum.Result(
                day: Int($0.integer(0)), pack: $0.text(1), points: Int($0.integer(2)))
        }
        return Int64(SeasonSum(of: results).points)
    }

    private func points(of hero: String, in season: Int64) throws(SQLFailure) -> Int64? {
        try database.row(
            "SELECT points FROM standings WHERE season = ?1 AND hero = ?2",
            [.integer(season), .text(hero)]
        ) { $0.integer(0) }
    }

    private func count(
        _ heroes: Int64, at points: Int64, in season: Int64
    ) throws(SQLFailure) {
        // An upsert checks the new row first: a count below zero would refuse it.
        let bucket: [SQLValue] = [.integer(season), .integer(points / Self.bucketPoints)]
        try database.run(
            """
            INSERT INTO standing_buckets (season, bucket, heroes) VALUES (?1, ?2, 0)
            ON CONFLICT DO NOTHING
            """, bucket)
        try database.run(
            "UPDATE standing_buckets SET heroes = heroes + ?3 WHERE season = ?1 AND bucket = ?2",
            bucket + [.integer(heroes)])
        let sum: [SQLValue] = [.integer(season), .integer(points)]
        try database.run(
            """
            INSERT INTO standing_counts (season, points, heroes) VALUES (?1, ?2, 0)
            ON CONFLICT DO NOTHING
            """, sum)
        try database.run(
            "UPDATE standing_counts SET heroes = heroes + ?3 WHERE season = ?1 AND points = ?2",
            sum + [.integer(heroes)])
    }

    /// Notes who has finished the adventure with whom.
    private func meet(_ result: AdventureResult) throws(SQLFailure) {
        for player in result.players {
            for other in result.players where other != player {
                try database.run(
                    """
                    INSERT INTO companions (player, other, at) VALUES (?1, ?2, ?3)
                    ON CONFLICT (player, other) DO UPDATE
                    SET at = excluded.at WHERE excluded.at > companions.at
                    """,
                    [
                        .text(player.rawValue), .text(other.rawValue),
                        .integer(result.at.milliseconds),
                    ])
            }
        }
    }

    /// Writes the party's result, if no other of the pack and week is as good.
    private func writeRecord(_ result: AdventureResult) throws(SQLFailure) {
        guard result.partyPoints > 0 else { return }
        let key: [SQLValue] = [
            .integer(result.season.number), .limit(result.day / Leaderboard.weekDays),
            .text(result.pack),
        ]
        let changed = try database.run(
            """
            INSERT INTO party_records (season, week, pack, points, at) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (season, week, pack) DO UPDATE
            SET points = excluded.points, at = excluded.at
            WHERE excluded.points > party_records.points
            """, key + [.limit(result.partyPoints), .integer(result.at.milliseconds)])
        guard changed > 0 else { return }
        try database.run(
            "DELETE FROM party_record_heroes WHERE season = ?1 AND week = ?2 AND pack = ?3", key)
        for (place, entry) in result.entries.enumerated() {
            try database.run(
                """
                INSERT INTO party_record_heroes (season, week, pack, place, hero)
                VALUES (?1, ?2, ?3, ?4, ?5)
                """, key + [.limit(place), .text(entry.hero.rawValue)])
        }
    }

    /// Makes the players' widgets due: their rank may be another among a new friend.
    private func markWidgets(ofPlayersIn result: AdventureResult) throws(SQLFailure) {
        for player in result.players {
            try database.run(
                """
                UPDATE widgets SET mark = mark + 1, due_at = CASE
                    WHEN due_at < resting_until OR due_at < ?2 THEN due_at
                    WHEN resting_until > ?2 THEN resting_until ELSE ?2 END
                WHERE player = ?1
                """, [.text(player.rawValue), .integer(result.at.milliseconds)])
        }
    }

    /// Makes the widgets due of everybody on whose board the players may be.
    private func markWidgets(ofFriendsIn result: AdventureResult) throws(SQLFailure) {
        for player in result.players {
            try database.run(
                """
                UPDATE widgets SET mark = mark + 1, due_at = CASE
                    WHEN due_at < resting_until OR due_at < ?2 THEN due_at
                    WHEN resting_until > ?2 THEN resting_until ELSE ?2 END
                WHERE player IN (SELECT other FROM companions WHERE player = ?1 AND at >= ?3)
                """,
                [
                    .text(player.rawValue), .integer(result.at.milliseconds),
                    .integer(Leaderboard.friendsSince(result.at).milliseconds),
                ])
        }
    }

    // MARK: Forgetting

    /// Removes at most `limit` rows of one table after the other. Returns whether more may be left.
    /// The sums go before the results that they come from: a row without its source is damage.
    func forget(
        before season: Int64, metBefore time: Int64, limit: Int
    ) throws(SQLFailure) -> Bool {
        let values: [SQLValue] = [.integer(season), .limit(limit)]
        let met: [SQLValue] = [.integer(time), .limit(limit)]
        let sums: [(StaticString, [SQLValue])] = [
            (
                """
                DELETE FROM standing_buckets WHERE (season, bucket) IN (
                    SELECT season, bucket FROM standing_buckets WHERE season < ?1 LIMIT ?2)
                """, values
            ),
            (
                """
                DELETE FROM standing_counts WHERE (season, points) IN (
                    SELECT season, points FROM standing_counts WHERE season < ?1 LIMIT ?2)
                """, values
            ),
            (
                """
                DELETE FROM standings WHERE (season, hero) IN (
                    SELECT season, hero FROM standings WHERE season < ?1 LIMIT ?2)
                """, values
            ),
        ]
        let others: [(StaticString, [SQLValue])] = [
            (
                """
                DELETE FROM party_record_heroes WHERE (season, week, pack, place) IN (
                    SELECT season, week, pack, place FROM party_record_heroes
                    WHERE season < ?1 LIMIT ?2)
                """, values
            ),
            (
                """
                DELETE FROM party_records WHERE (season, week, pack) IN (
                    SELECT season, week, pack FROM party_records WHERE season < ?1 LIMIT ?2)
                """, values
            ),
            (
                """
                DELETE FROM companions WHERE (player, other) IN (
                    SELECT player, other FROM companions WHERE at < ?1 LIMIT ?2)
                """, met
            ),
        ]
        for (statement, values) in sums {
            guard try database.run(statement, values) < limit else { return true }
        }
        guard try forgetResults(before: season, limit: limit) < limit else { return true }
        for (statement, values) in others {
            guard try database.run(statement, values) < limit else { return true }
        }
        return false
    }

    /// Removes results hero by hero, which the key finds, until there were `limit`.
    private func forgetResults(before season: Int64, limit: Int) throws(SQLFailure) -> Int {
        var removed = 0
        while removed < limit,
            let next = try database.row(
                "SELECT season, hero FROM results WHERE season < ?1 LIMIT 1", [.integer(season)],
                read: { (season: $0.integer(0), hero: $0.text(1)) })
        {
            removed += try database.run(
                "DELETE FROM results WHERE season = ?1 AND hero = ?2",
                [.integer(next.season), .text(next.hero)])
        }
        return removed
    }

    /// The seasons with results, by one look at an index for each.
    func seasons() throws(SQLFailure) -> [Int64] {
        var seasons: [Int64] = []
        while let next = try database.row(
            "SELECT min(season) FROM results WHERE season > ?1",
            [.integer(seasons.last ?? .min)], read: { $0.optionalInteger(0) }
        ).flatMap(\.self) {
            seasons.append(next)
        }
        return seasons
    }

    /// Removes what a player's heroes have scored, and who has met the player. A record stays, and
    /// leaves the hero's place empty.
    func erase(_ player: String) throws(SQLFailure) {
        let heroes = try database.rows(
            "SELECT id FROM heroes WHERE owner = ?1", [.text(player)]
        ) { $0.text(0) }
        for season in try seasons() {
            for hero in heroes {
                let key: [SQLValue] = [.integer(season), .text(hero)]
                if let points = try points(of: hero, in: season) {
                    try count(-1, at: points, in: season)
                }
                try database.run("DELETE FROM standings WHERE season = ?1 AND hero = ?2", key)
                try database.run("DELETE FROM results WHERE season = ?1 AND hero = ?2", key)
            }
        }
        try database.run(
            """
            DELETE FROM companions WHERE other = ?1
                AND player IN (SELECT other FROM companions WHERE player = ?1)
            """, [.text(player)])
        try database.run("DELETE FROM companions WHERE player = ?1", [.text(player)])
        try database.run("DELETE FROM widgets WHERE player = ?1", [.text(player)])
    }
}
