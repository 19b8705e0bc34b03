/// What a group of rules sees: a sight, read once for all of them.
enum JudgedSight {
    case sent(JudgedPush)
    case reached(JudgedPush, status: Int, reason: String?)
    /// `nil`: the client was told that no response came.
    case answered(JudgedPush, status: Int?, reason: String?)
    case exchange(JudgedExchange)
    case other(Sight)
}

/// A group of rules: it sees all that happens, and notes what must not.
protocol Rules {
    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations)
    /// Judges what only the whole run shows.
    mutating func conclude(in world: Circumstances, _ findings: inout Violations)
}

extension Rules {
    mutating func conclude(in world: Circumstances, _ findings: inout Violations) {}
}
