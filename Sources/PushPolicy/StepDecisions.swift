internal import GameLogic

/// The decisions on the events of one step for one activity, for the ledger: what they depend on.
struct StepDecisions {
    let step: PolicyStep
    let activity: ActivityID
    let card: Card
    /// What the card tells after the step.
    let news: News.Mark
    /// Whether a question stands in its place.
    let isHidden: Bool
    /// The event whose alert is pending.
    let alerted: Int?
    /// Why an alert is muted that the player could act on; empty: none is.
    let muted: Decision.Notes
    /// The event that ends the activity.
    let end: Int?
    let wasDue: Bool
    let isContentNew: Bool
    /// Why nothing may be sent now; empty: it may.
    let hold: Decision.Notes
    let hasBudget: Bool

    /// Returns the decision on the step's event with this index.
    func decision(on index: Int) -> Decision {
        let effect = step.effects[index]
        let highest = card.recipient.highestPriority
        let goesAtOnce = goesAtOnce(index)
        let priority = effect.priority(on: card, in: step.current)
        let isDegraded =
            priority == highest && highest == .high && !goesAtOnce && !hasBudget
        var notes = card.recipient.note.union(reasonToMute(index))
        let disposition: Decision.Disposition
        if !goesAtOnce, !isContentNew {
            disposition = .dropped
            notes.insert(.unchanged)
        } else if !hold.isEmpty {
            disposition = .deferred
            notes.formUnion(hold)
        } else {
            disposition = goesAtOnce || isFirst(index) ? .sent : .merged
        }
        if end == index { notes.insert(.ends) }
        if isHidden { notes.insert(.asksInstead) }
        if isDegraded, disposition != .dropped { notes.insert(.overBudget) }
        return Decision(
            sequence: effect.sequence, activity: activity, disposition: disposition,
            priority: goesAtOnce ? highest : isDegraded ? .low : priority,
            carriesAlert: alerted == index, tells: news.told, notes: notes)
    }

    private func reasonToMute(_ index: Int) -> Decision.Notes {
        guard alerted != index, step.alerts(card.recipient, with: card.hero, of: index) else {
            return []
        }
        guard end == nil else { return .mutedByEnd }
        guard let alert = Policy.rule(for: step.events[index].kind).alert else { return [] }
        if step.current.isMoot(alert) { return .mutedByRevival }
        // The newest of several alerts says all.
        guard alerted == nil else { return [] }
        return muted.isEmpty ? .mutedForInability : muted
    }

    private func goesAtOnce(_ index: Int) -> Bool { alerted == index || end == index }

    /// Returns whether a push became due for this event, and for none before it.
    private func isFirst(_ index: Int) -> Bool {
        index == 0 && !wasDue && alerted == nil && end == nil
    }
}

extension Recipient {
    /// The note that distinguishes decisions for spectators from those for a player.
    var note: Decision.Notes {
        switch self {
        case .player: []
        case .spectator: .forSpectators
        }
    }
}
