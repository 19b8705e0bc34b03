internal import APNsClient
internal import GameLogic
internal import PushPolicy

/// Maps an outcome to the actions of the outbox, the token registry and the sending gate.
final class OutcomeRules: Sendable {
    /// How long an activity waits after a push that was not sent, in milliseconds.
    static let notSentDelay: Int64 = 1000
    /// How long a token rests that Apple reports as dead since before it was put last, and how long
    /// a start whose token was put while Apple did so, in milliseconds. `APNsClient` sets the delays
    /// of other refusals.
    static let doubtfulTokenDelay: Int64 = 60_000

    /// How long a start waits for another try while all pushes are paused, in milliseconds.
    static let pausedStartDelay: Int64 = 30_000

    private let senders: PushSenders
    /// What is known of the hosts, for the gates of all loops.
    let watches: HostWatches
    private let clock: ServerClock
    private let counters: PushCounters
    private let newTokens: NewTokens
    private let watch: PushWatch
    private let log: Log
    private let sabotage: Sabotage?

    init(
        senders: PushSenders, clock: ServerClock, counters: PushCounters, newTokens: NewTokens,
        watch: PushWatch, log: Log, sabotage: Sabotage? = nil
    ) {
        self.senders = senders
        self.clock = clock
        watches = HostWatches(senders, log: log)
        self.counters = counters
        self.newTokens = newTokens
        self.watch = watch
        self.log = log
        self.sabotage = sabotage
    }

    /// Counts and logs an outcome, and returns what it means.
    func effects(
        of result: ReportedOutcome.Result, _ sent: SentPush, at now: WallTime
    ) -> OutcomeEffects {
        let push = sent.push
        counters.reported(result, of: push, at: now)
        watch.note(result, to: sent, at: now)
        if let player = sent.newTokenOf { newTokens.note(result, of: player) }
        switch result {
        case .reported(let outcome):
            note(outcome, of: sent, at: now)
            return effects(of: outcome, push, at: now)
        case .unsendable, .linted, .expired:
            return OutcomeEffects(
                outcome: .rejected, invalid: nil, host: sign(.notTried, of: push))
        case .paused:
            // The gate holds updates; nothing else would remember a start.
            let delay =
                switch push.recipient {
                case .activity: Self.notSentDelay
                case .device: Self.pausedStartDelay
                }
            return OutcomeEffects(
                outcome: .pause(until: now.adding(milliseconds: delay)), invalid: nil,
                host: sign(.notTried, of: push))
        case .held(let until):
            return OutcomeEffects(
                outcome: .pause(until: until), invalid: nil, host: sign(.notTried, of: push))
        case .noChannels:
            return OutcomeEffects(
                outcome: .tokenIsDead, invalid: push.invalidChannel,
                host: sign(.notTried, of: push))
        case .noPage:
            return OutcomeEffects(
                outcome: .tokenIsDead, invalid: push.invalidPage, host: sign(.notTried, of: push))
        }
    }

    private func effects(
        of outcome: APNsClient.Outcome, _ push: PlannedPush, at now: WallTime
    ) -> OutcomeEffects {
        switch outcome {
        case .accepted:
            let again = now.adding(milliseconds: Self.notSentDelay)
            return OutcomeEffects(
                outcome: sabotage == .endlessRetry ? .pause(until: again) : .accepted, invalid: nil,
                host: sign(.accepted, of: push))
        case .unknown:
            return OutcomeEffects(outcome: .unknown, invalid: nil, host: sign(.silent, of: push))
        case .notSent:
            let until = now.adding(milliseconds: Self.notSentDelay)
            return OutcomeEffects(
                outcome: .pause(until: until), invalid: nil, host: sign(.silent, of: push))
        case .heldBack(_, let wait):
            return effects(ofHolding: push, milliseconds: wait, at: now)
        case .refused(let refusal):
            var effects = effects(of: refusal, push, at: now)
            effects.refusal = refusal.ownRefusal
            return effects
        }
    }

