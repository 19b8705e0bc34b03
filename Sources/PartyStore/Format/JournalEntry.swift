internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// A row of the journal: what one change of a party contained.
///
/// Format 1 ends with the decisions. Format 2 adds the pushes and responses of the change, where
/// there are any.
struct JournalEntry: Hashable, Sendable {
    var events: [PartyEvent] = []
    var command: LoggedCommand?
    /// How far the party had been advanced after the change. Replay needs it where no command has
    /// it.
    var through = GameTime.zero
    var decisions: [JournalDecision] = []
    var pushes: [JournalPush] = []
    /// The responses that were noted since the row before.
    var responses: [JournalResponse] = []

    private static let withPushes: UInt8 = 2
}

/// A decision of the ledger, and its sentence where it can no longer be derived.
struct JournalDecision: Hashable, Sendable {
    let decision: Decision
    /// The sentence as it was written; `nil`: `Decision.rule(for:)` makes it.
    var rule: String?
}

extension JournalEntry {
    init(_ commit: borrowing PartyCommit) {
        events = commit.events
        command = commit.command
        through = commit.stored.party.adventure?.advancedTo ?? .zero
        decisions = commit.decisions.map { JournalDecision(decision: $0) }
        pushes = commit.pushes
        responses = commit.responses
    }

    /// Returns whether the change needs a row; otherwise none is written.
    static func isNeeded(for commit: PartyCommit) -> Bool {
        !commit.events.isEmpty || commit.command != nil || !commit.decisions.isEmpty
            || !commit.pushes.isEmpty || !commit.responses.isEmpty
    }

    static func write(_ commit: PartyCommit, to bytes: inout ByteWriter) {
        write(JournalEntry(commit), to: &bytes)
    }

    static func write(_ entry: JournalEntry, to bytes: inout ByteWriter) {
        let hasPushes = !entry.pushes.isEmpty || !entry.responses.isEmpty
        RowFormat.write(hasPushes ? withPushes : RowFormat.newest, to: &bytes)
        bytes.append(count: entry.events.first?.sequence ?? 0)
        bytes.append(entry.through)
        var flags = Flags()
        flags.append(entry.command != nil)
        bytes.append(flags)
        var roster = Roster()
        bytes.append(count: entry.events.count)
        var expected = entry.events.first?.sequence ?? 0
        for event in entry.events {
            EventFormat.append(
                event, expecting: expected, at: entry.through, &roster, to: &bytes)
            expected = event.sequence + 1
        }
        if let command = entry.command { CommandFormat.append(command, roster, to: &bytes) }
        let activities = DecisionFormat.append(entry.decisions, since: expected, to: &bytes)
        guard hasPushes else { return }
        JournalPushFormat.append(entry.pushes, entry.responses, after: activities, to: &bytes)
    }

    static func read(
        _ row: UnsafeRawBufferPointer, packs: any PackSource
    ) throws(FormatError) -> JournalEntry {
        var bytes = ByteReader(row)
        let format = try RowFormat.read(&bytes, newest: withPushes)
        var expected = try bytes.number("first sequence")
        var entry = JournalEntry()
        entry.through = try bytes.gameTime()
        var flags = try bytes.flags(1)
        var roster = Roster()
        for _ in 0..<(try bytes.count(max: eventsMax)) {
            let event = try EventFormat.next(
                &bytes, expecting: expected, at: entry.through, &roster)
            entry.events.append(event)
            expected = event.sequence + 1
        }
        if flags.next() { entry.command = try CommandFormat.next(&bytes, roster, packs: packs) }
        let activities: [ActivityID]
        (entry.decisions, activities) = try DecisionFormat.next(&bytes, since: expected)
        if format >= withPushes {
            (entry.pushes, entry.responses) = try JournalPushFormat.next(&bytes, after: activities)
        }
        try bytes.finish()
        return entry
    }

    /// More than a change can have.
    private static let eventsMax = 1 << 20
}
