package import GameLogic

/// Decides which activity receives what, at which priority: pure. It works on a party's activities
/// in their one order, and skips ended ones without an outbox.
package enum PushPlanner {
    /// Notes in each outbox how the events changed its content. `version` is the version of the
    /// party's row in this commit, `clock` the adventure's, `wallOffset` the wall clock minus `now`,
    /// in milliseconds.
    ///
    /// Returns exactly one decision for each event and outbox, in the order of the events. Call it
    /// even without events, because the health of a resting party changes.
    package static func plan(
        _ events: [PartyEvent], party: Party, version: Int64, activities: inout [LiveActivity],
        clock: (any AdventureClock)? = nil, now: WallTime, wallOffset: Int64 = 0
    ) -> [Decision] {
        let current = CurrentParty(
            of: party, clock: clock, detailed: activities.anyShowsDetails)
        let step = PolicyStep(
            events: events, current, version: version, now: now, wallOffset: wallOffset)
        var decisions: [Decision] = []
        decisions.reserveCapacity(events.count * activities.count)
        for index in activities.indices { activities[index].note(step, into: &decisions) }
        if step.over != nil { shareEnds(of: &activities) }
        return inOrder(of: events, decisions)
    }

    /// Keeps once what the last contents of the activities have in common.
    private static func shareEnds(of activities: inout [LiveActivity]) {
        let ending = activities.indices.filter { activities[$0].outbox?.last != nil }
        let ends = LastContent.sharing(ending.compactMap { activities[$0].outbox?.last })
        for (index, last) in zip(ending, ends) { activities[index].outbox?.keep(last) }
    }

    /// Sorts decisions by event and then by activity: they arrive by activity.
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

    /// Takes what may be sent now: every activity that is due, has a living token, and has nothing
    /// in flight. Stores the timestamp in the outbox, so commit the row before you send.
    /// `pausedUntil` is the end of a pause of the adventure, `clock` the adventure's, `wallOffset` the
    /// wall clock minus `now`, in milliseconds, `sendingSince` the end of an owner's last pause of all
    /// pushes. Takes at most `limit` pushes, only to activities of `environment` (`nil`: to any).
    package static func release(
        party: Party, activities: inout [LiveActivity], pausedUntil: WallTime? = nil,
        clock: (any AdventureClock)? = nil, only environment: PushEnvironment? = nil,
        limit: Int = .max, now: WallTime, wallOffset: Int64 = 0, sendingSince: WallTime? = nil
    ) -> [PlannedPush] {
        let current = CurrentParty(
            of: party, pausedUntil: pausedUntil, clock: clock,
            detailed: activities.anyShowsDetails, sendingSince: sendingSince)
        var pushes: [PlannedPush] = []
        let order = limit < activities.count ? leastRefused(activities) : []
        for place in activities.indices {
            let index = order.isEmpty ? place : order[place]
            guard activities[index].isFor(environment) else { continue }
            let push = activities[index].release(current, now: now, wallOffset: wallOffset)
            guard let push else { continue }
            if pushes.isEmpty { pushes.reserveCapacity(activities.count - place) }
            pushes.append(push)
            if pushes.count >= limit { break }
        }
        return pushes
    }

    /// Returns the places of the activities, those that APNs has refused least first: an outage's
    /// probes must not use up the refusals that one activity has.
    private static func leastRefused(_ activities: [LiveActivity]) -> [Int] {
        activities.indices.sorted { left, right in
            (activities[left].refusals, left) < (activities[right].refusals, right)
        }
    }

    /// Notes the outcome of the push with this timestamp. An outcome clears only what was sent.
    /// `refusal`: APNs refused this push for itself.
    package static func settle(
        _ outcome: PushOutcome, _ refusal: OwnRefusal? = nil, of activity: ActivityID,
        timestamp: Int64, activities: inout [LiveActivity], now: WallTime
    ) {
        guard let index = Self.index(of: activity, in: activities) else { return }
        activities[index].settle(timestamp: timestamp, outcome, refusal)
        activities[index].outbox?.forgetStaleAlert(at: now)
    }

    /// Notes that a client has registered its activity, perhaps again. If the token or the language
    /// changed, the content, or the end, is due again. `version` is the version of the party's row
    /// in this commit.
    package static func refresh(
        _ activity: ActivityID, party: Party, version: Int64, activities: inout [LiveActivity],
        clock: (any AdventureClock)? = nil, now: WallTime
    ) {
        guard let index = Self.index(of: activity, in: activities) else { return }
        let current = CurrentParty(
            of: party, clock: clock,
            detailed: activities[index].registration.stateVersion == .second)
        let hero = activities[index].registration.hero
        let isOnly = activities.indices.count { activities[$0].registration.hero == hero } == 1
        activities[index].refresh(current, isOnly: isOnly, version: version, now: now)
    }

    /// Notes that a player has acted in the party: earlier alerts no longer count as ignored.
    package static func noteAction(
        of player: PlayerID, activities: inout [LiveActivity], now: WallTime
    ) {
        for index in activities.indices where activities[index].registration.player == player {
            activities[index].outbox?.noteAction(at: now)
        }
    }

    /// Handles a restart: the outcome of a push in flight is unknown, so its content is due again.
    package static func recover(activities: inout [LiveActivity], now: WallTime) {
        for index in activities.indices {
            activities[index].outbox?.recover()
            activities[index].outbox?.forgetStaleAlert(at: now)
        }
        shareEnds(of: &activities)
    }

    /// Returns when the party's activities of an environment must be checked again; `now` or later.
    package static func nextReleaseAt(
        activities: [LiveActivity], only environment: PushEnvironment? = nil, now: WallTime
    ) -> WallTime? {
        var next: WallTime?
        for index in activities.indices where activities[index].isFor(environment) {
            guard let time = activities[index].nextReleaseAt(now: now) else { continue }
            next = min(next ?? time, time)
        }
        return next
    }

    /// Returns whether a push of high priority is owed in that environment: an alert that is not
    /// stale, an end, or an event that cannot wait.
    package static func owesHighPriority(
        activities: [LiveActivity], only environment: PushEnvironment? = nil, now: WallTime
    ) -> Bool {
        activities.indices.contains { index in
            activities[index].isFor(environment)
                && activities[index].outbox?.owesHighPriority(at: now) == true
        }
    }

    /// Finds an activity in place.
    private static func index(of activity: ActivityID, in activities: [LiveActivity]) -> Int? {
        for index in activities.indices where activities[index].registration.id == activity {
            return index
        }
        return nil
    }
}

extension [LiveActivity] {
    fileprivate var anyShowsDetails: Bool {
        // In place: a copy of an activity costs more than the check.
        indices.contains { self[$0].registration.stateVersion == .second }
    }
}
