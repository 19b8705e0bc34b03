/// Noting what became of a push.
extension ActivityOutbox {
    /// Notes an outcome. One of a push that is not in flight any more is ignored: it may come late
    /// from before a restart.
    mutating func settle(timestamp: Int64, _ outcome: PushOutcome) {
        guard let inFlight, inFlight.timestamp == timestamp else { return }
        self.inFlight = nil
        switch outcome {
        case .accepted: accept(inFlight)
        case .tokenIsDead:
            deadTokenAt = inFlight.tokenRegisteredAt
            restore(inFlight.content)
        case .rejected: reject(inFlight)
        case .unknown: lose(inFlight)
        case .pause(let until):
            pausedUntil = max(until, pausedUntil ?? until)
            restore(inFlight.content)
        case .retry(let notBefore):
            refuse(inFlight, until: notBefore)
            restore(inFlight.content)
        }
    }

    /// After a restart nobody knows whether Apple took what was in flight.
    mutating func recover() {
        guard let inFlight else { return }
        self.inFlight = nil
        lose(inFlight)
    }

    private mutating func accept(_ push: InFlightPush) {
        refused = nil
        forgetAlert(push)
        accepted =
            push.isOutdated
            ? nil : Shown(card: push.content.card, version: push.content.version)
        // The card of a newer token or language has not had its end.
        if push.form == .end, !push.isOutdated { close() }
    }

    /// Refused for good: the phone keeps what it shows, until there is a newer card. A refused
    /// end leaves nothing newer to say. To a newer token or language the same may still go.
    private mutating func reject(_ push: InFlightPush) {
        guard !push.isOutdated else {
            restore(push.content)
            return
        }
        refuse(push, until: nil)
        forgetAlert(push)
        if push.form == .end { close() }
    }

    /// An outcome of what was sent to an older token says nothing of the newer one.
    private mutating func refuse(_ push: InFlightPush, until: WallTime?) {
        guard !push.isOutdated else { return }
        refused = Refusal(card: push.content.card, form: push.form, until: until)
    }

    /// The phone shows this card or the one before.
    private mutating func lose(_ push: InFlightPush) {
        accepted = nil
        restore(push.content)
    }

    /// What was sent is due again, unless there is something newer, or the phone shows it.
    private mutating func restore(_ content: Due) {
        guard ending == nil, !isEnded else { return }
        due = due?.replacing(content) ?? content
        if due?.card == accepted?.card { due = nil }
    }

    private mutating func forgetAlert(_ push: InFlightPush) {
        if alert?.sequence == push.alertSequence { alert = nil }
    }
}
