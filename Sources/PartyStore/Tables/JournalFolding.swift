internal import GameLogic
internal import PushPolicy

/// Folds the journals of one file: finds old rows, replays them, and replaces them by a snapshot.
struct JournalFolding {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    /// The most parties examined in one read.
    private static let lookedAtMax = 256
    /// The most rows of one party that one transaction folds, so that no commit waits long.
    static let rowsAtOnceMax = 256

    /// Returns the next party with old rows, with as many of them as may be folded.
    func next(
        after progress: FoldProgress, before time: WallTime, limit: Int
    ) throws -> Fold.Next {
        var place = progress.party
        for _ in 0..<Self.lookedAtMax {
            let oldest = try database.row(
                "SELECT party, at FROM journal WHERE party >= ?1 ORDER BY party, version LIMIT 1",
                [.integer(place)]
            ) { (party: $0.integer(0), at: $0.integer(1)) }
            guard let oldest else { return .nothing }
            if oldest.at < time.milliseconds, !progress.differing.contains(oldest.party),
                try AccountErasure(database).isComplete(in: oldest.party)
            {
                return try next(of: oldest.party, before: time.milliseconds, limit: limit)
            }
            guard oldest.party < .max else { return .nothing }
            place = oldest.party + 1
        }
        return .lookFurther(from: place)
    }

    private func next(
        of party: Int64, before time: Int64, limit: Int
    ) throws -> Fold.Next {
        let name = try database.partyID(of: party) ?? "\(party)"
        func differs(_ detail: String) -> Fold.Next {
            .differs(Fold.Difference(party: party, name: name, detail: detail))
        }
        do {
            return .fold(try fold(party, PartyID(name), before: time, limit: limit))
        } catch let difference as ReplayDifference {
            return differs(difference.detail)
        } catch let fault as RowFault {
            return differs("\(fault)")
        }
    }

    private func fold(
        _ party: Int64, _ id: PartyID, before time: Int64, limit: Int
    ) throws -> Fold {
        let journal = PartyJournal(of: party, in: database)
        let base = try journal.snapshot()
        var replay = JournalReplay(from: base?.party ?? Party(id: id))
        var through = base?.version ?? 0
        var rows = 0
        try journal.scan(from: .min) { row, entry in
            guard row.at < time, rows < limit else { return .stop }
            try replay.play(entry)
            through = row.version
            rows += 1
            return .goOn
        }
        let folded = FoldedParty(party: replay.party, version: through)
        return Fold(
            party: party, base: base?.version ?? 0, deletions: try deletions(),
            snapshot: DataRow(snapshot: folded, party: party), through: through,
            rows: Int64(rows))
    }

    private func deletions() throws(SQLFailure) -> Int64 {
        try database.integer("SELECT count(*) FROM deletions")
    }

    /// Replaces the rows by the snapshot, if nobody has done so meanwhile, and if no account was
    /// deleted since the replay: the snapshot may have a name that was erased.
    func write(_ fold: Fold) throws -> Int64 {
        let base = try database.integer(
            "SELECT version FROM journal_snapshots WHERE party = ?1", [.integer(fold.party)])
        guard base == fold.base, try deletions() == fold.deletions,
            try AccountErasure(database).isComplete(in: fold.party)
        else { return 0 }
        let deleted = try database.run(
            "DELETE FROM journal WHERE party = ?1 AND version <= ?2",
            [.integer(fold.party), .integer(fold.through)])
        guard deleted == fold.rows else {
            throw StoreError.unavailable("the journal has changed while it was folded")
        }
        try database.run(
            """
            INSERT INTO journal_snapshots (party, version, data, crc) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (party) DO UPDATE
            SET version = excluded.version, data = excluded.data, crc = excluded.crc
            """, fold.snapshot.values)
        return fold.rows
    }
}

/// Rows of one party to delete, and the snapshot that replaces them.
struct Fold: Sendable {
    let party: Int64
    /// The version of the previous snapshot; 0: there is none.
    let base: Int64
    /// The number of deleted accounts when the rows were replayed.
    let deletions: Int64
    let snapshot: DataRow
    /// The last row's version.
    let through: Int64
    let rows: Int64

    /// A party whose commands do not give its events.
    struct Difference: Sendable {
        let party: Int64
        let name: String
        let detail: String
    }

    enum Next: Sendable {
        /// The last party has been visited.
        case nothing
        /// The read found only parties without old rows; continue with this one.
        case lookFurther(from: Int64)
        case fold(Fold)
        case differs(Difference)
    }
}

/// The progress of retention.
struct FoldProgress: Sendable {
    /// The key of the party to continue with. Retention visits all parties in the order of their
    /// keys, because the rows of a game that was moved are not in the order of time.
    var party = Int64.min
    /// Parties whose replay differs: their rows stay, for ever.
    var differing: Set<Int64> = []
}
