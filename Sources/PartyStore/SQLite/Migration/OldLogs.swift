internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// A party's events, commands and decisions of schema 6, and their conversion to journal rows.
///
/// The old events do not name the change that contained them. The commands do, so the party is
/// replayed: events up to a command belong to its version, and events committed at one time form
/// one row. Retention can thus fold these rows like all others. When the replay differs, or a row
/// is damaged, only the order is known: the events then get rows before all commands.
struct OldLogs: Sendable {
    let events: [OldRow]
    let commands: [OldRow]
    let decisions: [OldRow]

    /// A row to write.
    struct Row {
        let row: JournalRow
        var isDamaged = false
    }

    private struct Event {
        let event: PartyEvent
        let at: Int64
    }

    private struct Change {
        var version: Int64
        var at: Int64
        var entry: JournalEntry
    }

    /// Returns the journal's rows, always the same and in the same order.
    func rows(of key: Int64, _ stored: StoredParty?) -> [Row] {
        let events = events.compactMap { row in
            row.decode(LegacyJSON.event).map { Event(event: $0, at: row.numbers[1]) }
        }
        let commands = commands.compactMap { row in
            row.decode(LegacyJSON.command).map { (version: row.numbers[0], command: $0) }
        }
        let damaged = damagedRows(of: key)
        var changes: [Change]?
        if damaged.isEmpty, let stored {
            changes = try? Self.played(events, commands, stored)
        }
        var rows = changes ?? Self.ordered(events, commands)
        attachDecisions(to: &rows)
        return damaged
            + rows.map { change in
                var bytes = ByteWriter()
                JournalEntry.write(change.entry, to: &bytes)
                return Row(
                    row: JournalRow(
                        party: key, version: change.version, at: change.at, data: bytes.bytes))
            }
    }

    // MARK: Replay

    private static func played(
        _ events: [Event], _ commands: [(version: Int64, command: LoggedCommand)],
        _ stored: StoredParty
    ) throws -> [Change] {
        var party = Party(id: stored.id)
        var rest = events[...]
        var last: Int64 = 0
        var changes: [Change] = []
        for (version, command) in commands {
            let count = try party.apply(command.command, at: command.time).count
            var part = split(rest.prefix(count), after: last)
            if part.isEmpty {
                let at = changes.last?.at ?? stored.createdAt.milliseconds
                part = [Change(version: 0, at: at, entry: JournalEntry())]
            }
            part[part.count - 1].version = version
            part[part.count - 1].entry.command = command
            part[part.count - 1].entry.through = party.adventure?.advancedTo ?? .zero
            changes += part
            rest = rest.dropFirst(count)
            last = version
        }
        changes += split(rest, after: last)
        return try proven(changes, stored)
    }

    /// Returns the changes, if they are in order and give the stored party.
    private static func proven(_ changes: [Change], _ stored: StoredParty) throws -> [Change] {
        var replay = JournalReplay(from: Party(id: stored.id))
        var last: Int64 = 0
        for change in changes {
            guard change.version > last, change.version <= stored.version else {
                throw ReplayDifference(detail: "there are more changes than versions")
            }
            try replay.play(change.entry)
            last = change.version
        }
        var party = replay.party
        let rest = party.advance(to: stored.party.adventure?.advancedTo ?? .zero)
        guard rest.isEmpty, party == stored.party else {
            throw ReplayDifference(detail: "the stored party is not the replayed one")
        }
        return changes
    }

    /// Returns a row for all events of one time. Changes in between had no events: their versions
    /// are free.
    private static func split(_ events: ArraySlice<Event>, after version: Int64) -> [Change] {
        var changes: [Change] = []
        for event in events {
            if changes.last?.at != event.at {
                let version = version + Int64(changes.count) + 1
                changes.append(Change(version: version, at: event.at, entry: JournalEntry()))
            }
            changes[changes.count - 1].entry.events.append(event.event)
            changes[changes.count - 1].entry.through = event.event.time
        }
        return changes
    }

    // MARK: In order only

    /// Below all existing versions, so that nothing collides.
    private static let firstVersion: Int64 = -1 << 40

    private static func ordered(
        _ events: [Event], _ commands: [(version: Int64, command: LoggedCommand)]
    ) -> [Change] {
        let changes = split(events[...], after: firstVersion)
        return changes
            + commands.map { version, command in
                Change(
                    version: version, at: changes.last?.at ?? 0,
                    entry: JournalEntry(command: command, through: command.time))
            }
    }

    /// Returns rows for unreadable entries: they precede everything, and still read as damaged.
    private func damagedRows(of key: Int64) -> [Row] {
        let damaged =
            events.filter { $0.decode(LegacyJSON.event) == nil }
            + commands.filter { $0.decode(LegacyJSON.command) == nil }
            + decisions.filter { $0.decode(LegacyJSON.decision) == nil }
        return damaged.enumerated().map { offset, row in
            Row(
                row: JournalRow(
                    party: key, version: Self.firstVersion * 2 + Int64(offset), at: 0,
                    data: row.json),
                isDamaged: true)
        }
    }

    // MARK: The ledger

    /// Adds each decision to the row with its event, with its sentence as text.
    private func attachDecisions(to changes: inout [Change]) {
        var index = changes.startIndex
        for row in decisions {
            guard let decision = row.decode(LegacyJSON.decision) else { continue }
            let sequence = decision.decision.sequence
            while let next = changes.indices.dropFirst(index + 1).first(where: {
                !changes[$0].entry.events.isEmpty
            }), changes[next].entry.events[0].sequence <= sequence {
                index = next
            }
            if changes.isEmpty {
                changes.append(Change(version: 0, at: row.numbers[1], entry: JournalEntry()))
            }
            changes[index].entry.decisions.append(decision)
        }
    }
}
