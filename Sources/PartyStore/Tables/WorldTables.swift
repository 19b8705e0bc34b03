internal import GameLogic
internal import PushPolicy

/// World bosses, in SQL. Writes run in the caller's transaction.
struct WorldTables {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    // MARK: Parties' changes

    func write(_ rows: WorldRows, of party: Int64) throws {
        if rows.points > 0 { try subtract(rows.points, of: party) }
        if let stage = rows.stage { try note(stage, of: party) }
        if let end = rows.end { try write(end, of: party) }
        if let pack = rows.pack { try begin(pack, of: party) }
        if !rows.heroes.isEmpty { try count(rows.heroes, of: party) }
        if let (event, hero) = rows.reward { try give(hero, event) }
    }

    /// Subtracts what a party's blows count, in the transaction that commits them.
    private func subtract(_ points: Int64, of party: Int64) throws(SQLFailure) {
        try database.run(
            """
            UPDATE world_events
            SET remaining = CASE WHEN remaining > ?1 THEN remaining - ?1 ELSE 0 END
            WHERE number = (SELECT event FROM world_shifts WHERE party = ?2) AND status <= 1
            """, [.integer(points), .integer(party)])
    }

    private func write(_ end: WorldRows.End, of party: Int64) throws(SQLFailure) {
        let event = try database.row(
            "SELECT event FROM world_shifts WHERE party = ?1", [.integer(party)]
        ) { $0.integer(0) }
        guard let event else { return }
        try database.run("DELETE FROM world_shifts WHERE party = ?1", [.integer(party)])
        guard case .whole(let heroes) = end else { return }
        for hero in heroes {
            // Who came home in a later adventure's party has begun no shift.
            try database.run(
                """
                INSERT INTO world_rewards (event, hero, given)
                SELECT ?1, ?2, 0 WHERE EXISTS
                    (SELECT 1 FROM world_heroes WHERE event = ?1 AND hero = ?2)
                ON CONFLICT DO NOTHING
                """, [.integer(event), .text(hero.rawValue)])
        }
    }

    private func begin(_ pack: String, of party: Int64) throws {
        let changed = try database.run(
            """
            INSERT INTO world_shifts (party, event, round, stage)
            SELECT ?1, number, round, 4 FROM world_events
            WHERE status = 1 AND remaining > 0 AND pack = ?2
            ON CONFLICT (party) DO UPDATE
            SET event = excluded.event, round = excluded.round, stage = excluded.stage
            """, [.integer(party), .text(pack)])
        guard changed == 1 else { throw StoreError.rule(.noWorldBoss) }
    }

    /// Counts a shift of each hero, in the round in which the party's began.
    private func count(_ heroes: [HeroID], of party: Int64) throws {
        for hero in heroes {
            let changed = try database.run(
                """
                INSERT INTO world_heroes (event, hero, round, shifts)
                SELECT event, ?2, round, 1 FROM world_shifts WHERE party = ?1
                ON CONFLICT (event, hero, round) DO UPDATE
                SET shifts = world_heroes.shifts + 1
                WHERE world_heroes.shifts < ?3
                """,
                [
                    .integer(party), .text(hero.rawValue), .limit(WorldEvent.shiftsMax),
                ])
            guard changed == 1 else {
                throw StoreError.rule(.noShiftLeft(hero, limit: WorldEvent.shiftsMax))
            }
        }
    }

    func note(_ stage: WorldStage, of party: Int64) throws(SQLFailure) {
        try database.run(
            "UPDATE world_shifts SET stage = ?2 WHERE party = ?1 AND stage > ?2",
            [.integer(party), .integer(Int64(stage.rawValue))])
    }

    /// Marks a reward as given. Refused when it is already.
    func give(_ hero: HeroID, _ event: Int) throws {
        let changed = try database.run(
            "UPDATE world_rewards SET given = 1 WHERE event = ?1 AND hero = ?2 AND given = 0",
            [.limit(event), .text(hero.rawValue)])
        guard changed == 1 else { throw StoreError.exists("the reward of hero \(hero)") }
    }

    // MARK: Events

