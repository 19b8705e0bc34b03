internal import APNsClient
internal import GameLogic
package import PartyStore
package import PushPolicy

/// Hands orders to the sender, and brings back what became of them.
package final class PushDispatcher: Sendable {
    /// How long an activity waits after a push that could not leave, in milliseconds.
    static let notSentDelay: Int64 = 1000
    /// How long a device that gets too many pushes is left in peace, in seconds.
    static let tooManyDelay: Int64 = 60
    /// How long an activity waits after Apple refused our credentials, in seconds: the client
    /// has tried again with fresh ones already.
    static let providerDelay: Int64 = 60
    /// How long an activity waits after Apple refused our settings, in seconds: nothing that we
    /// could send would be taken before an operator has put them right, and then the newest card
    /// must go, or the end.
    static let misconfiguredDelay: Int64 = 5 * 60
    /// When the same content may go again after Apple failed, in seconds (R8).
    static let appleFailedDelay: Int64 = 15 * 60
    /// How long a token rests that Apple calls dead since before it was registered, in seconds.
    static let doubtfulTokenDelay: Int64 = 60

    /// At most one answer an activity waits here, since one push an activity is in flight.
    package let answers: AsyncStream<PushAnswer>
    private let continuation: AsyncStream<PushAnswer>.Continuation
    /// At most one answer a device waits here, since one start a device is pending.
    package let startAnswers: AsyncStream<StartAnswer>
    let startContinuation: AsyncStream<StartAnswer>.Continuation
    let encoding: PushEncoding
    let sender: any PushSender
    let clock: ServerClock
    let metrics: Metrics
    let log: Log

    package init(
        encoding: PushEncoding, sender: any PushSender, clock: ServerClock, metrics: Metrics,
        log: Log
    ) {
        (answers, continuation) = AsyncStream.makeStream()
        (startAnswers, startContinuation) = AsyncStream.makeStream()
        self.encoding = encoding
        self.sender = sender
        self.clock = clock
        self.metrics = metrics
        self.log = log
    }

    /// Sends the orders of a party's commit.
    package func send(_ orders: [PushOrder], watching party: StoredParty) {
        for order in orders {
            let registration = party.registrations.first { $0.id == order.activity }
            guard let registration, let token = registration.pushToken else {
                answer(order, of: party, .rejected, deadToken: nil)
                continue
            }
            send(order, to: registration, token: token, of: party)
        }
    }

    /// No answer comes after this.
    package func finishAnswers() {
        continuation.finish()
        startContinuation.finish()
    }

    private func send(
        _ order: PushOrder, to registration: ActivityRegistration, token: PushToken,
        of party: StoredParty
    ) {
        let request: PushRequest
        do {
            request = try encoding.request(for: order, to: registration, token: token)
        } catch {
            metrics.countUnsendable(order.priority)
            log.error(
                "a push cannot be written",
                ["activity": "\(order.activity)", "error": "\(error)"])
            answer(order, of: party, .rejected, deadToken: nil)
            return
        }
        metrics.add(.pushesInFlight)
        sender.send(request) { [self] outcome in
            metrics.add(.pushesInFlight, -1)
            metrics.count(
                outcome, priority: order.priority, carriesAlert: order.alert != nil,
                dueSince: order.dueSince, now: clock.now())
            note(outcome, ["activity": "\(order.activity)"])
            let dead = Self.deadToken(outcome, token, registeredAt: registration.tokenRegisteredAt)
            answer(order, of: party, result(of: outcome, deadToken: dead), deadToken: dead)
        }
    }

    private func answer(
        _ order: PushOrder, of party: StoredParty, _ result: PushResult, deadToken: DeadToken?
    ) {
        continuation.yield(
            PushAnswer(
                party: party.record.id, order: order, result: result, deadToken: deadToken))
    }

    /// What the policy is told of an outcome.
    func result(of outcome: APNsClient.Outcome, deadToken: DeadToken?) -> PushResult {
        let now = clock.now()
        switch outcome {
        case .accepted: return .accepted
        case .unknown: return .unknown
        case .notSent: return .pause(until: now.adding(milliseconds: Self.notSentDelay))
        case .refused(let refusal):
            switch refusal.action {
            case .dropToken where deadToken == nil:
                return .pause(until: now.adding(seconds: Self.doubtfulTokenDelay))
            case .dropToken: return .tokenIsDead
            case .deadLetter where Self.blamesSettings(refusal):
                return .pause(until: now.adding(seconds: Self.misconfiguredDelay))
            case .deadLetter: return .rejected
            case .backOffDevice: return .pause(until: now.adding(seconds: Self.tooManyDelay))
            case .renewProviderToken, .newConnection, .stopMinting:
                return .pause(until: now.adding(seconds: Self.providerDelay))
            case .retryLater: return .retry(notBefore: now.adding(seconds: Self.appleFailedDelay))
            }
        }
    }

    /// Whether the topic or the credentials are wrong, not this push: any other would fail too.
    private static func blamesSettings(_ refusal: APNsClient.Refusal) -> Bool {
        refusal.status == 403
            || ["BadTopic", "MissingTopic", "TopicDisallowed"].contains(refusal.reason)
    }

    /// Apple says since when (410): a client may have registered the token again after that.
    static func deadToken(
        _ outcome: APNsClient.Outcome, _ token: PushToken, registeredAt: WallTime
    ) -> DeadToken? {
        guard case .refused(let refusal) = outcome, refusal.action == .dropToken else { return nil }
        let since = refusal.timestamp.map { WallTime(milliseconds: $0) }
        if let since, since <= registeredAt { return nil }
        return DeadToken(token: token, since: since)
    }

    /// `fields` name the activity, or the start.
    func note(_ outcome: APNsClient.Outcome, _ fields: KeyValuePairs<String, String>) {
        switch outcome {
        case .accepted: log.debug("push accepted", fields)
        case .refused(let refusal):
            log.warning(
                "push refused", fields,
                [
                    "status": "\(refusal.status)", "reason": refusal.reason,
                    "action": "\(refusal.action)",
                ])
        case .notSent(let why): log.warning("push not sent", fields, ["why": why])
        case .unknown(let why): log.warning("push of unknown fate", fields, ["why": why])
        }
    }
}
