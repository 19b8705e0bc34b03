package import GameLogic
package import PushPolicy

/// A row of a party's journal, for readers that tell its story again: what one change contained.
package struct LoggedChange: Hashable, Sendable {
    /// The party's version after the change.
    package let version: Int64
    package let at: WallTime
    package let events: [PartyEvent]
    package let command: LoggedCommand?
    /// How far the adventure had advanced after the change.
    package let through: GameTime
    package let decisions: [Decision]
    package let pushes: [JournalPush]
    /// The responses that were noted since the row before.
    package let responses: [JournalResponse]

    package init(
        version: Int64, at: WallTime, events: [PartyEvent], command: LoggedCommand?,
        through: GameTime, decisions: [Decision], pushes: [JournalPush],
        responses: [JournalResponse]
    ) {
        self.version = version
        self.at = at
        self.events = events
        self.command = command
        self.through = through
        self.decisions = decisions
        self.pushes = pushes
        self.responses = responses
    }
}

/// Rows of a journal in their order, from one state of the file.
package struct JournalPage: Sendable {
    /// The party where its journal was folded; `nil`: never, and the rows are complete.
    package let start: Party?
    /// The version of that party; 0: the journal was never folded.
    package let startVersion: Int64
    package let changes: [LoggedChange]

    package init(start: Party?, startVersion: Int64, changes: [LoggedChange]) {
        self.start = start
        self.startVersion = startVersion
        self.changes = changes
    }
}

extension LoggedChange {
    /// Creates what the journal has of a change; `nil`: it has no row.
    package init?(_ commit: PartyCommit) {
        guard JournalEntry.isNeeded(for: commit) else { return nil }
        let entry = JournalEntry(commit)
        self.init(
            version: commit.stored.version, at: commit.at, events: entry.events,
            command: entry.command, through: entry.through, decisions: commit.decisions,
            pushes: entry.pushes, responses: entry.responses)
    }

    init(_ row: JournalRow, _ entry: JournalEntry) {
        self.init(
            version: row.version, at: WallTime(milliseconds: row.at), events: entry.events,
            command: entry.command, through: entry.through,
            decisions: entry.decisions, pushes: entry.pushes,
            responses: entry.responses)
    }
}
