internal import GameLogic

/// The statements that write a batch: one for all parties that exist, one for all new ones, and
/// those of outcomes, in one round trip. Parties with further rows are left to the caller.
///
/// Each party's row is fenced in its own statement, by its version and by the epoch of its shard's
/// lease; its journal row is written by the same statement, or not at all.
struct PostgreSQLBatch {
    /// ?1 keys, ?2 versions, ?3 awake, ?4 states, ?5 checksums, ?6 epoch; of journal rows: ?7 keys,
    /// ?8 versions, ?9 when, ?10 entries, ?11 checksums. Returns the keys of the parties that were
    /// written.
    static let update: StaticString = """
        WITH written AS (
            UPDATE parties SET version = new.version, awake = new.awake, state = new.state,
                crc = new.crc
            FROM unnest(
                ?1::bigint[], ?2::bigint[], ?3::bigint[], ?4::bytea[], ?5::bigint[]
            ) AS new (key, version, awake, state, crc), shard_lease
            WHERE parties.key = new.key AND parties.version = new.version - 1
                AND shard_lease.shard = parties.shard AND shard_lease.epoch = ?6
            RETURNING parties.key),
        logged AS (
            INSERT INTO journal (party, version, at, data, crc)
            SELECT entry.party, entry.version, entry.at, entry.data, entry.crc
            FROM unnest(
                ?7::bigint[], ?8::bigint[], ?9::bigint[], ?10::bytea[], ?11::bigint[]
            ) AS entry (party, version, at, data, crc)
            WHERE entry.party IN (SELECT key FROM written))
        SELECT key FROM written
        """
    /// The same for one party, without arrays: ?1 key, ?2 version, ?3 awake, ?4 state,
    /// ?5 checksum, ?6 epoch; of its journal row, if it has one: ?7 when, ?8 entry, ?9 checksum.
    private static let updateOne: StaticString = """
        WITH written AS (
            UPDATE parties SET version = ?2, awake = ?3, state = ?4, crc = ?5
            WHERE key = ?1 AND version = ?2 - 1 AND EXISTS (
                SELECT 1 FROM shard_lease
                WHERE shard_lease.shard = parties.shard AND shard_lease.epoch = ?6)
            RETURNING key),
        logged AS (
            INSERT INTO journal (party, version, at, data, crc)
            SELECT key, ?2, ?7::bigint, ?8::bytea, ?9::bigint FROM written
            WHERE ?8::bytea IS NOT NULL)
        SELECT key FROM written
        """
    /// Like `update`, for new parties; and ?12 shards, ?13 ids, ?14 invite codes.
    private static let create: StaticString = """
        WITH written AS (
            INSERT INTO parties (key, version, awake, state, crc, shard, id, invite_code)
            SELECT new.key, new.version, new.awake, new.state, new.crc, new.shard, new.id,
                new.invite_code
            FROM unnest(
                ?1::bigint[], ?2::bigint[], ?3::bigint[], ?4::bytea[], ?5::bigint[],
                ?12::bigint[], ?13::text[], ?14::text[]
            ) AS new (key, version, awake, state, crc, shard, id, invite_code), shard_lease
            WHERE shard_lease.shard = new.shard AND shard_lease.epoch = ?6
            ON CONFLICT DO NOTHING
            RETURNING parties.key),
        logged AS (
            INSERT INTO journal (party, version, at, data, crc)
            SELECT entry.party, entry.version, entry.at, entry.data, entry.crc
            FROM unnest(
                ?7::bigint[], ?8::bigint[], ?9::bigint[], ?10::bytea[], ?11::bigint[]
            ) AS entry (party, version, at, data, crc)
            WHERE entry.party IN (SELECT key FROM written))
        SELECT key FROM written
        """
    /// ?1 ids, ?2 data, ?3 checksums, ?4 epoch. Returns the ids that were written.
    private static let keepOutcomes: StaticString = """
        WITH written AS (
            INSERT INTO outcomes (id, data, crc)
            SELECT new.id, new.data, new.crc
            FROM unnest(?1::bigint[], ?2::bytea[], ?3::bigint[]) AS new (id, data, crc), node
            WHERE node.epoch = ?4
            ON CONFLICT DO NOTHING
            RETURNING id)
        SELECT id FROM written
        """
    /// ?1 ids, ?2 epoch.
    private static let forgetOutcomes: StaticString = """
        DELETE FROM outcomes USING node
        WHERE outcomes.id = ANY (?1::bigint[]) AND node.epoch = ?2
        """

    /// ?1 shards. Returns parties with letters.
    private static let look: StaticString =
        "SELECT party FROM shard_inbox WHERE shard = ANY (?1::bigint[]) LIMIT 1"

