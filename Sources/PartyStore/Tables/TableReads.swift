package import GameLogic
package import PushPolicy

extension TableStore {
    package func device(withTokenHash hash: [UInt8]) async throws(StoreError) -> DeviceRecord? {
        try await read { try AccountTable($0).device(with: hash) }
    }

    package func devices(of player: PlayerID) async throws(StoreError) -> [DeviceRecord] {
        try await read { try AccountTable($0).devices(of: player) }
    }

    package func accountsToErase() async throws(StoreError) -> [PlayerID] {
        try await read { try AccountErasure($0).unfinished() }
    }

    package func partiesVisited(by player: PlayerID) async throws(StoreError) -> [PartyID] {
        try await read { try AccountErasure($0).parties(of: player) }
    }

    package func registrationTime(
        of player: PlayerID
    ) async throws(StoreError) -> WallTime? {
        try await read { try AccountTable($0).player(player)?.createdAt }
            .map { WallTime(milliseconds: $0) }
    }

    package func request(with key: RequestKey) async throws(StoreError) -> KeptRequest? {
        try await read { try KeptRequestTable($0).request(with: key) }
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

    package func memberships(
        of player: PlayerID
    ) async throws(StoreError) -> [HeroID: PartyID] {
        let rows = try await read { try $0.memberships(of: player.rawValue) }
        return Dictionary(rows.map { (HeroID($0.hero), PartyID($0.party)) }) { first, _ in first }
    }

    package func parties(of player: PlayerID) async throws(StoreError) -> [StoredParty] {
        try await page { database throws(SQLFailure) in
            try database.parties(of: player.rawValue)
        }.parties
    }

    package func parties(
        after: PartyID?, limit: Int
    ) async throws(StoreError) -> [StoredParty] {
        var last = after?.rawValue ?? ""
        while true {
            let page = try await page { [last] database throws(SQLFailure) in
                try database.parties(after: last, limit: limit)
            }
            guard page.parties.isEmpty, let next = page.last?.id else { return page.parties }
            last = next
        }
    }

    package func awakeParties(
        after: PartyKey?, limit: Int
    ) async throws(StoreError) -> AwakePage {
        let page = try await page { database throws(SQLFailure) in
            try database.awakeParties(after: after?.number ?? 0, limit: limit)
        }
        return AwakePage(page)
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

    package func players(
        withPushToken token: PushToken
    ) async throws(StoreError) -> [PlayerID] {
        let owners = try await read { database in
            try database.rows(
                """
                SELECT player FROM start_devices WHERE token = ?1
                UNION SELECT player FROM widgets WHERE token = ?1
                """, [.text(token.hex)]
            ) { PlayerID($0.text(0)) }
        }
        let showing = try await read { database in
            try database.rows(
                "SELECT activity FROM activity_tokens WHERE token = ?1", [.text(token.hex)]
            ) { ActivityID($0.text(0)) }
        }
        var players = Set(owners)
        for id in showing {
            if let player = try await activity(id)?.player { players.insert(player) }
        }
        return players.sorted()
    }

    /// Returns devices. A damaged row is reported and omitted, so that other devices still get
    /// their activities.
    package func startDevices(
        of players: [PlayerID]
    ) async throws(StoreError) -> [StartDevice] {
        let rows = try await read { database in
            try database.reading {
                let devices = StartDeviceTable(database)
                return try players.flatMap { try devices.rows(of: $0.rawValue) }
            }
        }
        return rows.compactMap { row in
            do throws(RowFault) {
                return try row.record()
            } catch {
                _ = damage.corrupt(error)
                return nil
            }
        }
    }

    package func providerTokens() async throws(StoreError) -> [ProviderTokenRecord] {
        try await read { database in
            try database.decoded(
                "SELECT team, key, data, crc FROM provider_tokens ORDER BY team, key"
            ) { row in
                try DataRow(row, table: DataRow.providerTokens, keyCount: 2)
                    .decode(ProviderTokenFormat.read)
            }
        }
    }

    /// Reads those of all environments: a row whose key is damaged would not be found by its own.
    package func channels(
        in environment: PushEnvironment
    ) async throws(StoreError) -> [ChannelRecord] {
        try await read { database in
            try database.decoded(
                """
                SELECT environment, id, party, data, crc FROM channels ORDER BY environment, id
                """
            ) { row in
                try DataRow(row, table: DataRow.channels, keyCount: 2, numberCount: 1)
                    .decode(ChannelFormat.read)
            }
        }.filter { $0.environment == environment }
    }
}

// MARK: The journal

extension TableStore {
    package func events(
        of party: PartyID, after: Int, limit: Int
    ) async throws(StoreError) -> [LoggedEvent] {
        try await readJournal(of: party) { journal in
            let start = try journal.start(after: after)
            var events: [LoggedEvent] = []
            try journal.scan(from: start) { row, entry in
                let at = WallTime(milliseconds: row.at)
                for event in entry.events where event.sequence > after {
                    guard events.count < limit else { return .stop }
                    events.append(LoggedEvent(event: event, at: at))
                }
                return events.count < limit ? .goOn : .stop
            }
            return events
        } ?? []
    }

    package func decisions(
        of party: PartyID, activity: ActivityID?, after: Int, limit: Int
    ) async throws(StoreError) -> [LoggedDecision] {
        try await readJournal(of: party) { journal in
            var page = LedgerPage(after: after, limit: limit, activity: activity)
            let start = try journal.start(after: after)
            try journal.scan(from: start) { row, entry in
                page.add(entry, at: WallTime(milliseconds: row.at))
            }
            return page.decisions
        } ?? []
    }

    package func firstKeptEvent(of party: PartyID) async throws(StoreError) -> Int {
        try await readJournal(of: party) { journal in
            try journal.snapshot()?.party.nextSequence ?? 1
        } ?? 1
    }

    package func changes(
        of party: PartyID, after version: Int64, limit: Int
    ) async throws(StoreError) -> JournalPage? {
        try await readJournal(of: party) { journal in
            let folded = try journal.snapshot()
            var changes: [LoggedChange] = []
            try journal.scan(from: version + 1) { row, entry in
                guard changes.count < limit else { return .stop }
                changes.append(LoggedChange(row, entry))
                return .goOn
            }
            return JournalPage(
                start: folded?.party, startVersion: folded?.version ?? 0, changes: changes)
        }
    }

    package func history(of party: PartyID) async throws(StoreError) -> PartyHistory? {
        try await read(of: party) { database in
            try database.reading { try database.history(of: party.rawValue) }
        }
    }

    /// Reads from one state of the file; `nil` when the party does not exist.
    private func readJournal<Result: Sendable>(
        of party: PartyID, _ body: @Sendable (PartyJournal) throws -> Result
    ) async throws(StoreError) -> Result? {
        try await read(of: party) { database in
            try database.reading {
                guard let key = try database.partyKey(of: party.rawValue) else { return nil }
                return try body(PartyJournal(of: key, in: database))
            }
        }
    }
}

extension SQLSession {
    fileprivate func history(of party: String) throws -> PartyHistory? {
        guard let stored = try self.party(party) else { return nil }
        let journal = PartyJournal(of: stored.key.number, in: self)
        var commands: [LoggedCommand] = []
        var events: [LoggedEvent] = []
        try journal.scan(from: .min) { row, entry in
            let at = WallTime(milliseconds: row.at)
            if let command = entry.command { commands.append(command) }
            events += entry.events.map { LoggedEvent(event: $0, at: at) }
            return .goOn
        }
        return PartyHistory(
            start: try journal.snapshot()?.party, commands: commands, events: events,
            stored: stored)
    }
}

// MARK: Pages of parties

/// Parties, and the last row that was read, sound or not.
struct PartyPage: Sendable {
    var parties: [StoredParty] = []
    var damaged: [(party: PartyID, fault: RowFault)] = []
    var last: (key: Int64, id: String)?
}

extension TableStore {
    /// Decodes the rows where they are read. A corrupt one is reported and omitted.
    func page(
        _ rows: @Sendable (any SQLSession) throws(SQLFailure) -> [PartyRow]
    ) async throws(StoreError) -> PartyPage {
        let page = try await read { database in
            try database.reading {
                var page = PartyPage()
                let found = try rows(database)
                let activities = try database.activityRows(of: found.map(\.key))
                for row in found {
                    do {
                        page.parties.append(
                            try database.stored(row, activities[row.key] ?? []))
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

extension AwakePage {
    init(_ page: PartyPage) {
        self.init(
            parties: page.parties, damaged: page.damaged.map(\.party),
            next: page.last.map { PartyKey(number: $0.key) })
    }
}
