/// What must hold in every run, whatever fails (docs/rules.md, family IN).
package enum Invariant: String, Codable, CaseIterable, Comparable, Sendable {
    case IN1, IN2, IN3, IN4, IN5, IN6, IN7, IN8, IN9, IN10, IN11, IN12, IN13, IN14
    case IN16, IN17, IN18, IN19, IN20, IN21, IN22

    /// The rule in words, as the table in docs/rules.md has it.
    package var rule: String {
        switch self {
        case .IN1:
            "the timestamps of a token's pushes rise, and lead the wall clock by at most 5 s"
        case .IN2: "a token has one push in flight"
        case .IN3: "after an end only the same end follows"
        case .IN4: "a token that was retired gets at most the push that was in flight"
        case .IN5: "priorities, alerts and budgets are those of a second implementation"
        case .IN6: "what a 2xx has acknowledged is there after each start and at calm"
        case .IN7: "versions rise, events have numbers without gaps, and none changes"
        case .IN8: "nothing is shown before it is committed"
        case .IN9: "every queue has its limit"
        case .IN10: "no push leaves before its timestamp is committed"
        case .IN11: "no response is a 5xx but a 503 with Retry-After"
        case .IN12: "the server keeps Apple's manners: pauses, refusals, provider tokens"
        case .IN13: "adventures keep pace with the steady clock, and dates with the wall clock"
        case .IN14: "no error is logged, and no start fails, that no fault explains"
        case .IN16: "at calm every card is true, and every ended one got its end"
        case .IN17: "at calm nothing is left to do"
        case .IN18: "the replay of the journal equals the rows"
        case .IN19: "every task of a drained server has ended, and a run leaves nothing in memory"
        case .IN20: "a push comes twice only if it was in flight at a death"
        case .IN21: "the same plan gives the same trace"
        case .IN22: "nothing reads a real clock, sleeps, draws real numbers or makes a thread"
        }
    }

    package static func < (left: Invariant, right: Invariant) -> Bool {
        Int(left.rawValue.dropFirst(2)) ?? 0 < Int(right.rawValue.dropFirst(2)) ?? 0
    }
}

/// What did not hold, when and how.
package struct Violation: Hashable, Codable, Sendable {
    package var invariant: Invariant
    /// Milliseconds of the world.
    package var at: Int64
    package var words: String

    package init(_ invariant: Invariant, at: Int64, _ words: String) {
        self.invariant = invariant
        self.at = at
        self.words = words
    }
}

/// The violations of a run: of each invariant the first few, and how many there were.
struct Violations {
    private static let eachMax = 8
    private(set) var violations: [Violation] = []
    private(set) var counts: [Invariant: Int] = [:]

    mutating func note(_ invariant: Invariant, at: Int64, _ words: @autoclosure () -> String) {
        counts[invariant, default: 0] += 1
        guard counts[invariant, default: 0] <= Self.eachMax else { return }
        violations.append(Violation(invariant, at: at, words()))
    }
}
