internal import GameLogic

/// A party's Live Activity: what its client registered, and what it is owed.
package struct LiveActivity: Hashable, Sendable {
    package var registration: ActivityRegistration
    /// `nil` once it has ended: only its registration stays, for this adventure, so that a late
    /// token or report from a client is still recognized.
    package var outbox: ActivityOutbox?

    package init(registration: ActivityRegistration, outbox: ActivityOutbox?) {
        self.registration = registration
        self.outbox = outbox
    }

    package var id: ActivityID { registration.id }
}

extension LiveActivity {
    /// Returns whether the activity's pushes go to that environment; `nil`: to any.
    func isFor(_ environment: PushEnvironment?) -> Bool {
        environment == nil || registration.environment == environment
    }
}

// An outbox and the registration passed to it: disjoint parts of one value.
extension LiveActivity {
    mutating func note(_ step: PolicyStep, into decisions: inout [Decision]) {
        outbox?.note(step, for: registration, into: &decisions)
    }

    mutating func release(
        _ current: CurrentParty, now: WallTime, wallOffset: Int64
    ) -> PlannedPush? {
        outbox?.release(current, to: registration, now: now, wallOffset: wallOffset)
    }

    mutating func refresh(
        _ current: CurrentParty, isOnly: Bool, version: Int64, now: WallTime
    ) {
        outbox?.refresh(for: registration, current, isOnly: isOnly, version: version, now: now)
    }

    mutating func settle(timestamp: Int64, _ outcome: PushOutcome, _ refusal: OwnRefusal?) {
        outbox?.settle(timestamp: timestamp, outcome, refusal, for: registration)
    }

    /// How often APNs has refused the activity's own pushes.
    var refusals: Int { outbox?.setbacks.refusals.marks.count ?? 0 }

    /// Whether the activity's target is to be given up: APNs refuses it too often.
    package var givesUpTarget: Bool { outbox?.givesUp(registration) ?? false }

    func nextReleaseAt(now: WallTime) -> WallTime? {
        outbox?.nextReleaseAt(for: registration, now: now)
    }
}
