internal import GameLogic
package import PartyStore
package import PushPolicy

/// When a party is due, as far as its row tells.
extension StoredParty {
    /// Returns when the party is due next, as far as is known now; `nil`: not before a request or
    /// an outcome arrives.
    package func dueAt(now: WallTime) -> WallTime? {
        dueAt(pushes: pushDueAt(now: now), now: now)
    }

    /// Returns when the party is due next, if its pushes are due at that time.
    func dueAt(pushes: WallTime?, now: WallTime) -> WallTime? {
        guard !hasUnnotedEnd else { return now }
        return earlier(earlier(adventureDueAt, readyCheckDueAt(now: now)), pushes)
    }

    /// When the party's ready check ends.
    private func readyCheckDueAt(now: WallTime) -> WallTime? {
        guard let check = party.readyCheck else { return nil }
        return readyCheckOver(at: now) == nil ? WallTime(milliseconds: check.plan.endsAt) : now
    }

    /// When the adventure advances or ends next.
    package var adventureDueAt: WallTime? {
        party.nextChangeAt.map { next in
            let time = clock.wallTime(of: next)
            return min(time, clock.endsAt ?? time)
        }
    }

    /// Returns when a push may be sent.
    package func pushDueAt(now: WallTime) -> WallTime? {
        PushPlanner.nextReleaseAt(activities: activities, now: now)
    }

    /// Returns whether a start of the server must load the party.
    func isAwake(at now: WallTime) -> Bool {
        party.isOnAdventure || dueAt(now: now) != nil
            || activities.indices.contains { activities[$0].outbox?.isInFlight == true }
    }

    /// Returns what `body` does, in place: to read a property of a party that an object holds would
    /// copy the party, and count all its references.
    mutating func inPlace<Value>(_ body: (inout StoredParty) -> Value) -> Value { body(&self) }

    /// Whether the party has no scheduled work, so that it may be evicted.
    var isSettled: Bool {
        !party.isOnAdventure && party.readyCheck == nil
            && activities.indices.allSatisfy { activities[$0].outbox?.isSettled ?? true }
    }

    /// The activity behind the party's channel, while its content still changes.
    package var spectators: ActivityRegistration? {
        activities.first { activity in
            guard let outbox = activity.outbox else { return false }
            let registration = activity.registration
            return registration.recipient == .spectator && !registration.state.isFinal
                && !outbox.isEnding
        }?.registration
    }

    /// Makes pushes in flight due again, because their outcomes are unknown.
    mutating func recover(at now: WallTime) {
        PushPlanner.recover(activities: &activities, now: now)
    }

    /// Whether the spectators' activity has ended and the channel's row does not record it yet. The
    /// row must record it, so that the channel is deleted in time.
    var hasUnnotedEnd: Bool {
        // In place: every change checks this, and a copy of an activity costs more than the check.
        activities.indices.contains { index in
            activities[index].registration.channel != nil
                && activities[index].outbox?.isDone == true
                && !activities[index].registration.state.isFinal
        }
    }
}

/// Returns the earlier of two optional times.
func earlier(_ one: WallTime?, _ other: WallTime?) -> WallTime? {
    guard let one else { return other }
    guard let other else { return one }
    return min(one, other)
}
