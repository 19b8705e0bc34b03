/// Holds requests back while their host fails at everything: pure, on the steady clock in
/// milliseconds.
///
/// A host in trouble gets no better by more requests, and Apple asks for patience. Nothing is
/// dropped: whoever sends hears at once that it did not leave, and when to try again; by then
/// there may be newer content. The pause is short, because after an outage everything must be
/// current within a minute (R6).
struct HostBreaker: Sendable {
    /// What one request, or the lack of its answer, says of the host.
    enum Sign: Hashable, Sendable {
        /// It answered, if only to say no.
        case alive
        /// A 5xx, no answer, or no connection.
        case trouble
    }

    /// How many of a batch may go.
    enum Permission: Hashable, Sendable {
        case all
        /// The first only: what becomes of it decides about the others.
        case one(waitMilliseconds: Int64)
        case none(waitMilliseconds: Int64)
    }

    /// So many signs of trouble without one of life in between open it…
    static let troublesMin = 20
    /// …if they come over at least this time: one lost connection takes thousands at once along.
    static let troubleMillisecondsMin: Int64 = 1_000
    /// The first pause; each further one is twice as long.
    static let pauseMilliseconds: Int64 = 2_500
    static let pauseMillisecondsMax: Int64 = 10_000
    /// How soon to ask again while the probe is on its way.
    static let probeMilliseconds: Int64 = 1_000

    private enum State: Hashable {
        /// Troubles in a row, and when they began.
        case closed(troubles: Int, since: Int64)
        case open(until: Int64, pause: Int64)
        /// One request is on its way to find out.
        case probing(pause: Int64)
    }

    private var state = State.closed(troubles: 0, since: 0)
    /// How often it has opened.
    private(set) var openings = 0

    /// Whether requests are held back.
    var isOpen: Bool {
        switch state {
        case .closed: false
        case .open, .probing: true
        }
    }

    /// Asks before sending. Who is given `one` must tell what becomes of it by `heard`.
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

    /// Hears how a request ended. While it is open, any sign of life closes it: an answer to a
    /// request that left earlier is as good as the probe's.
    mutating func heard(_ sign: Sign, at now: Int64) {
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
            // What left before it opened comes to its end; the pause is not prolonged for that.
            break
        }
    }

    /// The probe was not sent after all: the next batch has one.
    mutating func probeStayed(at now: Int64) {
        guard case .probing(let pause) = state else { return }
        state = .open(until: now, pause: pause)
    }

    private mutating func open(for pause: Int64, at now: Int64) {
        openings += 1
        state = .open(until: now + pause, pause: pause)
    }
}