    /// Returns the number; `nil`: another event is not over.
    func open(_ plan: WorldEvent.Plan, by master: String) throws(SQLFailure) -> Int? {
        guard try database.integer("SELECT count(*) FROM world_events WHERE status <= 1") == 0
        else { return nil }
        let number = try database.integer("SELECT coalesce(max(number), 0) + 1 FROM world_events")
        let oldest = number - Int64(WorldEvent.keptMax)
        try database.run("DELETE FROM world_heroes WHERE event <= ?1", [.integer(oldest)])
        try database.run("DELETE FROM world_rewards WHERE event <= ?1", [.integer(oldest)])
        try database.run(
            """
            INSERT INTO world_events
                (number, pack, pool, remaining, starts_at, rounds, round_seconds, break_seconds,
                 created_by, status, round)
            VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8, 0, 0)
            """,
            [
                .integer(number), .text(plan.pack), .integer(plan.pool),
                .integer(plan.startsAt.milliseconds), .limit(plan.rounds),
                .integer(plan.roundSeconds), .integer(plan.breakSeconds), .text(master),
            ])
        return Int(number)
    }

    func all() throws(SQLFailure) -> [WorldEvent] {
        try database.rows(
            """
            SELECT number, pack, pool, remaining, starts_at, rounds, round_seconds, break_seconds,
                created_by, status, round
            FROM world_events ORDER BY number DESC LIMIT 100
            """, read: event)
    }

    func event(_ number: Int) throws(SQLFailure) -> WorldEvent? {
        try database.row(
            """
            SELECT number, pack, pool, remaining, starts_at, rounds, round_seconds, break_seconds,
                created_by, status, round
            FROM world_events WHERE number = ?1
            """, [.limit(number)], read: event)
    }

    private func event(_ row: any SQLRow) -> WorldEvent {
        WorldEvent(
            number: Int(row.integer(0)),
            plan: WorldEvent.Plan(
                pack: row.text(1), pool: row.integer(2),
                startsAt: WallTime(milliseconds: row.integer(4)), rounds: Int(row.integer(5)),
                roundSeconds: row.integer(6), breakSeconds: row.integer(7)),
            createdBy: row.text(8), remaining: row.integer(3),
            status: WorldEvent.Status(rawValue: row.integer(9)) ?? .closed,
            round: Int(row.integer(10)))
    }

    func set(
        _ event: Int, to status: WorldEvent.Status, round: Int, from before: WorldEvent.Status
    ) throws(SQLFailure) -> Bool {
        try database.run(
            """
            UPDATE world_events SET status = ?2, round = ?3
            WHERE number = ?1 AND status = ?4 AND status <= 1 AND (remaining = 0) = (?2 = 2)
            """,
            [
                .limit(event), .integer(status.rawValue), .limit(round),
                .integer(before.rawValue),
            ]) == 1
    }

    // MARK: Shifts and rewards

    func shifts(
        of event: Int, above stage: WorldStage, after party: Int64, limit: Int
    ) throws(SQLFailure) -> [(key: PartyKey, party: PartyID)] {
        try database.rows(
            """
            SELECT party, id FROM world_shifts JOIN parties ON key = party
            WHERE event = ?1 AND party > ?2 AND stage > ?3 ORDER BY party LIMIT ?4
            """,
            [.limit(event), .integer(party), .limit(stage.rawValue), .limit(limit)]
        ) { (PartyKey(number: $0.integer(0)), PartyID($0.text(1))) }
    }

    func openRewards(
        of event: Int, after hero: String, limit: Int
    ) throws(SQLFailure) -> [HeroID] {
        try database.rows(
            """
            SELECT hero FROM world_rewards
            WHERE event = ?1 AND hero > ?2 AND given = 0 ORDER BY hero LIMIT ?3
            """, [.limit(event), .text(hero), .limit(limit)]
        ) { HeroID($0.text(0)) }
    }

    func shifts(
        of player: PlayerID, in event: Int, round: Int
    ) throws(SQLFailure) -> [(hero: HeroID, count: Int)] {
        try database.rows(
            """
            SELECT world_heroes.hero, shifts FROM heroes
            JOIN world_heroes ON event = ?2 AND world_heroes.hero = heroes.id AND round = ?3
            WHERE owner = ?1
            """, [.text(player.rawValue), .limit(event), .limit(round)]
        ) { (HeroID($0.text(0)), Int($0.integer(1))) }
    }
}
