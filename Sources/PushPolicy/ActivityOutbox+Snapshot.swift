package import GameLogic

extension ActivityOutbox {
    /// The stored form, which stores write and read, so that the outbox's state stays private.
    package struct Snapshot: Hashable, Sendable {
        package let hero: HeroID
        package let startedAt: WallTime
        package let due: Due?
        package let alert: PendingAlert?
        package let inFlight: InFlightPush?
        package let accepted: Shown?
        package let refused: Refusal?
        package let ending: Due?
        package let isEnded: Bool
        package let rollOver: RollOver?
        package let lastTimestamp: Int64
        package let pausedUntil: WallTime?
        package let deadTokenAt: WallTime?
        package let audience: Audience?
        package let budget: PushBudget.Snapshot

        package init(
            hero: HeroID, startedAt: WallTime, due: Due?, alert: PendingAlert?,
            inFlight: InFlightPush?, accepted: Shown?, refused: Refusal?, ending: Due?,
            isEnded: Bool, rollOver: RollOver?, lastTimestamp: Int64, pausedUntil: WallTime?,
            deadTokenAt: WallTime?, audience: Audience?, budget: PushBudget.Snapshot
        ) {
            self.hero = hero
            self.startedAt = startedAt
            self.due = due
            self.alert = alert
            self.inFlight = inFlight
            self.accepted = accepted
            self.refused = refused
            self.ending = ending
            self.isEnded = isEnded
            self.rollOver = rollOver
            self.lastTimestamp = lastTimestamp
            self.pausedUntil = pausedUntil
            self.deadTokenAt = deadTokenAt
            self.audience = audience
            self.budget = budget
        }
    }

    package var snapshot: Snapshot {
        Snapshot(
            hero: hero, startedAt: startedAt, due: due, alert: alert, inFlight: inFlight,
            accepted: accepted, refused: refused, ending: ending, isEnded: isEnded,
            rollOver: rollOver, lastTimestamp: lastTimestamp, pausedUntil: pausedUntil,
            deadTokenAt: deadTokenAt, audience: audience, budget: budget.snapshot)
    }
}
