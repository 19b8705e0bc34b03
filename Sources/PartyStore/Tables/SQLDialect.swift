/// The few statements that no text serves on every database.
struct SQLDialect {
    /// Reads the newest row of the journal.
    let newestChange: StaticString
    /// Keeps a request: ?1 player, ?2 key, ?3 when, ?4 what, ?5 checksum. Its number is higher than
    /// those of the player's other requests.
    let keepRequest: StaticString
    /// Removes requests that are as old as ?1, and at most ?2. Those that a player's own change is
    /// removing it leaves to that one.
    let forgetRequests: StaticString
    /// Reads letters to parties of the shards of the owner ?1, at most ?2.
    let inbox: StaticString
    /// Appends to the audit log: ?1 when, ?2 what, ?3 checksum. Returns the row's number, which is
    /// higher than any before.
    let appendCall: StaticString

    /// SQLite numbers rows by itself, and its journal grows at the end.
    static let sqlite = SQLDialect(
        newestChange: "SELECT party, version, at, data, crc FROM journal ORDER BY id DESC LIMIT 1",
        keepRequest:
            "INSERT INTO requests (player, key, at, data, crc) VALUES (?1, ?2, ?3, ?4, ?5)",
        forgetRequests: """
            DELETE FROM requests WHERE (player, key) IN (
                SELECT player, key FROM requests WHERE at <= ?1 LIMIT ?2)
            """,
        inbox: """
            SELECT shard_inbox.shard, shard_inbox.seq, shard_inbox.party, shard_inbox.data,
                shard_inbox.crc, parties.id
            FROM shard_inbox JOIN parties ON parties.key = shard_inbox.party
            WHERE ?1 >= 0 ORDER BY shard_inbox.shard, shard_inbox.seq LIMIT ?2
            """,
        appendCall: "INSERT INTO audit (at, data, crc) VALUES (?1, ?2, ?3) RETURNING id")

    /// Without sequences: a number follows from the rows that are there, or from a row that counts.
    static let postgreSQL = SQLDialect(
        newestChange: "SELECT party, version, at, data, crc FROM journal ORDER BY at DESC LIMIT 1",
        keepRequest: """
            INSERT INTO requests (player, key, at, data, crc, id)
            SELECT ?1, ?2, ?3, ?4, ?5, coalesce(max(id), 0) + 1 FROM requests WHERE player = ?1
            """,
        forgetRequests: """
            DELETE FROM requests WHERE (player, key) IN (
                SELECT player, key FROM requests WHERE at <= ?1 LIMIT ?2 FOR UPDATE SKIP LOCKED)
            """,
        inbox: """
            SELECT shard_inbox.shard, shard_inbox.seq, shard_inbox.party, shard_inbox.data,
                shard_inbox.crc, parties.id
            FROM shard_inbox JOIN parties ON parties.key = shard_inbox.party
            JOIN shard_lease ON shard_lease.shard = shard_inbox.shard
            WHERE shard_lease.epoch = ?1 ORDER BY shard_inbox.shard, shard_inbox.seq LIMIT ?2
            """,
        appendCall: """
            WITH next AS (UPDATE audit_count SET last = last + 1 RETURNING last)
            INSERT INTO audit (id, at, data, crc) SELECT last, ?1, ?2, ?3 FROM next RETURNING id
            """)
}