    /// The gate holds an update while its host accepts nothing. Nothing would remember a start.
    private func effects(
        ofHolding push: PlannedPush, milliseconds wait: Int64, at now: WallTime
    ) -> OutcomeEffects {
        let host = senders.host(of: push)
        guard let host, watches[host]?.isUnreachable == true else {
            return OutcomeEffects(
                outcome: .pause(until: now.adding(milliseconds: wait)), invalid: nil,
                host: sign(.silent, of: push))
        }
        let delay =
            switch push.recipient {
            case .activity: 0 as Int64
            case .device: Self.pausedStartDelay
            }
        return OutcomeEffects(
            outcome: .pause(until: now.adding(milliseconds: delay)), invalid: nil,
            host: sign(.unreachable, of: push))
    }

    /// A page's outcome shows nothing of Apple's host, but frees its party from trying for all.
    private func sign(_ kind: HostSign.Kind, of push: PlannedPush) -> HostSign {
        switch push.target {
        case .device, .channel: HostSign(host: senders.host(of: push), kind: kind)
        case .page: HostSign(host: senders.isAside(push) ? .sandbox : .main, kind: .notTried)
        }
    }

    /// Returns what a refusal shows of the host.
    private func sign(_ refusal: APNsClient.Refusal, of push: PlannedPush) -> HostSign {
        // The client itself refuses what APNs certainly would: then nothing was sent.
        let host = senders.host(of: push)
        guard let host, refusal.status < 500, watches[host]?.isUnreachable == false else {
            return sign(.silent, of: push)
        }
        let kind = refusal.action.refusalKind
        return HostSign(host: host, kind: kind.map { .refused($0) } ?? .responded)
    }

    private func effects(
        of refusal: APNsClient.Refusal, _ push: PlannedPush, at now: WallTime
    ) -> OutcomeEffects {
        let host = sign(refusal, of: push)
        switch push.target {
        case .channel:
            guard refusal.saysChannelIsGone else { break }
            return OutcomeEffects(outcome: .tokenIsDead, invalid: push.invalidChannel, host: host)
        case .device(let token):
            guard refusal.action == .dropToken else { break }
            guard sabotage != .deadTokenForgotten,
                let invalid = push.invalidToken(token, by: refusal, clock)
            else {
                // It was put after Apple found it invalid: it gets another try after a rest.
                senders.liftQuarantine(of: DeviceToken(hex: token.hex))
                let rest = now.adding(milliseconds: Self.doubtfulTokenDelay)
                return OutcomeEffects(outcome: .pause(until: rest), invalid: nil, host: host)
            }
            return OutcomeEffects(outcome: .tokenIsDead, invalid: .token(invalid), host: host)
        case .page: break
        }
        return OutcomeEffects(
            outcome: PushOutcome(of: refusal.action, at: now), invalid: nil, host: host)
    }

    /// Logs an outcome. Of failures that may concern every push, one a minute: an outage must not
    /// write a line for each push.
    private func note(_ outcome: APNsClient.Outcome, of sent: SentPush, at now: WallTime) {
        if case .accepted = outcome, !log.writes(.debug) { return }
        let fields = sent.push.logFields(in: sent.party)
        switch outcome {
        case .accepted: log.debug("push accepted", fields)
        case .refused(let refusal):
            guard refusal.mayConcernAll else { return log(refusal, fields, others: nil) }
            guard let others = unlogged(sent.push, at: now) else { return }
            log(refusal, fields, others: others)
        case .notSent(let why), .heldBack(let why, _):
            guard let others = unlogged(sent.push, at: now) else { return }
            log.warning("push not sent", fields, ["why": why, "others": "\(others)"])
        case .unknown(let why):
            guard let others = unlogged(sent.push, at: now) else { return }
            log.warning("push outcome unknown", fields, ["why": why, "others": "\(others)"])
        }
    }

    /// Counts a failure. Returns how many came since the last one that was logged; `nil`: this one
    /// is not logged.
    private func unlogged(_ push: PlannedPush, at now: WallTime) -> Int? {
        // Failed broadcasts are few.
        guard let host = senders.host(of: push) else { return 0 }
        return watches[host]?.notesFailure(at: now)
    }

