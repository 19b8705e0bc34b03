// Queries of the server and the planner.
extension ActivityOutbox {
    /// Whether the activity has ended or is gone from the device: nothing will be pushed again, and
    /// the outbox may be removed.
    package var isDone: Bool { isEnded && !isInFlight }

    /// Whether something must be sent, now or later.
    package var isDue: Bool { due != nil || ending != nil || alert != nil }

    /// Whether nothing is to be sent and no outcome is awaited.
    package var isQuiet: Bool { !isDue && !isInFlight }

    /// The newest content noted here.
    var newestCard: Card? {
        ending?.card ?? due?.card ?? inFlight?.content.card ?? accepted?.card ?? refused?.card
    }

    /// What the device shows once everything in flight has arrived.
    var expectedCard: Card? {
        guard let inFlight else { return accepted?.card }
        return inFlight.isOutdated ? nil : inFlight.content.card
    }

    /// Whether nothing has been noted here yet.
    var isBlank: Bool {
        accepted == nil && refused == nil && !isContentDue && !isInFlight && !isEnding
    }

    /// Returns whether pushes may go to the registration's token.
    func hasLivingToken(_ registration: ActivityRegistration) -> Bool {
        registration.hasTarget && registration.tokenRegisteredAt != deadTokenAt
    }

    /// When the next timestamp no longer leads the clock by more than the limit.
    var clockAllowsAt: WallTime {
        WallTime(milliseconds: (lastTimestamp + 1 - Self.leadMax) * 1000)
    }

    var tooOldAt: WallTime { startedAt.adding(seconds: Self.ageMaxSeconds) }
}

extension ActivityState {
    /// Whether the activity can still be updated (rule L11).
    var isLiving: Bool {
        switch self {
        case .pending, .active, .stale: true
        case .ended, .dismissed: false
        }
    }
}
