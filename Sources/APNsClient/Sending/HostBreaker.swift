/// Holds requests back while their host fails all of them. Pure, on the steady clock in
/// milliseconds.
///
/// More requests do not help a failing host, and Apple asks senders to back off. Nothing is
/// dropped: the caller learns at once that the request was not sent and when to retry, possibly
/// with newer content.
struct HostBreaker: Sendable {
    /// What one request's outcome shows about the host.
    enum Sign: Hashable, Sendable {
        /// It responded, even with a refusal.
        case alive
        /// A 5xx, no response, or no connection.
        case trouble
    }

    /// How many of a batch may be sent.
    enum Permission: Hashable, Sendable {
        case all
        /// The first one only: its outcome decides about the others.
        case one(waitMilliseconds: Int64)
        case none(waitMilliseconds: Int64)
    }

    /// Opens after this many failures without a success in between…
    static let troublesMin = 20
    /// …that span at least this time, because one lost connection fails thousands at once.
    static let troubleMillisecondsMin: Int64 = 1_000
    /// When to ask again while a probe is in flight.
    static let probeMilliseconds: Int64 = 1_000

    private enum State: Hashable {
        /// Consecutive failures, and when they began.
        case closed(troubles: Int, since: Int64)
        case open(ProbePauses)
    }

    private var state = State.closed(troubles: 0, since: 0)
    /// How often the breaker opened or a probe of it failed.
    private(set) var openings = 0

    /// Whether requests are held back.
    var isOpen: Bool {
        switch state {
        case .closed: false
        case .open: true
        }
    }

    /// Returns how long to wait before asking for a probe; 0: one may go now. `nil`: all may.
    func wait(at now: Int64) -> Int64? {
        guard case .open(let pauses) = state else { return nil }
        let wait = max(0, pauses.nextAt - now)
        return pauses.isProbing ? min(wait, Self.probeMilliseconds) : wait
    }

    /// Returns how many requests may be sent. After `one`, the caller must report the outcome with
    /// `record`.
    mutating func permission(at now: Int64) -> Permission {
        guard case .open(var pauses) = state, let wait = wait(at: now) else { return .all }
        guard pauses.nextAt <= now else { return .none(waitMilliseconds: wait) }
        pauses.probe(at: now)
        state = .open(pauses)
        return .one(waitMilliseconds: Self.probeMilliseconds)
    }

    /// Records a request's outcome. Any response closes an open breaker, also one to a request that
    /// was sent before it opened. `dice` is a random number in 0..<1.
    mutating func record(_ sign: Sign, at now: Int64, dice: Double) {
        switch (sign, state) {
        case (.alive, _):
            state = .closed(troubles: 0, since: now)
        case (.trouble, .closed(let troubles, let since)):
            let began = troubles == 0 ? now : since
            guard troubles + 1 >= Self.troublesMin, now - began >= Self.troubleMillisecondsMin
            else {
                state = .closed(troubles: troubles + 1, since: began)
                return
            }
            openings += 1
            state = .open(ProbePauses(at: now, dice: dice))
        case (.trouble, .open(var pauses)):
            // Failures of requests sent before it opened do not prolong the pause.
            guard pauses.isProbing else { return }
            openings += 1
            pauses.failed(at: now, dice: dice)
            state = .open(pauses)
        }
    }

    /// The probe was not sent; the next batch gets one.
    mutating func probeWasNotSent(at now: Int64) {
        guard case .open(var pauses) = state else { return }
        pauses.didNotProbe(at: now)
        state = .open(pauses)
    }
}
