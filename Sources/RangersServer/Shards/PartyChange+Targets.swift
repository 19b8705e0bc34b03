internal import PartyStore
package import PushPolicy

/// Targets of pushes that are of no use any more.
extension PartyChange {
    /// Retires a token that APNs reports as dead, if it is still the current one and was not put
    /// again since the push that shows this (compare-and-delete, A6). A dead channel ends the
    /// spectators' activity.
    package mutating func retire(_ invalid: InvalidTarget, of activity: ActivityID) {
        guard var registration = registration(activity) else { return }
        switch invalid {
        case .token(let dead):
            guard registration.pushToken == dead.token,
                registration.tokenConfirmedAt == dead.confirmedAt
            else { return }
            registration.pushToken = nil
        case .channel(let channel):
            guard registration.channel == channel else { return }
            registration.state = .ended
        }
        update(registration)
    }

    /// Retires the targets that APNs refuses too often, so that their apps are asked for others. An
    /// activity of which it refuses everything ends: its app may start another.
    mutating func giveUpTargets() {
        let refused = stored.activities.indices.filter { stored.activities[$0].givesUpTarget }
        // By id: an update may forget the oldest.
        for id in refused.map({ stored.activities[$0].id }) {
            guard let activity = stored.activities.first(where: { $0.id == id }) else { continue }
            var registration = activity.registration
            registration.pushToken = nil
            if registration.channel != nil || activity.outbox?.isSpent == true {
                registration.state = .ended
            }
            update(registration)
        }
    }
}
