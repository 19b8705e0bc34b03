package import GameLogic

/// Adventures that are longer than an activity may live: it rolls over to a new one (A9).
///
/// The old activity continues until the new one has started, so that one is always shown. If none
/// starts, it ends at its own time.
extension ActivityOutbox {
    /// The age at which a new activity is started: as long before the limit as APNs may try to
    /// deliver a start.
    package static let rollOverAgeSeconds = ageMaxSeconds - PendingStart.worthSeconds

    /// Whether the activity is rolling over; it then prevents no new one.
    package var isRollingOver: Bool { rollOver != nil }

    /// Whether a new activity may follow and none has.
    package var awaitsNewCard: Bool { rollOver == .begun && !isEnding }

    /// Returns when the activity reaches that age, unless it has. Without a known device, as for
    /// spectators' activities, none is started: no activity is better than a second one.
    func rollsOverAt(for registration: ActivityRegistration) -> WallTime? {
        guard rollOver == nil, !isEnding, registration.device != nil else { return nil }
        return startedAt.adding(seconds: Self.rollOverAgeSeconds)
    }

    /// Notes that the activity has reached that age. Returns whether it is new.
    package mutating func beginRollOver(
        for registration: ActivityRegistration, now: WallTime
    ) -> Bool {
        guard registration.state.isLiving, let time = rollsOverAt(for: registration), time <= now
        else { return false }
        note(.begun)
        return true
    }

    /// Notes that the new activity is on the device and can receive pushes.
    package mutating func finishRollOver(in party: Party, version: Int64, now: WallTime) {
        guard rollOver == .begun else { return }
        note(.done)
        end(in: party, version: version, now: now)
    }

    /// Returns when the device removes an ended activity: a while after the adventure's end (rule
    /// N5), and at once when a new activity continues it.
    func dismissalDate(endedAt now: WallTime) -> WallTime {
        rollOver == .done ? now : now.adding(seconds: Self.dismissalSeconds)
    }
}
