internal import GameLogic
package import PushPolicy

/// How many Live Activities a party and each of its players may have at a time.
package enum ActivityLimits {
    /// Four devices per hero.
    package static let partyMax = 4 * Party.sizeMax
    /// So that nobody uses up the activities of others.
    package static let playerMax = 4
    /// The most ended activities that a party keeps in an adventure, and the most whose end is not
    /// sent yet; the oldest goes first.
    package static let endedMax = 4 * Party.sizeMax
    /// The refused registrations that a party's page shows.
    package static let refusedMax = 32

    /// Returns the players' activities that count: those that show the party and are not about to
    /// end. An activity that rolls over and its successor count once, and `new` may be that
    /// successor.
    package static func counted(
        _ activities: [LiveActivity], beside new: ActivityRegistration? = nil
    ) -> [ActivityRegistration] {
        let living = activities.filter { activity in
            activity.registration.recipient == .player && !activity.registration.state.isFinal
                && activity.outbox?.isEnding == false
        }
        var successors = living.filter { $0.outbox?.isRollingOver == false }.map(\.registration)
        if let new { successors.append(new) }
        return living.filter { activity in
            let old = activity.registration
            return activity.outbox?.isRollingOver == false || old.device == nil
                || !successors.contains { $0.hero == old.hero && $0.device == old.device }
        }.map(\.registration)
    }

    /// Returns the oldest activity whose end is not sent yet, if there are too many.
    static func excessEnding(_ activities: [LiveActivity]) -> ActivityID? {
        let ending = activities.filter { activity in
            activity.registration.recipient == .player && activity.outbox?.isEnding == true
        }
        return ending.count > endedMax ? ending.first?.id : nil
    }

    /// Returns the oldest ended activity of which only the registration is left, if there are too
    /// many.
    static func excessEnded(_ activities: [LiveActivity]) -> ActivityID? {
        let ended = activities.filter(\.registration.state.isFinal)
        return ended.count > endedMax ? ended.first { $0.outbox == nil }?.id : nil
    }
}
