internal import GameLogic
internal import PartyStore
package import PushPolicy

/// Live Activities of the party.
extension PartyChange {
    package func registration(_ activity: ActivityID) -> ActivityRegistration? {
        stored.activities.first { $0.registration.id == activity }?.registration
    }

    /// Adds a Live Activity to the party, or updates a known one.
    package mutating func register(_ registration: ActivityRegistration) {
        let isKnown = store(registration)
        if !isKnown, registration.recipient == .player { parts.reported.append(registration) }
        PushPlanner.refresh(
            registration.id, party: stored.party, version: stored.version + 1,
            activities: &stored.activities, now: now)
        finishRollOvers(to: registration)
    }

    /// Notes a client's report or the loss of a token. The registration must be known.
    package mutating func update(_ registration: ActivityRegistration) {
        if registration.state.isFinal { noteEnd(of: registration) }
        store(registration)
        if registration.state.isFinal { forgetOldestEnded() }
    }

    /// Retires a token that APNs reports as dead, if it is still the current one and was registered
    /// before `since` (compare-and-delete by the 410's timestamp, A6). A dead channel ends the
    /// spectators' activity.
    package mutating func retire(_ dead: DeadTarget, of activity: ActivityID) {
        guard var registration = registration(activity), registration.target == dead.target
        else { return }
        switch dead {
        case .token(let token):
            if let since = token.since, registration.tokenRegisteredAt >= since { return }
            registration.pushToken = nil
        case .channel: registration.state = .ended
        }
        update(registration)
    }

    /// Removes a Live Activity, so that nothing is pushed to it any more.
    package mutating func remove(_ activity: ActivityID) {
        guard let known = registration(activity) else { return }
        if !known.state.isFinal { noteEnd(of: known) }
        stored.activities.removeAll { $0.registration.id == activity }
        parts.activities.removeAll { $0.id == activity }
        parts.removedActivities.append(activity)
    }

    /// The number of players' activities that may still receive pushes.
    package var livingActivities: Int {
        stored.activities.count { activity in
            guard let outbox = activity.outbox, activity.registration.recipient == .player else {
                return false
            }
            return !outbox.isDone && !activity.registration.state.isFinal
        }
    }

    /// Removes the outboxes of ended activities. Their registrations stay for this adventure, so
    /// that a late token or report from a client is still recognized.
    mutating func forgetEndedOutboxes() {
        for index in stored.activities.indices where stored.activities[index].outbox?.isDone == true
        {
            var ended = stored.activities[index].registration
            stored.activities[index].outbox = nil
            guard !ended.state.isFinal else { continue }
            ended.state = .ended
            update(ended)
        }
    }

    /// Removes the activities of earlier adventures.
    mutating func removeEndedActivities() {
        forgetEndedOutboxes()
        for activity in before.activities where activity.registration.state.isFinal {
            remove(activity.registration.id)
        }
    }

    /// Keeps the registrations of ended activities within their limit.
    private mutating func forgetOldestEnded() {
        let ended = stored.activities.filter(\.registration.state.isFinal)
        guard ended.count > Self.endedActivitiesMax,
            let oldest = ended.first(where: { $0.outbox == nil })
        else { return }
        remove(oldest.id)
    }

    /// Returns whether the activity was already known.
    @discardableResult
    private mutating func store(_ given: ActivityRegistration) -> Bool {
        let registration = given.sharingTexts(of: party)
        parts.activities.removeAll { $0.id == registration.id }
        parts.activities.append(registration)
        parts.removedActivities.removeAll { $0 == registration.id }
        let known = stored.activities.firstIndex { $0.registration.id == registration.id }
        if let known {
            stored.activities[known].registration = registration
            return true
        }
        let outbox =
            registration.state.isFinal
            ? nil
            : ActivityOutbox(
                activity: registration.id, hero: registration.hero,
                startedAt: registration.createdAt)
        stored.activities.append(LiveActivity(registration: registration, outbox: outbox))
        return false
    }
}