    private func log(
        _ refusal: APNsClient.Refusal, _ fields: KeyValuePairs<String, String>, others: Int?
    ) {
        let reason: KeyValuePairs = [
            "status": "\(refusal.status)", "reason": APNsReason.canonical(refusal.reason),
            "action": "\(refusal.action)", "others": "\(others ?? 0)",
        ]
        if refusal.action.isAlarming {
            log.error("push refused", fields, reason)
        } else {
            log.warning("push refused", fields, reason)
        }
    }
}

extension APNsAction {
    /// What a refusal blames, if it may concern every push; `nil`: this push, its device, or APNs.
    fileprivate var refusalKind: RefusalKind? {
        switch self {
        case .fixSettings, .renewProviderToken, .changeProviderKey, .newConnection, .stopMinting:
            .settings
        case .backOffDevice: .rate
        case .dropToken, .deadLetter, .backOffHost, .retryLater: nil
        }
    }
}

extension APNsClient.Refusal {
    fileprivate var mayConcernAll: Bool { status >= 500 || action.refusalKind != nil }

    /// How the refusal counts among its activity's own: whatever its reason, unless it is APNs'
    /// failure, or blames the rate or the provider token.
    var ownRefusal: OwnRefusal? {
        guard !(500...599).contains(status), status != 429, !blamesProviderToken else {
            return nil
        }
        switch action {
        case .dropToken, .deadLetter, .fixSettings: return .forGood
        case .newConnection, .retryLater: return .forNow
        case .renewProviderToken, .changeProviderKey, .backOffDevice, .stopMinting, .backOffHost:
            return nil
        }
    }

    /// Whether it blames the provider token, which all pushes share.
    private var blamesProviderToken: Bool {
        switch action {
        case .renewProviderToken, .changeProviderKey, .stopMinting: true
        case .fixSettings: reason == "MissingProviderToken"
        case .newConnection: reason == "UnrelatedKeyIdInToken"
        case .dropToken, .deadLetter, .backOffDevice, .backOffHost, .retryLater: false
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
                status: refusal.status,
                reason: String(
                    APNsReason.canonical(refusal.reason).prefix(Self.reasonLengthMax)),
                at: now)
        case .reported(.notSent): self.init(.notSent, at: now)
        case .reported(.heldBack): self.init(.heldBack, at: now)
        case .reported(.unknown): self.init(.unknown, at: now)
        case .unsendable: self.init(.unreadable, at: now)
        case .linted: self.init(.linted, at: now)
        case .paused: self.init(.paused, at: now)
        case .held: self.init(.newToken, at: now)
        case .noChannels: self.init(.noChannels, at: now)
        case .noPage: self.init(.noPage, at: now)
        case .expired: self.init(.expired, at: now)
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
        case .device, .page: nil
        case .channel(let channel): .channel(channel)
        }
    }

    /// The stream that is not open any more.
    fileprivate var invalidPage: InvalidTarget? {
        switch target {
        case .device, .channel: nil
        case .page(let token):
            .token(InvalidToken(token: token, confirmedAt: tokenConfirmedAt))
        }
    }

    /// Apple reports since when (410): a client may have put the token again after that.
    fileprivate func invalidToken(
        _ token: PushToken, by refusal: APNsClient.Refusal, _ clock: ServerClock
    ) -> InvalidToken? {
        let since = refusal.timestamp.map { clock.time(atWall: WallTime(milliseconds: $0)) }
        if let since, since <= tokenConfirmedAt { return nil }
        return InvalidToken(token: token, confirmedAt: tokenConfirmedAt)
    }

    /// Returns the fields that identify the push in the log: its activity, or its start.
    func logFields(in party: PartyID) -> KeyValuePairs<String, String> {
        switch recipient {
        case .activity(let activity): ["activity": activity.rawValue]
        case .device: ["start": contentName(in: party)]
        }
    }
}
