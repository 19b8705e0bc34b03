/// Hearing what became of a push.
extension ActivityOutbox {
    /// Notes an answer. One to a push that is not in flight any more is ignored: it may come late
    /// from before a restart.
    mutating func settle(timestamp: Int64, _ result: PushResult) {
        guard let flight, flight.timestamp == timestamp else { return }
        self.flight = nil
        switch result {
        case .accepted: accept(flight)
        case .tokenIsDead:
            deadTokenAt = flight.tokenRegisteredAt
            restore(flight.content)
        case .rejected: reject(flight)
        case .unknown: lose(flight)
        case .pause(let until):
            pausedUntil = max(until, pausedUntil ?? until)
            restore(flight.content)
        case .retry(let notBefore):
            refuse(flight, until: notBefore)
            restore(flight.content)
        }
    }

    /// After a restart nobody knows whether Apple took what was in flight.
    mutating func recover() {
        guard let flight else { return }
        self.flight = nil
        lose(flight)
    }

    private mutating func accept(_ flight: Flight) {
        refused = nil
        forgetAlert(flight)
        accepted =
            flight.isOutdated
            ? nil : Shown(card: flight.content.card, version: flight.content.version)
        // The card of a newer token or language has not had its end.
        if flight.form == .end, !flight.isOutdated { close() }
    }

    /// Refused for good: the phone keeps what it shows, until there is a newer card. A refused
    /// end leaves nothing newer to say. To a newer token or language the same may still go.
    private mutating func reject(_ flight: Flight) {
        guard !flight.isOutdated else {
            restore(flight.content)
            return
        }
        refuse(flight, until: nil)
        forgetAlert(flight)
        if flight.form == .end { close() }
    }

    /// An answer to what was sent to an older token says nothing of the newer one.
    private mutating func refuse(_ flight: Flight, until: WallTime?) {
        guard !flight.isOutdated else { return }
        refused = Refusal(card: flight.content.card, form: flight.form, until: until)
    }

    /// The phone shows this card or the one before.
    private mutating func lose(_ flight: Flight) {
        accepted = nil
        restore(flight.content)
    }

    /// What was sent is due again, unless there is something newer, or the phone shows it.
    private mutating func restore(_ content: Due) {
        guard ending == nil, !isEnded else { return }
        due = due?.replacing(content) ?? content
        if due?.card == accepted?.card { due = nil }
    }

    private mutating func forgetAlert(_ flight: Flight) {
        if alert?.sequence == flight.alertSequence { alert = nil }
    }
}
