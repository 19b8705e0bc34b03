/// What stands between requests and their host: the breaker and the guard against our own
/// errors. Pure.
struct HostGate: Sendable {
    /// How many of a batch may leave, and how long the others should wait.
    struct Admission: Hashable, Sendable {
        /// Those that may still leave.
        private(set) var count: Int
        let waitMilliseconds: Int64
        /// What the others are told.
        let why: String

        init(count: Int, waitMilliseconds: Int64, why: String) {
            self.count = count
            self.waitMilliseconds = waitMilliseconds
            self.why = why
        }

        /// Whether one more may leave.
        mutating func take() -> Bool {
            guard count > 0 else { return false }
            count -= 1
            return true
        }
    }

    /// Waits differ by up to so much.
    static let spreadMilliseconds: Int64 = 1_000
    private static let slowedWaitMilliseconds: Int64 = 1_000
    private static let inTrouble = "the host fails at everything: it is given a pause"
    private static let slowed = "too many answers are errors: sending is slowed"

    private var breaker = HostBreaker()
    private var errors = ErrorGuard()

    /// How the host does, as far as is known.
    var hostState: APNsClient.HostState {
        if breaker.isOpen { return .inTrouble }
        return errors.isSlowing ? .slowed : .working
    }

    /// How often the host was given a pause.
    var pauses: Int { breaker.openings }

    /// Asks for a batch. When nothing of it leaves after all, say so by `sentNothing`.
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

    /// There is no probe on its way.
    mutating func sentNothing(at now: Int64) { breaker.probeStayed(at: now) }

    /// Hears how a request ended.
    mutating func heard(_ result: RequestResult, at now: Int64) {
        switch result {
        case .success: heardSuccess(at: now)
        case .failure(.refused(let refusal)): answered(status: refusal.status, at: now)
        case .failure(.notSent), .failure(.unknown), .failure(.heldBack):
            breaker.heard(.trouble, at: now)
        case .failure(.notTaken):
            // It may have been the probe: then the next one finds out.
            sentNothing(at: now)
        }
    }

    /// Hears of an answer that is no error.
    mutating func heardSuccess(at now: Int64) { answered(status: 200, at: now) }

    private mutating func answered(status: Int, at now: Int64) {
        breaker.heard(status >= 500 ? .trouble : .alive, at: now)
        errors.heard(status: status, at: now)
    }
}
