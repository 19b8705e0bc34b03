package import PushPolicy
internal import GameLogic

/// What retention has found so far.
struct FoldProgress: Sendable {
    /// Rows up to here stay, for ever: they are of parties whose replay differs.
    var passed: Int64 = 0
    var differing: Set<Int64> = []
}

/// Retention: old rows of the journal become a snapshot of their party, by replay.
extension SQLiteStore {
    /// Rows of one party that one transaction folds, so that no commit waits for long.
    static let foldedAtOnceMax = 256

    package func foldJournal(
        before time: WallTime, rows: Int, epoch: Epoch
    ) async throws(StoreError) -> Int {
        var folded = 0
        while folded < rows {
            let limit = min(rows - folded, Self.foldedAtOnceMax)
            let progress = withFoldProgress { $0 }
            let found = try await read { database in
                try database.reading {
                    try database.nextFold(after: progress, before: time, limit: limit)
                }
            }
            switch found {
            case .nothing: return folded
            case .differs(let difference): leaveAlone(difference)
            case .fold(let fold):
                folded += Int(
                    try await writer.submit { database in
                        try database.require(epoch)
                        return try database.write(fold)
                    })
            }
        }
        return folded
    }

    private func leaveAlone(_ difference: Fold.Difference) {
        let isNew = withFoldProgress { progress in
            progress.passed = difference.row
            return progress.differing.insert(difference.party).inserted
        }
        guard isNew else { return }
        damage.report(.historyDiffers(PartyID(difference.name), detail: difference.detail))
    }
}

/// Rows of one party that can go, and the snapshot that takes their place.
struct Fold: Sendable {
    let party: Int64
    /// The version of the snapshot that it is built on; 0: there is none.
    let base: Int64
    let snapshot: DataRow
    /// The last row's version.
    let through: Int64
    let rows: Int64

    /// A party whose commands do not give its events.
    struct Difference: Sendable {
        let party: Int64
        let name: String
        /// The row that was looked at.
        let row: Int64
        let detail: String
    }

    enum Next: Sendable {
        case nothing
        case fold(Fold)
        case differs(Difference)
    }
}

extension Database {
    /// The party of the oldest row, with as many of its rows as may go.
    fileprivate func nextFold(
        after progress: FoldProgress, before time: WallTime, limit: Int
    ) throws -> Fold.Next {
        let oldest = try row(
            "SELECT id, party, at FROM journal WHERE id > ?1 ORDER BY id LIMIT 1",
            [.integer(progress.passed)]
        ) { (id: $0.integer(0), party: $0.integer(1), at: $0.integer(2)) }
        guard let oldest, oldest.at < time.milliseconds else { return .nothing }
        let name = try partyID(of: oldest.party) ?? "\(oldest.party)"
        func differs(_ detail: String) -> Fold.Next {
            .differs(
                Fold.Difference(party: oldest.party, name: name, row: oldest.id, detail: detail))
        }
        if progress.differing.contains(oldest.party) { return differs("") }
        do {
            return .fold(
                try fold(oldest.party, PartyID(name), before: time.milliseconds, limit: limit))
        } catch let difference as ReplayDifference {
            return differs(difference.detail)
        } catch let fault as RowFault {
            return differs("\(fault)")
        }
    }

    private func fold(
        _ party: Int64, _ id: PartyID, before time: Int64, limit: Int
    ) throws -> Fold {
        let base = try snapshot(of: party)
        var replay = JournalReplay(from: base?.party ?? Party(id: id))
        var through = base?.version ?? 0
        var rows = 0
        try scanJournal(of: party, from: .min) { row, entry in
            guard row.at < time, rows < limit else { return .stop }
            try replay.play(entry)
            through = row.version
            rows += 1
            return .goOn
        }
        let folded = FoldedParty(party: replay.party, version: through)
        return Fold(
            party: party, base: base?.version ?? 0,
            snapshot: DataRow(snapshot: folded, party: party), through: through,
            rows: Int64(rows))
    }

    /// Puts the snapshot in the rows' place, if nobody has done so meanwhile.
    fileprivate func write(_ fold: Fold) throws -> Int64 {
        let base = try integer(
            "SELECT version FROM journal_snapshots WHERE party = ?1", [.integer(fold.party)])
        guard base == fold.base else { return 0 }
        let deleted = try run(
            "DELETE FROM journal WHERE party = ?1 AND version <= ?2",
            [.integer(fold.party), .integer(fold.through)])
        guard deleted == fold.rows else {
            throw StoreError.unavailable("the journal has changed while it was folded")
        }
        try run(
            """
            INSERT OR REPLACE INTO journal_snapshots (party, version, data, crc)
            VALUES (?1, ?2, ?3, ?4)
            """, fold.snapshot.values)
        return fold.rows
    }
}

/// Plays a journal again, row after row.
struct JournalReplay {
    private(set) var party: Party

    init(from party: Party) { self.party = party }

    /// Does what the row says, and compares: the events must be the row's.
    mutating func play(_ entry: JournalEntry) throws {
        var events: [PartyEvent] = []
        if let command = entry.command {
            do throws(RuleError) {
                events = try party.apply(command.command, at: command.time)
            } catch {
                throw ReplayDifference(
                    detail: "a logged command is refused when it is played again: \(error)")
            }
        }
        events += party.advance(to: entry.through)
        guard events != entry.events else { return }
        let first = zip(events, entry.events).first { $0 != $1 }?.1.sequence
        throw ReplayDifference(
            detail: """
                event \(first ?? party.nextSequence) of the journal is not what happens when it \
                is played again
                """)
    }
}

/// How a replay differs from what is stored, in words.
struct ReplayDifference: Error, Hashable {
    let detail: String
}
