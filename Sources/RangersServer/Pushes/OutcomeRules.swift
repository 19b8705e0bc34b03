internal import APNsClient
internal import GameLogic
internal import PushPolicy

/// Maps an outcome to the actions of the outbox, the token registry and the sending gate.
final class OutcomeRules: Sendable {
    /// How long an activity waits after a push that was not sent, in milliseconds.
    static let notSentDelay: Int64 = 1000
    /// How long a token rests that Apple reports as dead since before it was registered, in
    /// milliseconds. `APNsClient` sets the delays of other refusals.
    static let doubtfulTokenDelay: Int64 = 60_000

    /// How long a start waits for another try while all pushes are paused, in milliseconds.
    static let pausedStartDelay: Int64 = 30_000

    private let senders: PushSenders
    private let counters: PushCounters
    private let log: Log

    init(senders: PushSenders, counters: PushCounters, log: Log) {
        self.senders = senders
        self.counters = counters
        self.log = log
    }

    /// Counts and logs an outcome, and returns what it means.
    func effects(
        of result: ReportedOutcome.Result, _ sent: SentPush, at now: WallTime
    ) -> OutcomeEffects {
        let push = sent.push
        counters.reported(result, of: push, at: now)
        switch result {
        case .reported(let outcome):
            note(outcome, of: sent)
            return effects(of: outcome, push, at: now)
        case .unsendable, .linted:
            return OutcomeEffects(outcome: .rejected, invalid: nil, host: .silent)
        case .paused:
            // The gate holds updates; nothing else would remember a start.
            let delay =
                switch push.recipient {
                case .activity: Self.notSentDelay
                case .device: Self.pausedStartDelay
                }
            return OutcomeEffects(
                outcome: .pause(until: now.adding(milliseconds: delay)), invalid: nil, host: .silent
            )
        case .noChannels:
            return OutcomeEffects(
                outcome: .tokenIsDead, invalid: push.invalidChannel, host: .silent)
        }
    }

    private func effects(
        of outcome: APNsClient.Outcome, _ push: PlannedPush, at now: WallTime
    ) -> OutcomeEffects {
        switch outcome {
        case .accepted:
            return OutcomeEffects(outcome: .accepted, invalid: nil, host: host(of: push))
        case .unknown:
            return OutcomeEffects(outcome: .unknown, invalid: nil, host: .silent)
        case .notSent:
            let until = now.adding(milliseconds: Self.notSentDelay)
            return OutcomeEffects(outcome: .pause(until: until), invalid: nil, host: .silent)
        case .heldBack(_, let wait):
            let until = now.adding(milliseconds: wait)
            return OutcomeEffects(
                outcome: .pause(until: until), invalid: nil,
                host: host(of: push, heldBackUntil: until)
            )
        case .refused(let refusal):
            return effects(of: refusal, push, at: now)
        }
    }

    /// Only devices of the main host share a gate: channels and the sandbox beside it use other
    /// hosts, and are few.
    private func host(of push: PlannedPush) -> OutcomeEffects.Host {
        switch push.target {
        case .device: senders.isAside(push) ? .silent : .responded
        case .channel: .silent
        }
    }

    private func host(
        of push: PlannedPush, heldBackUntil until: WallTime
    ) -> OutcomeEffects.Host {
        guard case .responded = host(of: push), senders.main.hostState == .inTrouble else {
            return .silent
        }
        return .inTrouble(until: until)
    }

    private func effects(
        of refusal: APNsClient.Refusal, _ push: PlannedPush, at now: WallTime
    ) -> OutcomeEffects {
        let host = refusal.status < 500 ? host(of: push) : .silent
        switch push.target {
        case .channel:
            guard refusal.saysChannelIsGone else { break }
            return OutcomeEffects(outcome: .tokenIsDead, invalid: push.invalidChannel, host: host)
        case .device(let token):
            guard refusal.action == .dropToken else { break }
            guard let invalid = push.invalidToken(token, by: refusal) else {
                // It was registered after Apple found it invalid: it gets another try after a rest.
                senders.liftQuarantine(of: DeviceToken(hex: token.hex))
                let rest = now.adding(milliseconds: Self.doubtfulTokenDelay)
                return OutcomeEffects(outcome: .pause(until: rest), invalid: nil, host: host)
            }
            return OutcomeEffects(outcome: .tokenIsDead, invalid: .token(invalid), host: host)
        }
        return OutcomeEffects(
            outcome: PushOutcome(of: refusal.action, at: now), invalid: nil, host: host)
    }

    private func note(_ outcome: APNsClient.Outcome, of sent: SentPush) {
        if case .accepted = outcome, !log.writes(.debug) { return }
        let fields = sent.push.logFields(in: sent.party)
        switch outcome {
        case .accepted: log.debug("push accepted", fields)
        case .refused(let refusal):
            let reason: KeyValuePairs = [
                "status": "\(refusal.status)", "reason": refusal.reason,
                "action": "\(refusal.action)",
            ]
            if refusal.action.isAlarming {
                log.error("push refused", fields, reason)
            } else {
                log.warning("push refused", fields, reason)
            }
        case .notSent(let why), .heldBack(let why, _):
            log.warning("push not sent", fields, ["why": why])
        case .unknown(let why): log.warning("push outcome unknown", fields, ["why": why])
        }
    }
}

extension PushResponse {
    /// The longest reason that is kept; Apple's are shorter.
    private static let reasonLengthMax = 40

    init(of result: ReportedOutcome.Result, at now: WallTime) {
        switch result {
        case .reported(.accepted): self.init(status: 200, reason: "", at: now)
        case .reported(.refused(let refusal)):
            self.init(
                status: refusal.status, reason: String(refusal.reason.prefix(Self.reasonLengthMax)),
                at: now)
        case .reported(.notSent): self.init(.notSent, at: now)
        case .reported(.heldBack): self.init(.heldBack, at: now)
        case .reported(.unknown): self.init(.unknown, at: now)
        case .unsendable: self.init(.unreadable, at: now)
        case .linted: self.init(.linted, at: now)
        case .paused: self.init(.paused, at: now)
        case .noChannels: self.init(.noChannels, at: now)
        }
    }
}

extension PushOutcome {
    /// Delays the same content only after Apple's own failures (PR8): other refused pushes may go
    /// again at once, or never.
    fileprivate init(of action: APNsAction, at now: WallTime) {
        guard let delay = action.suggestedDelayMilliseconds else {
            self = .rejected
            return
        }
        let until = now.adding(milliseconds: delay)
        switch action {
        case .backOffHost, .retryLater: self = .retry(notBefore: until)
        case .dropToken, .deadLetter, .fixSettings, .renewProviderToken, .changeProviderKey,
            .newConnection, .backOffDevice, .stopMinting:
            self = .pause(until: until)
        }
    }
}

extension PlannedPush {
    fileprivate var invalidChannel: InvalidTarget? {
        switch target {
        case .device: nil
        case .channel(let channel): .channel(channel)
        }
    }

    /// Apple reports since when (410): a client may have registered the token again after that.
    fileprivate func invalidToken(
        _ token: PushToken, by refusal: APNsClient.Refusal
    ) -> InvalidToken? {
        let since = refusal.timestamp.map { WallTime(milliseconds: $0) }
        if let since, since <= tokenRegisteredAt { return nil }
        return InvalidToken(token: token, since: since)
    }

    /// Returns the fields that identify the push in the log: its activity, or its start.
    func logFields(in party: PartyID) -> KeyValuePairs<String, String> {
        switch recipient {
        case .activity(let activity): ["activity": activity.rawValue]
        case .device: ["start": contentName(in: party)]
        }
    }
}
