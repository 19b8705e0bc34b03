package import GameLogic

/// Decides which activity is told of what, and how urgently: pure. It works on a party's
/// activities in their one order, and skips those that have ended and have no outbox.
package enum PushPlanner {
    /// Notes in each outbox what the events changed of its content. `version` is what the party's
    /// row gets in this commit.
    ///
    /// Gives exactly one decision for each event and outbox, in the order of the events. Call it
    /// even without events: a party that rested shows another health.
    package static func plan(
        _ events: [PartyEvent], party: Party, version: Int64, activities: inout [LiveActivity],
        now: WallTime
    ) -> [Decision] {
        let step = ActivityOutbox.Step(events: events, party: party, version: version, now: now)
        var decisions: [Decision] = []
        decisions.reserveCapacity(events.count * activities.count)
        for index in activities.indices { activities[index].note(step, into: &decisions) }
        return inOrder(of: events, decisions)
    }

    /// Those of the first event for all activities, then those of the next one: they come an
    /// activity at a time.
    private static func inOrder(of events: [PartyEvent], _ decisions: [Decision]) -> [Decision] {
        guard events.count > 1, decisions.count > events.count else { return decisions }
        var sorted: [Decision] = []
        sorted.reserveCapacity(decisions.count)
        for event in events.indices {
            for index in stride(from: event, to: decisions.count, by: events.count) {
                sorted.append(decisions[index])
            }
        }
        return sorted
    }

    /// Takes what may leave now: every activity that is due, has a living token, and has nothing
    /// in flight. Stores the timestamp in the outbox, so commit the row before you send.
    package static func release(
        party: Party, activities: inout [LiveActivity], now: WallTime
    ) -> [PlannedPush] {
        let standing = Standing(of: party)
        var pushes: [PlannedPush] = []
        for index in activities.indices {
            guard let push = activities[index].release(standing, now: now) else { continue }
            if pushes.isEmpty { pushes.reserveCapacity(activities.count - index) }
            pushes.append(push)
        }
        return pushes
    }

    /// Notes the outcome of the push with this timestamp. An outcome clears only what was sent.
    package static func settle(
        _ outcome: PushOutcome, of activity: ActivityID, timestamp: Int64,
        activities: inout [LiveActivity], now: WallTime
    ) {
        guard let index = Self.index(of: activity, in: activities) else { return }
        activities[index].outbox?.settle(timestamp: timestamp, outcome)
        activities[index].outbox?.forgetStaleAlert(at: now)
    }

    /// Notes that a client has registered its activity, or has registered it again: the content
    /// is due once more, or its end, if the token or the language is another. `version` is what
    /// the party's row gets in this commit.
    package static func refresh(
        _ activity: ActivityID, party: Party, version: Int64, activities: inout [LiveActivity],
        now: WallTime
    ) {
        guard let index = Self.index(of: activity, in: activities) else { return }
        activities[index].refresh(party: party, version: version, now: now)
    }

    /// After a restart: the outcome of whatever was in flight is unknown, so it is due again.
    package static func recover(activities: inout [LiveActivity], now: WallTime) {
        for index in activities.indices {
            activities[index].outbox?.recover()
            activities[index].outbox?.forgetStaleAlert(at: now)
        }
    }

    /// When the party must be looked at again for its activities' sake; `now` or later.
    package static func nextReleaseAt(activities: [LiveActivity], now: WallTime) -> WallTime? {
        var next: WallTime?
        for index in activities.indices {
            guard let time = activities[index].nextReleaseAt(now: now) else { continue }
            next = min(next ?? time, time)
        }
        return next
    }

    /// Looks at the activities in place.
    private static func index(of activity: ActivityID, in activities: [LiveActivity]) -> Int? {
        for index in activities.indices where activities[index].registration.id == activity {
            return index
        }
        return nil
    }
}
