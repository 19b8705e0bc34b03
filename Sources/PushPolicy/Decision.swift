package import GameLogic

/// What was decided of one event for one activity: a row of the ledger (B7). It holds no
/// sentence: `rule(for:)` makes it when the ledger is read.
package struct Decision: Hashable, Sendable {
    package enum Disposition: String, Hashable, Sendable, CaseIterable {
        /// A push became due for it.
        case sent
        /// It rides on a push that was due already.
        case merged
        /// It waits: for a token, for a pause, for the clock.
        case deferred
        /// It will not be sent.
        case dropped
    }

    package let sequence: Int
    package let activity: ActivityID
    package let disposition: Disposition
    package let priority: PushPriority
    package let carriesAlert: Bool
    package let notes: Notes
    /// The number that a note on the guard speaks of; 0 elsewhere.
    package let limit: Int

    package init(
        sequence: Int, activity: ActivityID, disposition: Disposition, priority: PushPriority,
        carriesAlert: Bool, notes: Notes, limit: Int = 0
    ) {
        self.sequence = sequence
        self.activity = activity
        self.disposition = disposition
        self.priority = priority
        self.carriesAlert = carriesAlert
        self.notes = notes
        self.limit = limit
    }
}

extension Decision {
    /// The rules that decided, in words: "common loot is low priority (Q1); the card is unchanged
    /// (L13)".
    ///
    /// - Parameter kind: The event's; `nil` when it is not kept any more.
    /// - Returns: The table's sentence on the event, then one part for each note.
    package func rule(for kind: PartyEvent.Kind?) -> String {
        let event = notes.isDisjoint(with: .ofStarts) ? [why(kind)] : []
        return (event + notes.words(limit: limit)).joined(separator: "; ")
    }

    private func why(_ kind: PartyEvent.Kind?) -> String {
        if notes.contains(.forSpectators) { return Rule.Tone.broadcast.why("") }
        return kind.map { Policy.rule(for: $0).why } ?? "the event is not kept any more"
    }
}
