package import GameLogic
package import PushPolicy

extension SQLiteStore {
    package func player(withTokenHash hash: [UInt8]) async throws(StoreError) -> PlayerRecord? {
        try await read { try $0.player(tokenHash: hash)?.record() }
    }

    package func hero(_ id: HeroID) async throws(StoreError) -> Hero? {
        try await read { try $0.hero(id.rawValue)?.decode(HeroFormat.read) }
    }

    package func heroes(of player: PlayerID) async throws(StoreError) -> [Hero] {
        try await read { database in
            try database.heroes(of: player.rawValue).map { try $0.decode(HeroFormat.read) }
        }
    }

    package func party(_ id: PartyID) async throws(StoreError) -> StoredParty? {
        let party = try await read(of: id) { database in
            try database.reading { try database.party(id.rawValue) }
        }
        if party != nil { damage.thaw(id) }
        return party
    }

    package func party(withInviteCode code: String) async throws(StoreError) -> PartyID? {
        try await read { try $0.partyID(inviteCode: code) }.map { PartyID($0) }
    }

    package func party(of hero: HeroID) async throws(StoreError) -> PartyID? {
        try await read { try $0.partyID(ofHero: hero.rawValue) }.map { PartyID($0) }
    }

    package func parties(
        after: PartyID?, limit: Int
    ) async throws(StoreError) -> [StoredParty] {
        var last = after?.rawValue ?? ""
        while true {
            let page = try await page { [last] database throws(SQLiteFailure) in
                try database.parties(after: last, limit: limit)
            }
            guard page.parties.isEmpty, let next = page.last?.id else { return page.parties }
            last = next
        }
    }

    package func awakeParties(
        after: PartyKey?, limit: Int
    ) async throws(StoreError) -> AwakePage {
        let page = try await page { database throws(SQLiteFailure) in
            try database.awakeParties(after: after?.number ?? 0, limit: limit)
        }
        return AwakePage(
            parties: page.parties, next: page.last.map { PartyKey(number: $0.key) })
    }

    package func outcomes() async throws(StoreError) -> [StoredOutcomes] {
        try await read { try $0.outcomes() }.compactMap { row in
            do throws(RowFault) {
                return StoredOutcomes(
                    row: row.numbers[0], outcomes: try row.decode(OutcomesFormat.read))
            } catch {
                // The outcomes of its pushes are then unknown, as after a crash.
                _ = damage.corrupt(error)
                return nil
            }
        }
    }

    package func activity(_ id: ActivityID) async throws(StoreError) -> ActivityRegistration? {
        guard let found = try await read({ try $0.activity(id.rawValue) }) else { return nil }
        do throws(RowFault) {
            return try found.row.decode(RegistrationFormat.read)
        } catch {
            throw damage.corrupt(PartyID(found.party), error)
        }
    }
}

// MARK: Pages of parties

extension SQLiteStore {
    /// Parties, and the last row that was read, sound or not.
    private struct Page: Sendable {
        var parties: [StoredParty] = []
        var damaged: [(party: PartyID, fault: RowFault)] = []
        var last: (key: Int64, id: String)?
    }

    /// Decodes the rows where they are read. A corrupt one is reported and omitted.
    private func page(
        _ rows: @Sendable (Database) throws(SQLiteFailure) -> [PartyRow]
    ) async throws(StoreError) -> Page {
        let page = try await read { database in
            try database.reading {
                var page = Page()
                for row in try rows(database) {
                    do {
                        page.parties.append(try database.stored(row))
                    } catch let fault as RowFault {
                        page.damaged.append((PartyID(row.id), fault))
                    }
                    page.last = (row.key, row.id)
                }
                return page
            }
        }
        for (party, fault) in page.damaged { _ = damage.corrupt(party, fault) }
        return page
    }
}
