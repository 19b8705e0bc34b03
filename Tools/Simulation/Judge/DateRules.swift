/// IN13, dates of pushes: they are those of the wall clock.
struct DateRules: Rules {
    /// A card of a running adventure becomes stale after so long without a push; in a slow one
    /// later.
    static let staleMax: Int64 = 60 * 60
    /// The ends' dismissal, in seconds: at once, usual, after a victory.
    static let dismissals: [Int64] = [0, 15 * 60, 30 * 60]
    /// A timestamp is assigned with the commit that makes a push due, and may wait through a gap.
    private static let toleranceSeconds: Int64 = 4

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        guard case .sent(let push) = scene, push.isLiveActivity else { return }
        guard !world.steppedBetween(world.now - world.watch, world.now) else { return }
        let wall = world.wall / 1000
        let slack = Self.toleranceSeconds + world.driftMax / 1000
        if let stale = push.staleDate {
            let ahead = stale - wall
            // A question's end may have come just now; the next push takes it away.
            // A phone takes no date before the timestamp, which leads a clock that was set back.
            let lead = (push.timestamp ?? wall) - wall
            if ahead > max(Self.staleMax, lead) + slack || ahead < -slack - 60 {
                findings.note(
                    .IN13, at: world.now,
                    "\(push.card) becomes stale \(ahead) s from now by the wall clock")
            }
        }
        if push.isEnd {
            let ahead = push.dismissalDate.map { $0 - wall }
            let isRight = Self.dismissals.contains { abs((ahead ?? .min / 2) - $0) <= slack + 30 }
            if !isRight {
                findings.note(
                    .IN13, at: world.now,
                    "the end of \(push.card) dismisses it \(ahead.map(String.init) ?? "at no time") s from now"
                )
            }
        }
    }
}
