internal import GameLogic
internal import PushPolicy

/// Blocks, in SQL.
struct BlockTable {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    func put(_ block: Block) throws(SQLFailure) -> BlockPut {
        let known = try database.integer(
            "SELECT count(*) FROM players WHERE id = ?1", [.text(block.blocked.rawValue)])
        guard known > 0 else { return .unknownPlayer }
        let others = try database.integer(
            "SELECT count(*) FROM blocks WHERE player = ?1 AND blocked <> ?2",
            [.text(block.player.rawValue), .text(block.blocked.rawValue)])
        guard others < Block.countMax else { return .noRoom }
        try database.run(
            """
            INSERT INTO blocks (player, blocked, at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING
            """,
            [
                .text(block.player.rawValue), .text(block.blocked.rawValue),
                .integer(block.at.milliseconds),
            ])
        return .written
    }

    func remove(_ blocked: PlayerID, by player: PlayerID) throws(SQLFailure) {
        try database.run(
            "DELETE FROM blocks WHERE player = ?1 AND blocked = ?2",
            [.text(player.rawValue), .text(blocked.rawValue)])
    }

    func all() throws(SQLFailure) -> [Block] {
        try database.rows(
            "SELECT player, blocked, at FROM blocks ORDER BY player, blocked", read: Block.init)
    }

    func all(of player: PlayerID) throws(SQLFailure) -> [Block] {
        try database.rows(
            "SELECT player, blocked, at FROM blocks WHERE player = ?1 ORDER BY blocked",
            [.text(player.rawValue)], read: Block.init)
    }

    /// Refuses a player whom the leader has blocked, and one who has blocked one of `others`.
    func require(_ welcome: Welcome) throws {
        let player = welcome.player
        if let leader = welcome.leader, leader != player, try has(leader, blocked: player) {
            throw StoreError.isBlocked
        }
        for other in welcome.others where other != player {
            if try has(player, blocked: other) { throw StoreError.meetsBlockedPlayer }
        }
    }

    /// Whether somebody has blocked the player.
    func isBlocked(_ player: PlayerID) throws(SQLFailure) -> Bool {
        try database.row(
            "SELECT 1 FROM blocks WHERE blocked = ?1 LIMIT 1", [.text(player.rawValue)]
        ) { _ in true } != nil
    }

    private func has(_ player: PlayerID, blocked: PlayerID) throws(SQLFailure) -> Bool {
        try database.integer(
            "SELECT count(*) FROM blocks WHERE player = ?1 AND blocked = ?2",
            [.text(player.rawValue), .text(blocked.rawValue)]) > 0
    }
}

extension Block {
    /// Reads the columns player, blocked, at.
    fileprivate init(_ row: any SQLRow) {
        self.init(
            player: PlayerID(row.text(0)), blocked: PlayerID(row.text(1)),
            at: WallTime(milliseconds: row.integer(2)))
    }
}

/// A player who joins a party, and whom they meet there.
struct Welcome: Sendable {
    let player: PlayerID
    let leader: PlayerID?
    /// Members whom the player must not have blocked.
    let others: [PlayerID]
}

/// Reports, replaced and banned names, in SQL.
struct NameTables {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    func add(_ report: NameReport, hidingBehind shown: String) throws(SQLFailure) -> ReportPut {
        let keys: [SQLValue] = [.text(report.hero.rawValue), .text(report.reporter.rawValue)]
        let others = try database.integer(
            "SELECT count(*) FROM name_reports WHERE hero <> ?1 AND reporter = ?2", keys)
        guard others < NameReport.countMax else { return .noRoom }
        let added = try database.run(
            """
            INSERT INTO name_reports (hero, reporter, at, settled) VALUES (?1, ?2, ?3, 0)
            ON CONFLICT DO NOTHING
            """, keys + [.integer(report.at.milliseconds)])
        guard added > 0 else { return .written }
        let reporters = try database.integer(
            """
            SELECT count(*) FROM name_reports WHERE hero = ?1 AND settled = 0 AND at > ?2
            """,
            [keys[0], .integer(report.at.adding(seconds: -NameReport.windowSeconds).milliseconds)])
        guard reporters >= NameReport.reportersToHide else { return .written }
        let hidden = try database.run(
            """
            INSERT INTO replaced_names (hero, shown, reason) VALUES (?1, ?2, ?3)
            ON CONFLICT DO NOTHING
            """,
            [keys[0], .text(shown), .integer(ReplacedName.Reason.reported.rawValue)])
        return hidden > 0 ? .hidden : .written
    }

