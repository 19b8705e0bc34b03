internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// A row of the journal: what one change of a party contained.
struct JournalEntry: Hashable, Sendable {
    var events: [PartyEvent] = []
    var command: LoggedCommand?
    /// How far the party had been advanced after the change. Replay needs it where no command has
    /// it.
    var through = GameTime.zero
    var decisions: [Decision] = []
    var pushes: [JournalPush] = []
    /// The responses that were noted since the row before.
    var responses: [JournalResponse] = []
}

extension JournalEntry {
    init(_ commit: borrowing PartyCommit) {
        events = commit.events
        command = commit.command
        through = commit.stored.party.adventure?.advancedTo ?? .zero
        decisions = commit.decisions
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
        RowFormat.write(to: &bytes)
        bytes.append(count: entry.events.first?.sequence ?? 0)
        bytes.append(entry.through)
        var flags = Flags()
        flags.append(entry.command != nil)
        flags.append(hasPushes)
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
        try RowFormat.read(&bytes)
        var expected = try bytes.number("first sequence")
        var entry = JournalEntry()
        entry.through = try bytes.gameTime()
        var flags = try bytes.flags(2)
        let (hasCommand, hasPushes) = (flags.next(), flags.next())
        var roster = Roster()
        for _ in 0..<(try bytes.count(max: eventsMax)) {
            let event = try EventFormat.next(
                &bytes, expecting: expected, at: entry.through, &roster)
            entry.events.append(event)
            expected = event.sequence + 1
        }
        if hasCommand { entry.command = try CommandFormat.next(&bytes, roster, packs: packs) }
        let activities: [ActivityID]
        (entry.decisions, activities) = try DecisionFormat.next(&bytes, since: expected)
        if hasPushes {
            (entry.pushes, entry.responses) = try JournalPushFormat.next(&bytes, after: activities)
        }
        try bytes.finish()
        return entry
    }

    /// More than a change can have.
    private static let eventsMax = 1 << 20
}
