internal import APNsClient
internal import GameLogic
internal import PushPolicy

/// Maps an outcome to the actions of the outbox, the token registry and the sending gate.
struct OutcomeJudge: Sendable {
    /// How long an activity waits after a push that was not sent, in milliseconds.
    static let notSentDelay: Int64 = 1000
    /// How long a token rests that Apple reports as dead since before it was registered, in
    /// milliseconds. `APNsClient` sets the delays of other refusals.
    static let doubtfulTokenDelay: Int64 = 60_000

    let sender: any PushSender
    let counters: PushCounters
    let log: Log

    /// Counts and logs an outcome, and returns what it means.
    func judge(
        _ result: ReportedOutcome.Result, of sent: SentPush, at now: WallTime
    ) -> JudgedOutcome {
        let push = sent.push
        counters.reported(result, of: push, at: now)
        switch result {
        case .reported(let outcome):
            note(outcome, of: sent)
            return judge(outcome, of: push, at: now)
        case .unsendable:
            return JudgedOutcome(outcome: .rejected, dead: nil, host: .silent)
        case .noChannels:
            return JudgedOutcome(outcome: .tokenIsDead, dead: push.deadChannel, host: .silent)
        }
    }

    private func judge(
        _ outcome: APNsClient.Outcome, of push: PlannedPush, at now: WallTime
    ) -> JudgedOutcome {
        switch outcome {
        case .accepted:
            return JudgedOutcome(outcome: .accepted, dead: nil, host: push.answeringHost)
        case .unknown:
            return JudgedOutcome(outcome: .unknown, dead: nil, host: .silent)
        case .notSent:
            let until = now.adding(milliseconds: Self.notSentDelay)
            return JudgedOutcome(outcome: .pause(until: until), dead: nil, host: .silent)
        case .heldBack(_, let wait):
            let until = now.adding(milliseconds: wait)
            return JudgedOutcome(
                outcome: .pause(until: until), dead: nil, host: host(of: push, heldBackUntil: until)
            )
        case .refused(let refusal):
            return judge(refusal, of: push, at: now)
        }
    }

    /// Only devices share a gate: channels use another host, and are few.
    private func host(
        of push: PlannedPush, heldBackUntil until: WallTime
    ) -> JudgedOutcome.Host {
        guard case .device = push.target, sender.hostState == .inTrouble else {
            return .silent
        }
        return .inTrouble(until: until)
    }

    private func judge(
        _ refusal: APNsClient.Refusal, of push: PlannedPush, at now: WallTime
    ) -> JudgedOutcome {
        let host = refusal.status < 500 ? push.answeringHost : .silent
        switch push.target {
        case .channel:
            guard refusal.saysChannelIsGone else { break }
            return JudgedOutcome(outcome: .tokenIsDead, dead: push.deadChannel, host: host)
        case .device(let token):
            guard refusal.action == .dropToken else { break }
            guard let dead = push.deadToken(token, by: refusal) else {
                // It was registered after Apple found it dead: it gets another try after a rest.
                sender.liftQuarantine(of: DeviceToken(hex: token.hex))
                let rest = now.adding(milliseconds: Self.doubtfulTokenDelay)
                return JudgedOutcome(outcome: .pause(until: rest), dead: nil, host: host)
            }
            return JudgedOutcome(outcome: .tokenIsDead, dead: .token(dead), host: host)
        }
        return JudgedOutcome(
            outcome: PushOutcome(of: refusal.action, at: now), dead: nil, host: host)
    }

    private func note(_ outcome: APNsClient.Outcome, of sent: SentPush) {
        if case .accepted = outcome, !log.writes(.debug) { return }
        let fields = sent.push.logFields(in: sent.party)
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
        case .unknown(let why): log.warning("push of unknown outcome", fields, ["why": why])
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
    fileprivate var answeringHost: JudgedOutcome.Host {
        switch target {
        case .device: .answered
        case .channel: .silent
        }
    }

    fileprivate var deadChannel: DeadTarget? {
        switch target {
        case .device: nil
        case .channel(let channel): .channel(channel)
        }
    }

    /// Apple reports since when (410): a client may have registered the token again after that.
    fileprivate func deadToken(
        _ token: PushToken, by refusal: APNsClient.Refusal
    ) -> DeadToken? {
        let since = refusal.timestamp.map { WallTime(milliseconds: $0) }
        if let since, since <= tokenRegisteredAt { return nil }
        return DeadToken(token: token, since: since)
    }

    /// Returns the fields that identify the push in the log: its activity, or its start.
    func logFields(in party: PartyID) -> KeyValuePairs<String, String> {
        switch recipient {
        case .activity(let activity): ["activity": activity.rawValue]
        case .device: ["start": contentName(in: party)]
        }
    }
}
