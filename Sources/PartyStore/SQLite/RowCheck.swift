internal import GameLogic

/// Reads every row of the file and finds those that are not what was written. It reads some rows at
/// a time, so that the check of a large file delays no checkpoint.
struct RowCheck {
    /// The number of rows that one step reads.
    static let rowsAtOnce: Int64 = 500

    private var table = 0
    private var after = Int64.min

    /// The findings of one step, and the last row's number when more rows may follow.
    private struct Part {
        var faults: [RowFault] = []
        var last: Int64?
    }

    /// Checks the next rows; `nil` when all are checked. Reports a table in which SQLite itself
    /// finds damage, and continues with the next one.
    mutating func next(on database: Database) throws -> [RowFault]? {
        guard table < Self.tables.count else { return nil }
        let (name, read) = Self.tables[table]
        do {
            let part = try database.reading { try read(database, after) }
            if let last = part.last { after = last } else { goOn() }
            return part.faults
        } catch let failure as SQLFailure where failure.isCorruption {
            goOn()
            return [RowFault(table: name, key: "of one page", detail: failure.message)]
        }
    }

    private mutating func goOn() {
        table += 1
        after = .min
    }

    /// NOT INDEXED reads the rows themselves, where an index could return its own copy of a key.
    private static let tables: [(String, @Sendable (Database, Int64) throws -> Part)] = [
        (
            "players",
            { database, after in
                try part(
                    """
                    SELECT id, recovery_hash, created_at, crc, rowid FROM players NOT INDEXED
                    WHERE rowid > ?1 ORDER BY rowid LIMIT ?2
                    """, number: 4, after, database
                ) { row in try PlayerRow(row).check() }
            }
        ),
        (
            "parties",
            { database, after in
                try part(
                    """
                    SELECT key, id, invite_code, version, awake, state, crc FROM parties NOT INDEXED
                    WHERE key > ?1 ORDER BY key LIMIT ?2
                    """, number: 0, after, database, party: { PartyID($0.text(1)) }
                ) { row in
                    let party = try database.stored(PartyRow(row))
                    try MembershipCheck(database).compare(party)
                }
            }
        ),
        (
            "journal",
            { database, after in
                try part(
                    """
                    SELECT party, version, at, data, crc, id FROM journal NOT INDEXED
                    WHERE id > ?1 ORDER BY id LIMIT ?2
                    """, number: 5, after, database
                ) { row in _ = try JournalRow(row).decode(packs: database.packs) }
            }
        ),
        (
            "journal_snapshots",
            { database, after in
                try part(
                    """
                    SELECT party, version, data, crc FROM journal_snapshots NOT INDEXED
                    WHERE party > ?1 ORDER BY party LIMIT ?2
                    """, number: 0, after, database
                ) { row in
                    _ = try DataRow(row, table: DataRow.snapshots, numberCount: 2)
                        .decode { try FoldedPartyFormat.read($0, packs: database.packs) }
                }
            }
        ),
        (
            "heroes",
            { database, after in
                try part(
                    """
                    SELECT id, owner, data, crc, rowid FROM heroes NOT INDEXED
                    WHERE rowid > ?1 ORDER BY rowid LIMIT ?2
                    """, number: 4, after, database
                ) { row in
                    _ = try DataRow(row, table: DataRow.heroes, keyCount: 2).decode(HeroFormat.read)
                }
            }
        ),
        (
            "activities",
            { database, after in
                try part(
                    """
                    SELECT id, party, data, crc, rowid FROM activities NOT INDEXED
                    WHERE rowid > ?1 ORDER BY rowid LIMIT ?2
                    """, number: 4, after, database,
                    party: { try database.partyID(of: $0.integer(1)).map { PartyID($0) } }
                ) { row in
                    _ = try DataRow(row, table: DataRow.activities, keyCount: 1, numberCount: 1)
                        .decode(RegistrationFormat.read)
                }
            }
        ),
        (
            "audit",
            { database, after in
                try part(
                    """
                    SELECT at, data, crc, id FROM audit NOT INDEXED
                    WHERE id > ?1 ORDER BY id LIMIT ?2
                    """, number: 3, after, database
                ) { row in
                    _ = try DataRow(row, table: DataRow.audit, numberCount: 1)
                        .decode(AuditFormat.read)
                }
            }
        ),
        (
            "push_pause",
            { database, _ in
                try whole("SELECT id, data, crc FROM push_pause NOT INDEXED", database) {
                    _ = try DataRow($0, table: DataRow.pushPause, numberCount: 1)
                        .decode(PushPauseFormat.read)
                }
            }
        ),
        (
            "clock",
            { database, _ in
                try whole("SELECT id, data, crc FROM clock NOT INDEXED", database) {
                    _ = try DataRow($0, table: DataRow.clock, numberCount: 1)
                        .decode(ClockAnchorFormat.read)
                }
            }
        ),
        (
            "refused_registrations",
            { database, _ in
                try whole(
                    """
                    SELECT activity, party, at, data, crc FROM refused_registrations NOT INDEXED
                    """, database
                ) {
                    _ = try DataRow(
                        $0, table: DataRow.refusedRegistrations, keyCount: 1, numberCount: 2
                    ).decode { try RefusedRegistrationFormat.read($0, of: PartyID("")) }
                }
            }
        ),
        (
            "packs",
            { database, _ in
                try whole("SELECT id, version, data, crc FROM packs NOT INDEXED", database) {
                    _ = try DataRow($0, table: DataRow.packs, keyCount: 1, numberCount: 1).pack()
                }
            }
        ),
        (
            "admin_keys",
            { database, _ in
                try whole("SELECT name, data, crc FROM admin_keys NOT INDEXED", database) {
                    _ = try DataRow($0, table: DataRow.adminKeys, keyCount: 1)
                        .decode(AdminKeyFormat.read)
                }
            }
        ),
        (
            "sessions",
            { database, _ in
                try whole("SELECT id, key, data, crc FROM sessions NOT INDEXED", database) {
                    _ = try DataRow($0, table: DataRow.sessions, keyCount: 2).session()
                }
            }
        ),
        (
            "outcomes",
            { database, after in
                try part(
                    """
                    SELECT id, data, crc FROM outcomes NOT INDEXED
                    WHERE id > ?1 ORDER BY id LIMIT ?2
                    """, number: 0, after, database
                ) { row in
                    _ = try DataRow(row, table: DataRow.outcomes, numberCount: 1)
                        .decode(OutcomesFormat.read)
                }
            }
        ),
        (
            "devices",
            { database, after in
                try part(
                    """
                    SELECT player, device, token_hash, next_token_hash, created_at, crc, rowid
                    FROM devices NOT INDEXED WHERE rowid > ?1 ORDER BY rowid LIMIT ?2
                    """, number: 6, after, database
                ) { row in _ = try DeviceRow(row).record() }
            }
        ),
        (
            "start_devices",
            { database, _ in
                try whole(
                    """
                    SELECT player, environment, device, token, version, traits, crc, starts, starts_crc
                    FROM start_devices NOT INDEXED
                    """, database
                ) { row in _ = try StartDeviceRow(row).record() }
            }
        ),
        (
            "phones",
            { database, _ in
                try whole(
                    "SELECT player, device, at, version, data, crc FROM phones NOT INDEXED",
                    database
                ) { row in _ = try PhoneRow(row).row.decode(PhoneFormat.read) }
            }
        ),
        (
            "shard_inbox",
            { database, _ in
                try whole(
                    """
                    SELECT shard, seq, party, data, crc, '' FROM shard_inbox NOT INDEXED
                    """, database
                ) { row in _ = try LetterRow(row).letter() }
            }
        ),
        (
            "provider_tokens",
            { database, _ in
                try whole("SELECT team, key, data, crc FROM provider_tokens NOT INDEXED", database)
                {
                    _ = try DataRow($0, table: DataRow.providerTokens, keyCount: 2)
                        .decode(ProviderTokenFormat.read)
                }
            }
        ),
        (
            "channels",
            { database, _ in
                try whole(
                    "SELECT environment, id, party, data, crc FROM channels NOT INDEXED", database
                ) {
                    _ = try DataRow($0, table: DataRow.channels, keyCount: 2, numberCount: 1)
                        .decode(ChannelFormat.read)
                }
            }
        ),
        (
            "requests",
            { database, after in
                try part(
                    """
                    SELECT player, key, at, data, crc, id FROM requests NOT INDEXED
                    WHERE id > ?1 ORDER BY id LIMIT ?2
                    """, number: 5, after, database
                ) { row in _ = try KeptRequestTable.request(KeptRequestTable.row(row)) }
            }
        ),
        (
            StandingCheck.table,
            { database, after in
                try part(
                    """
                    SELECT season, hero, points, id FROM standings NOT INDEXED
                    WHERE id > ?1 ORDER BY id LIMIT ?2
                    """, number: 3, after, database
                ) { row in try StandingCheck(database).compare(row) }
            }
        ),
        (
            StandingCheck.buckets,
            { database, _ in
                try whole(
                    "SELECT season, bucket, heroes FROM standing_buckets NOT INDEXED", database
                ) { row in try StandingCheck(database).compareBucket(row) }
            }
        ),
        (
            StandingCheck.counts,
            { database, _ in
                try whole(
                    "SELECT season, points, heroes FROM standing_counts NOT INDEXED", database
                ) { row in try StandingCheck(database).compareSum(row) }
            }
        ),
    ]

