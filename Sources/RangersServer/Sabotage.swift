internal import PartyStore
internal import PushPolicy

/// Faults that a server makes on purpose, each a control of one invariant of the simulation
/// (docs/rules.md), which must find it. `rangers` never sets one.
package enum Sabotage: String, Sendable, Codable, CaseIterable {
    /// IN1: a push has the timestamp of the one before it.
    case stuckTimestamp
    /// IN2: a Live Activity's next push does not wait for the one in flight.
    case overlappingPushes
    /// IN3: a Live Activity gets a push after its end.
    case pushAfterEnd
    /// IN4: a token that was replaced goes on to be used.
    case oldTokenKept
    /// IN4: that a token is dead is forgotten.
    case deadTokenForgotten
    /// IN5: pushes have the other priority.
    case otherPriority
    /// IN7: an event is lost, and its number is missing.
    case lostEvent
    /// IN8: readers see a change before its commit.
    case earlySnapshot
    /// IN9: a queue has no limit.
    case endlessQueue
    /// IN10: a push is sent before its commit.
    case earlyPush
    /// IN11: a request gets a 500.
    case internalError
    /// IN13: parties advance too far.
    case hastyParties
    /// IN14: an error is logged without a reason.
    case errorLine
    /// IN16: what a dead server had in flight stays in flight.
    case inFlightKept
    /// IN16: the response to a push is forgotten.
    case outcomeForgotten
    /// IN17: a push that was accepted is tried again for ever.
    case endlessRetry
    /// IN18: commands are not in the journal.
    case incompleteJournal
    /// IN19: a task goes on after the server's end.
    case endlessTask
    /// IN20: a start sends again what was accepted before.
    case acceptedForgotten
}

extension Sabotage: Error {}

extension Sabotage {
    /// Does what a server that has started does besides.
    func begin(with dependencies: Dependencies) {
        if self == .errorLine { dependencies.log.error("an error without a reason") }
        guard self == .endlessTask else { return }
        // Nothing waits for it, or ends it: that is the fault.
        Task { [clock = dependencies.clock] in
            while true { await clock.sleep(clock.now().adding(seconds: 60), .done) }
        }
    }
}

extension PartyChange {
    /// Lets the adventure run two seconds ahead.
    mutating func hasten() { stored.clock.shift(byMilliseconds: -2000) }
}

extension PartyChange.Finished {
    /// The change as a sabotaged server writes it.
    func distorted(by sabotage: Sabotage) -> PartyChange.Finished {
        var commit = commit
        if sabotage == .incompleteJournal { commit.command = nil }
        if sabotage == .lostEvent, commit.events.count > 1 { commit.events.removeLast() }
        return PartyChange.Finished(
            commit: commit, pushes: pushes, starts: starts, startsReported: startsReported)
    }
}

extension PlannedPush {
    /// Whether it is one of the half of all pushes.
    var isOdd: Bool { timestamp % 2 == 1 }

    /// The push as a sabotaged server writes it.
    func distorted(by sabotage: Sabotage) -> PlannedPush {
        guard case .update = event, alert == nil else { return self }
        if sabotage == .stuckTimestamp { return copy(event, priority, at: timestamp / 64 * 64) }
        if sabotage == .otherPriority {
            return copy(event, priority == .high ? .low : .high, at: timestamp)
        }
        guard sabotage == .pushAfterEnd, isOdd else { return self }
        let dismissal = WallTime(milliseconds: timestamp * 1000)
        return copy(.end(dismissalDate: dismissal), priority, at: timestamp)
    }

    private func copy(_ event: Event, _ priority: PushPriority, at timestamp: Int64) -> PlannedPush
    {
        PlannedPush(
            event: event, recipient: recipient, target: target, environment: environment,
            tokenConfirmedAt: tokenConfirmedAt, content: content, details: details,
            language: language, tells: tells, alert: alert, priority: priority, isFirst: isFirst,
            timestamp: timestamp, staleDate: staleDate, relevanceScore: relevanceScore,
            precedence: precedence, expiration: expiration, contentVersion: contentVersion,
            times: times, alertSequence: alertSequence, payment: payment)
    }
}