    func settle(_ hero: HeroID, replacing name: ReplacedName?) throws(SQLFailure) {
        let key = SQLValue.text(hero.rawValue)
        try database.run("DELETE FROM replaced_names WHERE hero = ?1", [key])
        guard let name else {
            try database.run("UPDATE name_reports SET settled = 1 WHERE hero = ?1", [key])
            return
        }
        switch name.reason {
        case .reported, .hidden:
            try database.run("UPDATE name_reports SET settled = 1 WHERE hero = ?1", [key])
        case .renamed: try database.run("DELETE FROM name_reports WHERE hero = ?1", [key])
        }
        try database.run(
            "INSERT INTO replaced_names (hero, shown, reason) VALUES (?1, ?2, ?3)",
            [key, .text(name.shown), .integer(name.reason.rawValue)])
    }

    func reports(by player: PlayerID) throws(SQLFailure) -> [NameReport] {
        try database.rows(
            "SELECT hero, at FROM name_reports WHERE reporter = ?1 ORDER BY hero",
            [.text(player.rawValue)]
        ) {
            NameReport(
                hero: HeroID($0.text(0)), reporter: player,
                at: WallTime(milliseconds: $0.integer(1)))
        }
    }

    func reported(after hero: String, limit: Int) throws -> [ReportedHero] {
        try database.decoded(
            """
            WITH open AS (
                SELECT hero, count(*) AS reporters, max(at) AS at FROM name_reports
                WHERE settled = 0 GROUP BY hero),
            named AS (SELECT hero FROM open UNION SELECT hero FROM replaced_names)
            SELECT heroes.id, heroes.owner, heroes.data, heroes.crc, open.reporters, open.at,
                replaced_names.shown, replaced_names.reason
            FROM named JOIN heroes ON heroes.id = named.hero
            LEFT JOIN open ON open.hero = named.hero
            LEFT JOIN replaced_names ON replaced_names.hero = named.hero
            WHERE named.hero > ?1 ORDER BY named.hero LIMIT ?2
            """, [.text(hero), .limit(limit)]
        ) { row in
            let hero = try DataRow(row, table: DataRow.heroes, keyCount: 2)
                .decode(HeroFormat.read)
            let reason = ReplacedName.Reason(rawValue: row.integer(7))
            return ReportedHero(
                hero: hero,
                replaced: reason.map {
                    ReplacedName(hero: hero.id, shown: row.text(6), reason: $0)
                },
                reporters: Int(row.integer(4)),
                reportedAt: row.integer(4) > 0 ? WallTime(milliseconds: row.integer(5)) : nil)
        }
    }

    func replaced() throws(SQLFailure) -> [ReplacedName] {
        try database.rows("SELECT hero, shown, reason FROM replaced_names ORDER BY hero") { row in
            ReplacedName(
                hero: HeroID(row.text(0)), shown: row.text(1),
                reason: ReplacedName.Reason(rawValue: row.integer(2)) ?? .hidden)
        }
    }

    func forgetReports(before time: WallTime, limit: Int) throws(SQLFailure) -> Int {
        try database.run(
            """
            DELETE FROM name_reports WHERE (hero, reporter) IN (
                SELECT hero, reporter FROM name_reports WHERE at < ?1 LIMIT ?2)
            """, [.integer(time.milliseconds), .limit(limit)])
    }

    func ban(_ name: BannedName) throws(SQLFailure) -> Bool {
        let count = try database.integer(
            "SELECT count(*) FROM banned_names WHERE folded <> ?1", [.text(name.folded)])
        guard count < BannedName.countMax else { return false }
        try database.run(
            """
            INSERT INTO banned_names (folded, name, at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING
            """,
            [.text(name.folded), .text(name.name), .integer(name.at.milliseconds)])
        return true
    }

    func allow(_ folded: String) throws(SQLFailure) {
        try database.run("DELETE FROM banned_names WHERE folded = ?1", [.text(folded)])
    }

    func banned() throws(SQLFailure) -> [BannedName] {
        try database.rows("SELECT folded, name, at FROM banned_names ORDER BY folded") { row in
            BannedName(
                folded: row.text(0), name: row.text(1),
                at: WallTime(milliseconds: row.integer(2)))
        }
    }
}
