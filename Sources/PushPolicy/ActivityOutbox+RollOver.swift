package import GameLogic

/// Adventures that are longer than an activity may live: it rolls over to a new one (A9).
///
/// The old activity goes on until the new one is there, and so no minute is without one. If none
/// comes, it ends at its own time.
extension ActivityOutbox {
    /// How old an activity is when a new one is started: as long before its end as a start is
    /// worth trying.
    package static let rollOverAgeSeconds = ageMaxSeconds - PendingStart.worthSeconds

    /// The activity is about to end: it keeps no new one away.
    package var isRollingOver: Bool { rollOver != nil }

    /// A new activity may follow, and none has.
    package var awaitsNewCard: Bool { rollOver == .begun && !isEnding }

    /// When the activity comes of that age, unless it has. Where nobody knows on which device it
    /// is, as of spectators' activities, none is started: one less is better than a second one.
    func rollsOverAt(for registration: ActivityRegistration) -> WallTime? {
        guard rollOver == nil, !isEnding, registration.device != nil else { return nil }
        return startedAt.adding(seconds: Self.rollOverAgeSeconds)
    }

    /// Notes that the activity has come of that age. Returns whether it has just now.
    package mutating func beginRollOver(
        for registration: ActivityRegistration, now: WallTime
    ) -> Bool {
        guard registration.state.isLiving, let time = rollsOverAt(for: registration), time <= now
        else { return false }
        note(.begun)
        return true
    }

    /// The new activity is on the phone, and can be pushed to.
    package mutating func finishRollOver(in party: Party, version: Int64, now: WallTime) {
        guard rollOver == .begun else { return }
        note(.done)
        end(in: party, version: version, now: now)
    }

    /// When the phone takes an ended activity away: a while after the adventure's end (rule N5),
    /// and at once where a new activity shows how it goes on.
    func dismissalDate(endedAt now: WallTime) -> WallTime {
        rollOver == .done ? now : now.adding(seconds: Self.dismissalSeconds)
    }
}
