internal import PushPolicy

/// What a browser phone's stream writes next. A value: its caller acts.
///
/// It has no queue: one push of an activity is on its way at a time, and what becomes due meanwhile
/// waits in the activity's outbox, where newer content replaces it. A page that reads slowly costs
/// one push.
///
/// | State | `hand` | `next` | `gone` |
/// | --- | --- | --- | --- |
/// | idle | waiting | a heartbeat, if one is due | – |
/// | waiting | – | writing; idle if the push has expired | idle: nobody |
/// | writing | waiting | accepted, then as idle or waiting | idle: lost |
struct PageProgress {
    /// Why the server ends a page's stream; clients get the word.
    enum End: String, CaseIterable, Sendable {
        /// The same activity's stream was opened again: by another tab, or by this page.
        case replaced
        /// The token that opened the stream is no longer valid.
        case token
    }

    static let closedSchema = JSONSchema.named(
        "PageClosed", .fields(["reason": .choice(End.allCases.map(\.rawValue))]))

    /// A push, and who waits for its outcome.
    struct Handed: Sendable {
        let push: PagePush
        let report: @Sendable (PageOutcome) -> Void
    }

    struct Settled: Sendable {
        let handed: Handed
        let outcome: PageOutcome

        func report() { handed.report(outcome) }
    }

    enum Step: Sendable {
        case wait
        case push(PagePush)
        case heartbeat
        case closed(End)
        case end
    }

    private var waiting: Handed?
    /// The client has yet to take all of it.
    private var writing: Handed?
    private var isHeartbeatDue = false
    private var closing: End?
    private var isOver = false

    // MARK: What arrives

    /// Takes a push. Returns what it settles: an earlier one that still waited.
    mutating func hand(_ handed: Handed) -> [Settled] {
        guard !isOver, closing == nil else { return [Settled(handed: handed, outcome: .nobody)] }
        defer { waiting = handed }
        return [settled(waiting, .lost)].compactMap(\.self)
    }

    mutating func beat() { isHeartbeatDue = true }

    mutating func close(_ end: End) { if closing == nil { closing = end } }

    /// Notes that the connection is over.
    mutating func gone() -> [Settled] {
        isOver = true
        defer { (writing, waiting) = (nil, nil) }
        return [settled(writing, .lost), settled(waiting, .nobody)].compactMap(\.self)
    }

    // MARK: What goes

    /// Returns what the client gets now that it has taken all before, and what that settles. `wall`
    /// is the wall clock.
    mutating func next(at wall: WallTime) -> (step: Step, settled: [Settled]) {
        var settled = [settled(writing, .accepted)].compactMap(\.self)
        // Nothing follows an end.
        if writing?.push.isEnd == true { isOver = true }
        writing = nil
        if isOver || closing != nil {
            settled += gone()
            return (closingStep(), settled)
        }
        if let handed = waiting {
            waiting = nil
            if handed.push.expiration >= wall {
                // It also shows that the connection lives.
                isHeartbeatDue = false
                writing = handed
                return (.push(handed.push), settled)
            }
            settled.append(Settled(handed: handed, outcome: .expired))
        }
        guard isHeartbeatDue else { return (.wait, settled) }
        isHeartbeatDue = false
        return (.heartbeat, settled)
    }

    /// The reason once, then the end.
    private mutating func closingStep() -> Step {
        guard let end = closing else { return .end }
        closing = nil
        return .closed(end)
    }

    private func settled(_ handed: Handed?, _ outcome: PageOutcome) -> Settled? {
        handed.map { Settled(handed: $0, outcome: outcome) }
    }
}
