package import GameLogic
internal import PushPolicy

extension SQLiteStore {
    package func events(
        of party: PartyID, after: Int, limit: Int
    ) async throws(StoreError) -> [LoggedEvent] {
        try await readJournal(of: party) { database, key in
            let start = try database.journalStart(of: key, after: after)
            var events: [LoggedEvent] = []
            try database.scanJournal(of: key, from: start) { row, entry in
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

    package func commands(of party: PartyID) async throws(StoreError) -> [LoggedCommand] {
        try await readJournal(of: party) { database, key in
            var commands: [LoggedCommand] = []
            try database.scanJournal(of: key, from: .min) { _, entry in
                if let command = entry.command { commands.append(command) }
                return .goOn
            }
            return commands
        } ?? []
    }

    package func decisions(
        of party: PartyID, after: Int, limit: Int
    ) async throws(StoreError) -> [LoggedDecision] {
        try await readJournal(of: party) { database, key in
            var page = LedgerPage(after: after, limit: limit)
            let start = try database.journalStart(of: key, after: after)
            try database.scanJournal(of: key, from: start) { row, entry in
                if let event = entry.events.first, page.isComplete(before: event.sequence) {
                    return .stop
                }
                page.add(entry.ledger(at: WallTime(milliseconds: row.at)))
                return .goOn
            }
            return page.decisions
        } ?? []
    }

    package func firstKeptEvent(of party: PartyID) async throws(StoreError) -> Int {
        try await readJournal(of: party) { database, key in
            try database.snapshot(of: key)?.party.nextSequence ?? 1
        } ?? 1
    }

    package func history(of party: PartyID) async throws(StoreError) -> PartyHistory? {
        try await read(of: party) { database in
            try database.reading { try database.history(of: party.rawValue) }
        }
    }

    /// Reads from one state of the file; `nil` when the party does not exist.
    private func readJournal<Result: Sendable>(
        of party: PartyID, _ body: @Sendable (Database, _ key: Int64) throws -> Result
    ) async throws(StoreError) -> Result? {
        try await read(of: party) { database in
            try database.reading {
                guard let key = try database.partyKey(of: party.rawValue) else { return nil }
                return try body(database, key)
            }
        }
    }
}

extension Database {
    fileprivate func history(of party: String) throws -> PartyHistory? {
        guard let stored = try self.party(party) else { return nil }
        let key = stored.key.number
        var commands: [LoggedCommand] = []
        var events: [LoggedEvent] = []
        try scanJournal(of: key, from: .min) { row, entry in
            let at = WallTime(milliseconds: row.at)
            if let command = entry.command { commands.append(command) }
            events += entry.events.map { LoggedEvent(event: $0, at: at) }
            return .goOn
        }
        return PartyHistory(
            start: try snapshot(of: key)?.party, commands: commands, events: events,
            stored: stored)
    }
}

/// A page of the ledger, which never ends within an event.
struct LedgerPage {
    private let after: Int
    private let limit: Int
    private var found: [LoggedDecision] = []

    init(after: Int, limit: Int) {
        self.after = after
        self.limit = max(limit, 1)
    }

    /// Adds a row's decisions. A later decision on the same event and activity replaces the earlier
    /// one.
    mutating func add(_ decisions: [LoggedDecision]) {
        for decision in decisions where decision.sequence > after {
            let known = found.lastIndex {
                $0.sequence == decision.sequence && $0.activity == decision.activity
            }
            if let known { found[known] = decision } else { found.append(decision) }
        }
    }

    /// Returns whether a row whose first event has this number, and all rows after it, have nothing
    /// more for the page. A row may decide on the event before its first: an activity that grows
    /// too old.
    func isComplete(before firstSequence: Int) -> Bool {
        found.count >= limit && firstSequence - 1 > sorted[limit - 1].sequence
    }

    /// In the order of the events, then of the activities.
    var decisions: [LoggedDecision] {
        let sorted = sorted
        guard sorted.count > limit else { return sorted }
        let last = sorted[limit - 1].sequence
        return sorted.filter { $0.sequence <= last }
    }

    private var sorted: [LoggedDecision] {
        found.sorted { ($0.sequence, $0.activity) < ($1.sequence, $1.activity) }
    }
}
