internal import GameLogic

/// Decisions on events and their reasons, for the ledger.
extension ActivityOutbox {
    /// What the decisions of one step depend on.
    struct Reasons {
        let step: Step
        let recipient: Recipient
        /// The event whose alert is pending.
        let alerted: Int?
        /// The event that ends the activity.
        let end: Int?
        let wasDue: Bool
        let isContentNew: Bool
        /// Why nothing may be sent now; empty: it may.
        let hold: Decision.Notes
        let hasBudget: Bool

        func isUrgent(_ index: Int) -> Bool { alerted == index || end == index }

        /// Returns whether a push became due for this event, and for none before it.
        func isFirst(_ index: Int) -> Bool {
            index == 0 && !wasDue && alerted == nil && end == nil
        }
    }

    /// Returns the decision on the step's event with this index.
    func decide(_ index: Int, for reasons: Reasons) -> Decision {
        let effect = reasons.step.effects[index]
        let highest = reasons.recipient.highestPriority
        let isUrgent = reasons.isUrgent(index)
        let isDegraded =
            effect.priority == highest && highest == .high && !isUrgent
            && !reasons.hasBudget
        var notes = reasons.recipient.note.union(reasonToMute(index, for: reasons))
        let disposition: Decision.Disposition
        if !isUrgent, !reasons.isContentNew {
            disposition = .dropped
            notes.insert(.unchanged)
        } else if !reasons.hold.isEmpty {
            disposition = .deferred
            notes.formUnion(reasons.hold)
        } else {
            disposition = isUrgent || reasons.isFirst(index) ? .sent : .merged
        }
        if reasons.end == index { notes.insert(.ends) }
        if isDegraded, disposition != .dropped { notes.insert(.overBudget) }
        return Decision(
            sequence: effect.sequence, activity: activity, disposition: disposition,
            priority: isUrgent ? highest : isDegraded ? .low : min(effect.priority, highest),
            carriesAlert: reasons.alerted == index, notes: notes)
    }

    private func reasonToMute(_ index: Int, for reasons: Reasons) -> Decision.Notes {
        guard reasons.alerted != index,
            reasons.step.alerts(reasons.recipient, with: hero, of: index)
        else { return [] }
        return reasons.end == nil ? .mutedByRescue : .mutedByEnd
    }

    func drop(
        _ effects: ArraySlice<Effect>, on recipient: Recipient, because reason: Decision.Notes,
        into decisions: inout [Decision]
    ) {
        for effect in effects {
            decisions.append(
                Decision(
                    sequence: effect.sequence, activity: activity, disposition: .dropped,
                    priority: min(effect.priority, recipient.highestPriority),
                    carriesAlert: false, notes: recipient.note.union(reason)))
        }
    }

    func reasonToDrop(_ registration: ActivityRegistration) -> Decision.Notes? {
        guard registration.state.isLiving else { return .isGone }
        return isEnding ? .hasEnded : nil
    }

    /// Returns why nothing at all may be sent now; empty: it may.
    func reasonToHold(_ registration: ActivityRegistration, at now: WallTime) -> Decision.Notes {
        if !registration.hasTarget { return .waitsForToken }
        if !hasLivingToken(registration) { return .waitsForNewToken }
        if let pausedUntil, pausedUntil > now { return .waitsForPause }
        if clockAllowsAt > now { return .waitsForClock }
        guard let refused, let until = refused.until, until > now, due?.card == refused.card
        else { return [] }
        return .waitsForRetry
    }
}

extension Recipient {
    /// The note that distinguishes decisions for spectators from those for a player.
    fileprivate var note: Decision.Notes {
        switch self {
        case .player: []
        case .spectator: .forSpectators
        }
    }
}
