internal import GameLogic

/// The state of an outbox: what is due, what is in flight, and the pending alert.
///
/// The table above `ActivityOutbox` shows its transitions.
struct OutboxState: Hashable, Sendable {
    private var state: State

    /// Each outbox lies in its party's array, which is copied before each change: only transient
    /// states keep their values in a box of their own.
    private enum State: Hashable, Sendable {
        /// The device shows the newest content, or none is known.
        case idle
        /// The same, but the alert of that content is pending.
        indirect case alerting(PendingAlert)
        indirect case due(DueContent, PendingAlert?)
        /// An alert in flight stays pending, because it may have to go again.
        indirect case inFlight(InFlightPush, next: DueContent?, PendingAlert?)
        /// The last content, once the adventure is over for this hero.
        case ending(LastContent)
        indirect case endingAfter(InFlightPush, DueContent)
        indirect case endInFlight(InFlightPush)
        /// Nothing remains to be sent, now or ever.
        case ended
        indirect case endedAfter(InFlightPush)
    }

    /// Nothing is due.
    init() { state = .idle }

    /// Restores a snapshot. Of parts that exclude each other, keeps those of the later state.
    init(_ snapshot: OutboxSnapshot) {
        guard let push = snapshot.inFlight else {
            state =
                snapshot.isEnded
                ? .ended
                : snapshot.ending.map { .ending(LastContent($0)) }
                    ?? Self.resting(due: snapshot.due, snapshot.alert)
            return
        }
        if snapshot.isEnded {
            state = .endedAfter(push)
        } else if push.form == .end {
            state = .endInFlight(push)
        } else {
            state =
                snapshot.ending.map { .endingAfter(push, $0) }
                ?? .inFlight(push, next: snapshot.due, snapshot.alert)
        }
    }

    /// Returns the state with nothing in flight and no end due.
    private static func resting(due: DueContent?, _ alert: PendingAlert?) -> State {
        if let due { return .due(due, alert) }
        return alert.map { .alerting($0) } ?? .idle
    }
}

extension OutboxState {
    /// The content to send next, besides what is in flight.
    var due: DueContent? {
        switch state {
        case .due(let content, _), .inFlight(_, next: let content?, _): content
        case .idle, .alerting, .inFlight, .ending, .endingAfter, .endInFlight, .ended,
            .endedAfter:
            nil
        }
    }

    /// Whether content is to be sent next, besides an alert and what is in flight.
    var isContentDue: Bool {
        switch state {
        case .due, .inFlight(_, next: .some, _): true
        case .idle, .alerting, .inFlight, .ending, .endingAfter, .endInFlight, .ended,
            .endedAfter:
            false
        }
    }

    /// The pending alert, until it is delivered or no longer applies.
    var alert: PendingAlert? {
        switch state {
        case .alerting(let alert): alert
        case .due(_, let alert), .inFlight(_, next: _, let alert): alert
        case .idle, .ending, .endingAfter, .endInFlight, .ended, .endedAfter: nil
        }
    }

    var inFlight: InFlightPush? {
        switch state {
        case .inFlight(let push, next: _, _), .endingAfter(let push, _), .endInFlight(let push),
            .endedAfter(let push):
            push
        case .idle, .alerting, .due, .ending, .ended: nil
        }
    }

    /// The last content, until its outcome is known.
    var ending: DueContent? {
        switch state {
        case .ending(let last): last.due
        case .endingAfter(_, let last): last
        case .endInFlight(let push): push.due
        case .idle, .alerting, .due, .inFlight, .ended, .endedAfter: nil
        }
    }

    var isEnded: Bool {
        switch state {
        case .ended, .endedAfter: true
        case .idle, .alerting, .due, .inFlight, .ending, .endingAfter, .endInFlight: false
        }
    }

    /// Whether the end is due or was sent: nothing new will be shown.
    var isEnding: Bool {
        switch state {
        case .ending, .endingAfter, .endInFlight, .ended, .endedAfter: true
        case .idle, .alerting, .due, .inFlight: false
        }
    }

    var isInFlight: Bool {
        switch state {
        case .inFlight, .endingAfter, .endInFlight, .endedAfter: true
        case .idle, .alerting, .due, .ending, .ended: false
        }
    }
}

extension OutboxState {
    /// Makes this content due in place of any other; `nil`: none.
    mutating func owe(_ content: DueContent?) {
        switch state {
        case .idle, .alerting, .due: state = Self.resting(due: content, alert)
        case .inFlight(let push, next: _, let alert):
            state = .inFlight(push, next: content, alert)
        case .ending, .endingAfter, .endInFlight, .ended, .endedAfter: break
        }
    }

    /// Keeps this alert pending in place of any other; `nil`: none.
    mutating func remember(_ alert: PendingAlert?) {
        switch state {
        case .idle, .alerting, .due: state = Self.resting(due: due, alert)
        case .inFlight(let push, next: let next, _):
            state = .inFlight(push, next: next, alert)
        case .ending, .endingAfter, .endInFlight, .ended, .endedAfter: break
        }
    }

    /// Makes the last content due, and drops everything else.
    mutating func end(with last: DueContent) {
        switch state {
        case .idle, .alerting, .due: state = .ending(LastContent(last))
        case .inFlight(let push, next: _, _): state = .endingAfter(push, last)
        case .ending, .endingAfter, .endInFlight, .ended, .endedAfter: break
        }
    }

    /// The last content, if it is all that is kept.
    var last: LastContent? {
        guard case .ending(let last) = state else { return nil }
        return last
    }

    /// Keeps the last content in another form.
    mutating func keep(_ last: LastContent) {
        if case .ending = state { state = .ending(last) }
    }

    /// Ends the outbox: nothing remains to be sent, now or ever.
    mutating func close() { state = inFlight.map { .endedAfter($0) } ?? .ended }

    /// Puts a push in flight. No other may be in flight.
    mutating func launch(_ push: InFlightPush) {
        switch push.form {
        case .update: state = .inFlight(push, next: nil, alert)
        case .end: state = .endInFlight(push)
        }
    }

    /// Notes that the token or the language of the push in flight is no longer current.
    mutating func outdatePush() {
        switch state {
        case .inFlight(let push, next: let next, let alert):
            state = .inFlight(push.outdated, next: next, alert)
        case .endingAfter(let push, let last): state = .endingAfter(push.outdated, last)
        case .endInFlight(let push): state = .endInFlight(push.outdated)
        case .idle, .alerting, .due, .ending, .ended, .endedAfter: break
        }
    }

    /// Leaves nothing in flight, and keeps everything else that is owed.
    mutating func land() {
        switch state {
        case .inFlight(_, next: let next, let alert): state = Self.resting(due: next, alert)
        case .endingAfter(_, let last): state = .ending(LastContent(last))
        case .endInFlight(let push): state = .ending(LastContent(push.due))
        case .endedAfter: state = .ended
        case .idle, .alerting, .due, .ending, .ended: break
        }
    }
}
