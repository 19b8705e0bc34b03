internal import APNsClient
internal import GameLogic
internal import PushPolicy

/// A push that was passed to the sender, and its party.
struct SentPush: Sendable {
    let party: PartyID
    let push: PlannedPush
}

/// Pushes that were passed to the sender together, until each has its outcome.
final class SentPushes: Sendable {
    let pushes: [SentPush]

    init(_ pushes: [SentPush]) { self.pushes = pushes }
}

/// The outcome of one push, from APNs or from this server.
struct ReportedOutcome: Sendable {
    enum Result: Sendable {
        case reported(APNsClient.Outcome)
        /// The push could not be encoded.
        case unsendable
        /// A device would not understand the push.
        case linted
        /// All pushes are paused.
        case paused
        /// The push is for a channel, and this server no longer has any.
        case noChannels
    }

    let sent: SentPushes
    let index: Int
    let result: Result
}

/// What an outcome means for the policy, the token registry and all other pushes.
struct OutcomeEffects: Sendable {
    /// What the outcome reveals about the host.
    enum Host: Sendable {
        case responded
        /// Every request fails: send nothing before that time.
        case inTrouble(until: WallTime)
        /// It reveals nothing.
        case silent
    }

    let outcome: PushOutcome
    /// The target to retire, if it is invalid.
    let invalid: InvalidTarget?
    let host: Host
}

/// The outcome of an activity's push, for its outbox.
struct ActivityOutcome: Sendable {
    let activity: ActivityID
    let timestamp: Int64
    let outcome: PushOutcome
    /// For the ledger.
    var response: PushResponse?
}
