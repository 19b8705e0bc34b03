package import GameLogic
internal import PushPolicy

extension SQLiteStore {
    /// Outboxes written by one change, so that acknowledgements do not hold up commits for long.
    private static let acknowledgedMax = 256

    package func takeOwnership() async throws(StoreError) -> Epoch {
        Epoch(number: try await writer.submit { try $0.takeOwnership() })
    }

    package func insert(_ player: PlayerRecord, epoch: Epoch) async throws(StoreError) {
        let row = PlayerRow(player)
        _ = try await writer.submit { database in
            try database.insert(row, epoch: epoch.number)
            return 1
        }
    }

    package func insert(_ hero: Hero, epoch: Epoch) async throws(StoreError) {
        let row = try JSONRow(hero: hero)
        _ = try await writer.submit { database in
            try database.insertHero(row, epoch: epoch.number)
            return 1
        }
    }

    /// A commit that SQLite itself refuses (a damaged page, a second event with one number)
    /// freezes its party.
    package func commit(_ change: PartyCommit, epoch: Epoch) async throws(StoreError) {
        let prepared = try PreparedCommit(change)
        let party = change.record.id
        _ = try await writer.submit(explain: { self.explain($0, of: party) }) { database in
            try database.write(prepared, epoch: epoch.number)
            return 1
        }
    }

    package func acknowledge(
        _ outboxes: [OutboxRecord], epoch: Epoch
    ) async throws(StoreError) {
        let rows = try outboxes.map(OutboxRow.init)
        for start in stride(from: 0, to: rows.count, by: Self.acknowledgedMax) {
            let part = rows[start..<min(start + Self.acknowledgedMax, rows.count)]
            _ = try await writer.submit { database in
                let changed = try part.map { try database.acknowledge($0, epoch: epoch.number) }
                let isOwner = try database.epoch() == epoch.number
                guard isOwner || changed.allSatisfy({ $0 == 1 }) else {
                    throw StoreError.notTheOwner
                }
                return Int64(changed.reduce(0, +))
            }
        }
    }
}
