internal import GameLogic

/// The inboxes of the shards: letters to parties, until their owners take them. All methods run in
/// the writer's transaction, except those that return rows.
struct InboxTable {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    /// Adds a letter. A party that an operator has abandoned meanwhile needs none.
    func add(_ letter: PartyLetter) throws(SQLFailure) {
        guard let party = try database.partyKey(of: letter.party.rawValue) else { return }
        try database.run(
            "INSERT INTO shard_inbox (shard, seq, party, data, crc) VALUES (?1, ?2, ?3, ?4, ?5)",
            DataRow(letter: letter, party: party).values)
    }

    /// Deletes a letter, in the transaction that makes its change. Refused when it is there no more:
    /// it was taken before.
    func take(_ letter: PartyLetter) throws {
        let taken = try database.run(
            "DELETE FROM shard_inbox WHERE shard = ?1 AND seq = ?2",
            [.integer(Int64(letter.shard)), .integer(letter.number)])
        guard taken == 1 else { throw StoreError.staleLetters(letter.party) }
    }

    /// Returns letters to parties of this owner's shards, at most `limit`.
    func rows(of owner: Int64, limit: Int) throws(SQLFailure) -> [LetterRow] {
        try database.rows(
            database.dialect.inbox, [.integer(owner), .limit(limit)], read: LetterRow.init)
    }

    /// Returns the letters to one party. A damaged one is omitted.
    func letters(to party: PartyID, key: Int64) throws(SQLFailure) -> [PartyLetter] {
        try database.rows(
            """
            SELECT shard_inbox.shard, shard_inbox.seq, shard_inbox.party, shard_inbox.data,
                shard_inbox.crc, parties.id
            FROM shard_inbox JOIN parties ON parties.key = shard_inbox.party
            WHERE shard_inbox.shard = ?1 AND shard_inbox.party = ?2 ORDER BY shard_inbox.seq
            """, [.integer(Int64(PartyShard.number(of: party))), .integer(key)],
            read: LetterRow.init
        ).compactMap { try? $0.letter() }
    }
}

/// A row of `shard_inbox`, with the id of its party.
struct LetterRow: Sendable {
    private let row: DataRow
    private let party: PartyID

    init(_ row: any SQLRow) {
        self.row = DataRow(row, table: DataRow.inbox, numberCount: 3)
        party = PartyID(row.text(5))
    }

    func letter() throws(RowFault) -> PartyLetter {
        try row.decode { try LetterFormat.read($0, to: party, number: row.numbers[1]) }
    }
}

extension TableStore {
    package func letters(
        of owner: Epoch, limit: Int
    ) async throws(StoreError) -> [PartyLetter] {
        let rows = try await read { try InboxTable($0).rows(of: owner.number, limit: limit) }
        return rows.compactMap { row in sound { () throws(RowFault) in try row.letter() } }
    }

    package func send(
        _ letters: [PartyLetter], keeping request: KeptRequest?, epoch: Epoch
    ) async throws(StoreError) {
        let kept = request.map(DataRow.init(request:))
        _ = try await asOwner(epoch, .players(of: request)) { database in
            if let kept { try KeptRequestTable(database).keep(kept) }
            let inbox = InboxTable(database)
            for letter in letters { try inbox.add(letter) }
            return Int64(letters.count)
        }
    }
}
