// What the server and the planner ask.
extension ActivityOutbox {
    /// The activity has had its end, or is gone from the phone: nothing will ever be pushed again,
    /// and the outbox may be removed.
    package var isDone: Bool { isEnded && !isInFlight }

    /// Something has to go out, now or later.
    package var isDue: Bool { due != nil || ending != nil || alert != nil }

    /// Nothing to send and no outcome to wait for.
    package var isQuiet: Bool { !isDue && !isInFlight }

    /// The newest content that was noted here.
    var newestCard: Card? {
        ending?.card ?? due?.card ?? inFlight?.content.card ?? accepted?.card ?? refused?.card
    }

    /// What the phone shows once everything in flight has landed.
    var expectedCard: Card? {
        guard let inFlight else { return accepted?.card }
        return inFlight.isOutdated ? nil : inFlight.content.card
    }

    /// Nothing has been noted here yet.
    var isBlank: Bool {
        accepted == nil && refused == nil && !isContentDue && !isInFlight && !isEnding
    }

    /// Whether pushes may go to the registration's token.
    func hasLivingToken(_ registration: ActivityRegistration) -> Bool {
        registration.hasTarget && registration.tokenRegisteredAt != deadTokenAt
    }

    /// When the next timestamp leads the clock no more than it may.
    var clockAllowsAt: WallTime {
        WallTime(milliseconds: (lastTimestamp + 1 - Self.leadMax) * 1000)
    }

    var tooOldAt: WallTime { startedAt.adding(seconds: Self.ageMaxSeconds) }
}

extension ActivityState {
    /// Whether the activity is still there to be updated (rule L11).
    var isLiving: Bool {
        switch self {
        case .pending, .active, .stale: true
        case .ended, .dismissed: false
        }
    }
}
