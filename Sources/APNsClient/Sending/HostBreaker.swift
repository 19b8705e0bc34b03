/// Holds requests back while their host fails all of them. Pure, on the steady clock in
/// milliseconds.
///
/// More requests do not help a failing host, and Apple asks senders to back off. Nothing is
/// dropped: the caller learns at once that the request was not sent and when to retry, possibly
/// with newer content. The pause is short, because everything must be current within a minute after
/// an outage (PR6).
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

    /// Opens after so many failures without a success in between…
    static let troublesMin = 20
    /// …that span at least this time, because one lost connection fails thousands at once.
    static let troubleMillisecondsMin: Int64 = 1_000
    /// The first pause; each further one lasts twice as long.
    static let pauseMilliseconds: Int64 = 2_500
    static let pauseMillisecondsMax: Int64 = 10_000
    /// When to ask again while the probe is in flight.
    static let probeMilliseconds: Int64 = 1_000

    private enum State: Hashable {
        /// Consecutive failures, and when they began.
        case closed(troubles: Int, since: Int64)
        case open(until: Int64, pause: Int64)
        /// One request is in flight as a probe.
        case probing(pause: Int64)
    }

    private var state = State.closed(troubles: 0, since: 0)
    /// How often the breaker opened.
    private(set) var openings = 0

    /// Whether requests are held back.
    var isOpen: Bool {
        switch state {
        case .closed: false
        case .open, .probing: true
        }
    }

    /// Returns how many requests may be sent. After `one`, the caller must report the outcome with
    /// `record`.
    mutating func permission(at now: Int64) -> Permission {
        switch state {
        case .closed:
            return .all
        case .open(let until, _) where now < until:
            return .none(waitMilliseconds: until - now)
        case .open(_, let pause):
            state = .probing(pause: pause)
            return .one(waitMilliseconds: Self.probeMilliseconds)
        case .probing:
            return .none(waitMilliseconds: Self.probeMilliseconds)
        }
    }

    /// Records a request's outcome. Any response closes an open breaker, also one to a request that
    /// was sent before it opened.
    mutating func record(_ sign: Sign, at now: Int64) {
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
            open(for: Self.pauseMilliseconds, at: now)
        case (.trouble, .probing(let pause)):
            open(for: min(pause * 2, Self.pauseMillisecondsMax), at: now)
        case (.trouble, .open):
            // Failures of requests sent before it opened do not prolong the pause.
            break
        }
    }

    /// The probe was not sent; the next batch gets one.
    mutating func probeWasNotSent(at now: Int64) {
        guard case .probing(let pause) = state else { return }
        state = .open(until: now, pause: pause)
    }

    private mutating func open(for pause: Int64, at now: Int64) {
        openings += 1
        state = .open(until: now + pause, pause: pause)
    }
}