    /// Reads some rows of a table with numbered rows; `number` is the column with the number.
    private static func part(
        _ sql: StaticString, number: Int32, _ after: Int64, _ database: Database,
        party: (any SQLRow) throws -> PartyID? = { _ in nil },
        _ decode: (any SQLRow) throws -> Void
    ) throws -> Part {
        var part = Part()
        var count: Int64 = 0
        try database.scan(sql, [.integer(after), .integer(rowsAtOnce)]) { row in
            part.last = row.integer(number)
            count += 1
            do {
                try decode(row)
            } catch let fault as RowFault {
                // A membership that is missing harms no one who reads the party.
                let isServed = fault.table == MembershipCheck.table
                part.faults.append(isServed ? fault : fault.of(try party(row)))
            }
            return .goOn
        }
        if count < rowsAtOnce { part.last = nil }
        return part
    }

    /// Reads all rows of a small table.
    private static func whole(
        _ sql: StaticString, _ database: Database, _ decode: (any SQLRow) throws -> Void
    ) throws -> Part {
        var part = Part()
        try database.scan(sql) { row in
            do { try decode(row) } catch let fault as RowFault { part.faults.append(fault) }
            return .goOn
        }
        return part
    }
}

extension RowFault: CustomStringConvertible {
    var description: String { "\(table) \(key): \(detail)" }
}
