internal import APNsClient
internal import GameLogic
package import PartyStore
package import PushPolicy

/// Hands orders to the sender, and brings back what became of them.
package final class PushDispatcher: Sendable {
    /// How long an activity waits after a push that could not leave, in milliseconds.
    static let notSentDelay: Int64 = 1000
    /// How long a token rests that Apple calls dead since before it was registered, in
    /// milliseconds. How long other refusals rest is the library's to say.
    static let doubtfulTokenDelay: Int64 = 60_000

    /// At most one answer an activity waits here, since one push an activity is in flight.
    package let answers: AsyncStream<PushAnswer>
    private let continuation: AsyncStream<PushAnswer>.Continuation
    /// At most one answer a device waits here, since one start a device is pending.
    package let startAnswers: AsyncStream<StartAnswer>
    let startContinuation: AsyncStream<StartAnswer>.Continuation
    /// At most one broadcast a channel waits here, since one an activity is in flight.
    let broadcasts: AsyncStream<Broadcast>
    let broadcastContinuation: AsyncStream<Broadcast>.Continuation
    let encoding: PushEncoding
    let sender: any PushSender
    /// Where broadcasts go; `nil`: this server has no channels.
    let desk: (any ChannelDesk)?
    let clock: ServerClock
    let metrics: Metrics
    let log: Log

    package init(
        encoding: PushEncoding, sender: any PushSender, desk: (any ChannelDesk)?,
        clock: ServerClock, metrics: Metrics, log: Log
    ) {
        (answers, continuation) = AsyncStream.makeStream()
        (startAnswers, startContinuation) = AsyncStream.makeStream()
        self.encoding = encoding
        (broadcasts, broadcastContinuation) = AsyncStream.makeStream()
        self.sender = sender
        self.desk = desk
        self.clock = clock
        self.metrics = metrics
        self.log = log
    }

    /// Sends the orders of a party's commit.
    package func send(_ orders: [PushOrder], watching party: StoredParty) {
        for order in orders {
            let registration = party.registrations.first { $0.id == order.activity }
            guard let registration, let target = registration.target else {
                answer(order, of: party.record.id, .rejected, dead: nil)
                continue
            }
            switch target {
            case .device(let token):
                send(order, to: registration, token: token, of: party.record.id)
            case .channel(let channel):
                broadcast(order, on: channel, to: registration, of: party.record.id)
            }
        }
    }

    /// The last answer has been given, or comes from a broadcast that is published already.
    package func finishAnswers() {
        broadcastContinuation.finish()
        startContinuation.finish()
    }

    /// No answer comes after this: `publishBroadcasts` has ended.
    func finishPushAnswers() { continuation.finish() }

    private func send(
        _ order: PushOrder, to registration: ActivityRegistration, token: PushToken,
        of party: PartyID
    ) {
        let request: PushRequest
        do {
            request = try encoding.request(for: order, to: registration, token: token)
        } catch {
            metrics.countUnsendable(order.priority)
            log.error(
                "a push cannot be written",
                ["activity": "\(order.activity)", "error": "\(error)"])
            answer(order, of: party, .rejected, dead: nil)
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
            forgive(token, ifDoubtful: outcome, deadToken: dead)
            answer(
                order, of: party, result(of: outcome, deadToken: dead),
                dead: dead.map(DeadTarget.token))
        }
    }

    func answer(
        _ order: PushOrder, of party: PartyID, _ result: PushResult, dead: DeadTarget?
    ) {
        continuation.yield(PushAnswer(party: party, order: order, result: result, dead: dead))
    }

    /// What the policy is told of an outcome.
    func result(of outcome: APNsClient.Outcome, deadToken: DeadToken?) -> PushResult {
        let now = clock.now()
        switch outcome {
        case .accepted: return .accepted
        case .unknown: return .unknown
        case .notSent: return .pause(until: now.adding(milliseconds: Self.notSentDelay))
        case .heldBack(_, let wait): return .pause(until: now.adding(milliseconds: wait))
        case .refused(let refusal) where refusal.action == .dropToken:
            let rest = now.adding(milliseconds: Self.doubtfulTokenDelay)
            return deadToken == nil ? .pause(until: rest) : .tokenIsDead
        case .refused(let refusal): return Self.result(of: refusal.action, at: now)
        }
    }

    /// Only after Apple's own failures the same content has to wait (R8): otherwise what was
    /// refused may go again, or for good must not.
    private static func result(of action: APNsAction, at now: WallTime) -> PushResult {
        guard let delay = action.suggestedDelayMilliseconds else { return .rejected }
        let until = now.adding(milliseconds: delay)
        switch action {
        case .backOffHost, .retryLater: return .retry(notBefore: until)
        case .dropToken, .deadLetter, .fixSettings, .renewProviderToken, .changeProviderKey,
            .newConnection, .backOffDevice, .stopMinting:
            return .pause(until: until)
        }
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

    /// A token that was registered after Apple found it dead gets another try when it has rested.
    func forgive(
        _ token: PushToken, ifDoubtful outcome: APNsClient.Outcome, deadToken: DeadToken?
    ) {
        guard case .refused(let refusal) = outcome, refusal.action == .dropToken, deadToken == nil
        else { return }
        sender.forgive(DeviceToken(hex: token.hex))
    }

    /// `fields` name the activity, or the start.
    func note(_ outcome: APNsClient.Outcome, _ fields: KeyValuePairs<String, String>) {
        switch outcome {
        case .accepted: log.debug("push accepted", fields)
        case .refused(let refusal):
            let answer: KeyValuePairs = [
                "status": "\(refusal.status)", "reason": refusal.reason,
                "action": "\(refusal.action)",
            ]
            if refusal.action.isAlarming {
                log.error("push refused", fields, answer)
            } else {
                log.warning("push refused", fields, answer)
            }
        case .notSent(let why), .heldBack(let why, _):
            log.warning("push not sent", fields, ["why": why])
        case .unknown(let why): log.warning("push of unknown fate", fields, ["why": why])
        }
    }
}
