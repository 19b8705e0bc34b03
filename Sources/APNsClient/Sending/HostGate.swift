/// Admits requests to their host: combines the breaker and the guard against our own errors. Pure.
struct HostGate: Sendable {
    /// How many of a batch may be sent, and how long the others should wait.
    struct Admission: Hashable, Sendable {
        /// The requests that may still be sent.
        private(set) var count: Int
        let waitMilliseconds: Int64
        /// The reason reported for the others.
        let why: String

        init(count: Int, waitMilliseconds: Int64, why: String) {
            self.count = count
            self.waitMilliseconds = waitMilliseconds
            self.why = why
        }

        /// Takes one place; returns whether there was one.
        mutating func take() -> Bool {
            guard count > 0 else { return false }
            count -= 1
            return true
        }
    }

    /// Waits vary by up to this time.
    static let spreadMilliseconds: Int64 = 1_000
    private static let slowedWaitMilliseconds: Int64 = 1_000
    private static let inTrouble = "every request to the host fails: sending is paused"
    private static let slowed = "too many responses are errors: sending is slowed"

    private var breaker = HostBreaker()
    private var errors = ErrorGuard()

    /// The host's state, as far as known.
    var hostState: APNsClient.HostState {
        if breaker.isOpen { return .inTrouble }
        return errors.isSlowing ? .slowed : .working
    }

    /// How long the host is to be left alone; 0: a probe may go. `nil`: it takes pushes.
    func pause(at now: Int64) -> Int64? { breaker.wait(at: now) }

    /// Pauses of the host.
    var pauses: Int { breaker.openings }

    /// Admits part of a batch. If nothing of it is sent, call `sentNothing`.
    mutating func admit(_ count: Int, at now: Int64) -> Admission {
        switch breaker.permission(at: now) {
        case .all:
            Admission(
                count: errors.allowance(of: count, at: now),
                waitMilliseconds: Self.slowedWaitMilliseconds, why: Self.slowed)
        case .one(let wait):
            Admission(count: 1, waitMilliseconds: wait, why: Self.inTrouble)
        case .none(let wait):
            Admission(count: 0, waitMilliseconds: wait, why: Self.inTrouble)
        }
    }

    /// Records that no probe is in flight.
    mutating func sentNothing(at now: Int64) { breaker.probeWasNotSent(at: now) }

    /// Records a request's result. `dice` is a random number in 0..<1.
    mutating func record(_ result: RequestResult, at now: Int64, dice: Double) {
        switch result {
        case .success: recordSuccess(at: now)
        case .failure(.refused(let refusal)):
            recordResponse(status: refusal.status, at: now, dice: dice)
        case .failure(.notSent), .failure(.unknown), .failure(.heldBack):
            breaker.record(.trouble, at: now, dice: dice)
        case .failure(.notTaken):
            // It may have been the probe; then the next request probes.
            sentNothing(at: now)
        }
    }

    /// Records a response that is not an error.
    mutating func recordSuccess(at now: Int64) {
        recordResponse(status: 200, at: now, dice: 0)
    }

    private mutating func recordResponse(status: Int, at now: Int64, dice: Double) {
        breaker.record(status >= 500 ? .trouble : .alive, at: now, dice: dice)
        errors.record(status: status, at: now)
    }
}
