package import GameLogic
internal import Isolation
package import PushPolicy

// What players and moderators decided about other players.

extension TableStore {
    /// Also locks the blocked player, so that a new hero of that player exists when the block is
    /// written, or the hero's insert finds the block.
    package func put(_ block: Block, epoch: Epoch) async throws(StoreError) -> BlockPut {
        BlockPut(
            rawValue: try await asOwner(epoch, .players([block.player, block.blocked])) {
                database in
                let put = try BlockTable(database).put(block)
                if put == .written { try database.announce(.names) }
                return put.rawValue
            }) ?? .noRoom
    }

    package func removeBlock(
        of blocked: PlayerID, by player: PlayerID, epoch: Epoch
    ) async throws(StoreError) {
        _ = try await asOwner(epoch, .players([player])) { database in
            try BlockTable(database).remove(blocked, by: player)
            try database.announce(.names)
            return 1
        }
    }

    package func blocks(of player: PlayerID?) async throws(StoreError) -> [Block] {
        try await read { database in
            let blocks = BlockTable(database)
            guard let player else { return try blocks.all() }
            return try blocks.all(of: player)
        }
    }

    package func heroesOfBlockedPlayers() async throws(StoreError) -> [Hero] {
        try await read { database in
            try database.decoded(
                """
                SELECT id, owner, data, crc FROM heroes
                WHERE owner IN (SELECT blocked FROM blocks)
                """
            ) { row in
                try DataRow(row, table: DataRow.heroes, keyCount: 2).decode(HeroFormat.read)
            }
        }
    }

    package func add(
        _ report: NameReport, hidingBehind shown: String, keeping request: KeptRequest?,
        epoch: Epoch
    ) async throws(StoreError) -> ReportPut {
        let kept = request.map(DataRow.init(request:))
        let put = try await asOwner(epoch, .turn + .players(of: request)) { database in
            let put = try NameTables(database).add(report, hidingBehind: shown)
            if put == .hidden { try database.announce(.names) }
            if put != .noRoom, let kept { try KeptRequestTable(database).keep(kept) }
            return put.rawValue
        }
        return ReportPut(rawValue: put) ?? .noRoom
    }

    package func reports(by player: PlayerID) async throws(StoreError) -> [NameReport] {
        try await read { try NameTables($0).reports(by: player) }
    }

    package func reportedHeroes(
        after: HeroID?, limit: Int
    ) async throws(StoreError) -> [ReportedHero] {
        try await read { try NameTables($0).reported(after: after?.rawValue ?? "", limit: limit) }
    }

    package func settleReports(
        of hero: HeroID, replacing name: ReplacedName?, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) {
        _ = try await asOwner(epoch) { database in
            try NameTables(database).settle(hero, replacing: name)
            try database.announce(.names)
            try GameMasterTables(database).append(DataRow(audit: call))
            return 1
        }
    }

    package func replacedNames() async throws(StoreError) -> [ReplacedName] {
        try await read { try NameTables($0).replaced() }
    }

    package func forgetReports(
        before time: WallTime, limit: Int, epoch: Epoch
    ) async throws(StoreError) -> Int {
        Int(
            try await asOwner(epoch) {
                Int64(try NameTables($0).forgetReports(before: time, limit: limit))
            })
    }

    package func ban(
        _ name: BannedName, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        let written = try await asOwner(epoch) { database in
            guard try NameTables(database).ban(name) else { return 0 }
            try database.announce(.names)
            try GameMasterTables(database).append(DataRow(audit: call))
            return 1
        }
        return written > 0
    }

    package func allow(
        foldedName: String, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) {
        _ = try await asOwner(epoch) { database in
            try NameTables(database).allow(foldedName)
            try database.announce(.names)
            try GameMasterTables(database).append(DataRow(audit: call))
            return 1
        }
    }

    package func bannedNames() async throws(StoreError) -> [BannedName] {
        try await read { try NameTables($0).banned() }
    }
}

// MARK: Parties left alone