    /// One statement, and the parties of the batch that it writes.
    struct Statement: Sendable {
        let sql: StaticString
        let parameters: PostgreSQLParameters
        let changes: [Int]
    }

    let batch: Batch
    let epoch: Epoch
    /// Those of all parties without further rows.
    private(set) var plain: [Statement] = []
    private(set) var outcomes: [Statement] = []
    /// That which looks for letters, if the batch does.
    private(set) var looks: [Statement] = []

    /// Encodes the statements.
    init(batch: Batch, epoch: Epoch) {
        self.batch = batch
        self.epoch = epoch
        plain = plainStatements
        outcomes = outcomeStatements
        looks = lookStatements
    }

    var statements: [Statement] { plain + outcomes + looks }

    /// Returns the statement for these changes of the batch, all of them new parties or none.
    func statement(for changes: [Int]) -> Statement {
        let rows = changes.map { batch.changes[$0] }
        if rows.count == 1, let row = rows.first, row.version != 1 {
            return Statement(sql: Self.updateOne, parameters: parameters(of: row), changes: changes)
        }
        var parameters = PostgreSQLParameters()
        batch.withBytes { bytes in
            parameters.append(array: rows.map(\.key))
            parameters.append(array: rows.map(\.version))
            parameters.append(array: rows.map(\.awake))
            parameters.append(array: rows.map(\.state), of: bytes, as: .bytes)
            parameters.append(array: rows.map(\.checksum))
            parameters.append(epoch.number)
            let logged = rows.compactMap { row in row.journal.map { (row: row, entry: $0) } }
            parameters.append(array: logged.map(\.row.key))
            parameters.append(array: logged.map(\.row.version))
            parameters.append(array: logged.map(\.entry.at))
            parameters.append(array: logged.map(\.entry.data), of: bytes, as: .bytes)
            parameters.append(array: logged.map(\.entry.checksum))
            guard rows.first?.version == 1 else { return }
            parameters.append(
                array: changes.map { Int64(PartyShard.number(of: batch.parties[$0])) })
            parameters.append(array: rows.map(\.id), of: bytes, as: .text)
            parameters.append(array: rows.map(\.inviteCode), of: bytes, as: .text)
        }
        let isNew = rows.first?.version == 1
        return Statement(
            sql: isNew ? Self.create : Self.update, parameters: parameters, changes: changes)
    }

    private func parameters(of row: ChangeRow) -> PostgreSQLParameters {
        batch.withBytes { bytes in
            PostgreSQLParameters([
                .integer(row.key), .integer(row.version), .integer(row.awake),
                .blob(Array(bytes[row.state])), .integer(row.checksum), .integer(epoch.number),
                row.journal.map { .integer($0.at) } ?? .null,
                row.journal.map { .blob(Array(bytes[$0.data])) } ?? .null,
                row.journal.map { .integer($0.checksum) } ?? .null,
            ])
        }
    }

    private var plainStatements: [Statement] {
        let plain = batch.changes.indices.filter { batch.changes[$0].further == nil }
        let new = plain.filter { batch.changes[$0].version == 1 }
        let known = plain.filter { batch.changes[$0].version != 1 }
        return [known, new].filter { !$0.isEmpty }.map(statement)
    }

    private var outcomeStatements: [Statement] {
        var statements: [Statement] = []
        if !batch.forgottenOutcomes.isEmpty {
            var parameters = PostgreSQLParameters()
            parameters.append(array: batch.forgottenOutcomes)
            parameters.append(epoch.number)
            statements.append(
                Statement(sql: Self.forgetOutcomes, parameters: parameters, changes: []))
        }
        if !batch.outcomes.isEmpty {
            var parameters = PostgreSQLParameters()
            parameters.append(array: batch.outcomes.map { $0.numbers[0] })
            parameters.append(blobs: batch.outcomes.map(\.data))
            parameters.append(array: batch.outcomes.map(\.checksumValue))
            parameters.append(epoch.number)
            statements.append(
                Statement(sql: Self.keepOutcomes, parameters: parameters, changes: []))
        }
        return statements
    }

    private var lookStatements: [Statement] {
        guard batch.looksForLetters, !batch.parties.isEmpty else { return [] }
        var parameters = PostgreSQLParameters()
        parameters.append(
            array: Set(batch.parties.map(PartyShard.number)).sorted().map(Int64.init))
        return [Statement(sql: Self.look, parameters: parameters, changes: [])]
    }

    /// Returns why outcomes were refused; the last of their statements has written these.
    func refusal(ofOutcomes written: Set<Int64>) -> StoreError? {
        batch.outcomes.first { !written.contains($0.numbers[0]) }
            .map { .exists("outcome row \($0.numbers[0])") }
    }
}
