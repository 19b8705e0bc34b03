internal import GameLogic
internal import PushPolicy

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

extension JournalEntry {
    /// Returns the decisions with their sentences.
    func ledger(at time: WallTime) -> [LoggedDecision] {
        let first = events.first?.sequence ?? 0
        return decisions.map { decided in
            let decision = decided.decision
            let index = decision.sequence - first
            let kind = events.indices.contains(index) ? events[index].kind : nil
            return LoggedDecision(
                sequence: decision.sequence, activity: decision.activity,
                disposition: decision.disposition, priority: decision.priority,
                carriesAlert: decision.carriesAlert,
                rule: decided.rule ?? decision.rule(for: kind), at: time)
        }
    }
}