extension TableStore {
    package func quietParties(
        after: PartyKey?, limit: Int
    ) async throws(StoreError) -> QuietPage {
        let page = try await page { database throws(SQLFailure) in
            try database.parties(withHeroesAfter: after?.number ?? .min, limit: limit)
        }
        let hours = try await read { database in
            let rows = try database.rows(
                "SELECT party, idle, unseen FROM quiet_parties WHERE party > ?1 AND party <= ?2",
                [
                    .integer(after?.number ?? .min), .integer(page.last?.key ?? .min),
                ]
            ) { ($0.integer(0), UnseenHours(idle: Int($0.integer(1)), unseen: Int($0.integer(2)))) }
            return Dictionary(rows) { first, _ in first }
        }
        return QuietPage(
            parties: page.parties.map { stored in
                QuietParty(stored: stored, hours: hours[stored.key.number] ?? UnseenHours())
            },
            next: page.last.map { PartyKey(number: $0.key) })
    }

    package func write(
        _ hours: [PartyKey: UnseenHours], epoch: Epoch
    ) async throws(StoreError) {
        let limit = QuietParty.emptiedAtOnce
        _ = try await asOwner(epoch) { database in
            for (party, hours) in hours.sorted(by: { $0.key.number < $1.key.number }) {
                guard hours != UnseenHours() else {
                    try database.run(
                        "DELETE FROM quiet_parties WHERE party = ?1", [.integer(party.number)])
                    continue
                }
                try database.run(
                    """
                    INSERT INTO quiet_parties (party, idle, unseen) VALUES (?1, ?2, ?3)
                    ON CONFLICT (party) DO UPDATE
                    SET idle = excluded.idle, unseen = excluded.unseen
                    """,
                    [
                        .integer(party.number), .integer(Int64(hours.idle)),
                        .integer(Int64(hours.unseen)),
                    ])
            }
            try database.run(
                """
                DELETE FROM quiet_parties WHERE party IN (
                    SELECT party FROM quiet_parties WHERE NOT EXISTS (
                        SELECT 1 FROM memberships WHERE memberships.party = quiet_parties.party)
                    LIMIT ?1)
                """, [.limit(limit)])
            return Int64(hours.count)
        }
    }
}

// MARK: Unused accounts

extension TableStore {
    package func unusedAccounts(
        registeredBefore time: WallTime, after: PlayerID?, limit: Int
    ) async throws(StoreError) -> UnusedPage {
        let rows = try await read {
            try UnusedAccounts($0).page(
                registeredBefore: time, after: after?.rawValue ?? "", limit: limit)
        }
        return UnusedPage(
            elements: rows.filter(\.isUnused).map(\.player),
            next: rows.count < limit ? nil : rows.last?.player)
    }

    package func removeUnused(
        _ players: [PlayerID], registeredBefore time: WallTime, epoch: Epoch
    ) async throws(StoreError) -> [PlayerID: [[UInt8]]] {
        let removed = Locked<[PlayerID: [[UInt8]]]>([:])
        _ = try await asOwner(epoch, .players(players)) { database in
            var ended: [PlayerID: [[UInt8]]] = [:]
            for player in players {
                ended[player] = try UnusedAccounts(database).remove(
                    player, registeredBefore: time)
            }
            if !ended.isEmpty { try database.announce(.tokens) }
            removed.withLock { [ended] in $0 = ended }
            return Int64(ended.count)
        }
        return removed.withLock { $0 }
    }
}

extension QuietParty {
    /// The most rows of emptied parties that one write forgets.
    fileprivate static let emptiedAtOnce = 256
}

extension SQLSession {
    fileprivate func parties(
        withHeroesAfter key: Int64, limit: Int
    ) throws(SQLFailure) -> [PartyRow] {
        try rows(
            """
            SELECT key, id, invite_code, version, awake, state, crc FROM parties
            WHERE key IN (
                SELECT DISTINCT party FROM memberships WHERE party > ?1 ORDER BY party LIMIT ?2)
            ORDER BY key
            """, [.integer(key), .integer(Int64(limit))], read: PartyRow.init)
    }
}
