internal import GameLogic
internal import PushPolicy

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
