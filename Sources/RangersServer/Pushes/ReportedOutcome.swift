internal import APNsClient
internal import GameLogic
internal import PushPolicy

/// A push that was handed to the sender, and whose it is.
struct SentPush: Sendable {
    let party: PartyID
    let push: PlannedPush
}

/// Pushes that were handed to the sender together, until each has its outcome.
final class SentPushes: Sendable {
    let pushes: [SentPush]

    init(_ pushes: [SentPush]) { self.pushes = pushes }
}

/// What APNs, or the way to it, made of one push.
struct ReportedOutcome: Sendable {
    enum Result: Sendable {
        case reported(APNsClient.Outcome)
        /// It could not be written.
        case unsendable
        /// It is for a channel, and this server has none any more.
        case noChannels
    }

    let sent: SentPushes
    let index: Int
    let result: Result
}

/// What an outcome means to the policy, to the token registry and to everybody else's pushes.
struct JudgedOutcome: Sendable {
    /// What it says of the host.
    enum Host: Sendable {
        case answered
        /// It fails at everything: nothing should be tried before then.
        case inTrouble(until: WallTime)
        /// It says nothing.
        case silent
    }

    let outcome: PushOutcome
    /// What nothing will reach any more.
    let dead: DeadTarget?
    let host: Host
}

/// The outcome of an activity's push, for its outbox.
struct ActivityOutcome: Sendable {
    let activity: ActivityID
    let timestamp: Int64
    let outcome: PushOutcome
}
