internal import APNsClient
internal import GameLogic
internal import PushPolicy

/// A push that was passed to the sender, and its party.
struct SentPush: Sendable {
    let party: PartyID
    let push: PlannedPush
    /// The player of a token to which APNs has accepted no push yet.
    var newTokenOf: PlayerID?
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
        /// First pushes to the player's tokens wait.
        case held(until: WallTime)
        /// The push is for a channel, and this server no longer has any.
        case noChannels
        /// The push is for a page that is not open.
        case noPage
        /// The push has expired before its page took it.
        case expired
    }

    let sent: SentPushes
    let index: Int
    let result: Result
}

extension ReportedOutcome.Result {
    /// What became of a push that was handed to a page. Written to its socket, it is accepted.
    init(_ outcome: PageOutcome) {
        switch outcome {
        case .accepted: self = .reported(.accepted(apnsUniqueID: nil))
        case .lost: self = .reported(.unknown("the page went meanwhile"))
        case .nobody: self = .noPage
        case .expired: self = .expired
        }
    }
}

/// What an outcome means for the policy, the token registry and all other pushes.
struct OutcomeEffects: Sendable {
    let outcome: PushOutcome
    /// `nil`: APNs has not refused this push for itself.
    var refusal: OwnRefusal?
    /// The target to retire, if it is invalid.
    let invalid: InvalidTarget?
    let host: HostSign
}

/// What an outcome shows of the host that its push was for.
struct HostSign: Sendable {
    enum Kind: Sendable {
        case accepted
        /// It responded, and the response concerns this push only.
        case responded
        /// It refused the push for a reason that may concern every push.
        case refused(RefusalKind)
        /// Nothing gets through.
        case unreachable
        /// Nothing.
        case silent
        /// Nothing: the push did not leave the server.
        case notTried
    }

    /// `nil`: another host, which has no gate.
    let host: PushHost?
    let kind: Kind
}

/// The outcome of an activity's push, for its outbox.
struct ActivityOutcome: Sendable {
    let activity: ActivityID
    let timestamp: Int64
    var outcome: PushOutcome
    var refusal: OwnRefusal?
    /// For the ledger.
    var response: PushResponse?
}
