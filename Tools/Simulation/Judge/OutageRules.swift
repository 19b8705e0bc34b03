/// IN12, outages: while every push fails, they leave one at a time, with pauses that grow.
struct OutageRules: Rules {
    /// So many pushes that failed in a row, over so long, are an outage (`docs/reference/operations.md`).
    static let failuresMin = 20
    static let spanMin: Int64 = 3000
    /// The most pushes that leave in a window then: tries, and what was on its way.
    static let window: Int64 = 10_000
    static let pushesMax = 7

    /// By their ids: a client repeats what Apple has not processed.
    private var failures: Set<String> = []
    private var since: Int64 = 0
    private var left: [(id: String, at: Int64)] = []
    private var isNoted = false

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        switch scene {
        case .answered(_, status: let status?, let reason)
        where status < 500 && !MannerRules.ofAllPushes.contains(reason ?? ""):
            end()
        case .answered(let push, status: _, reason: _) where push.seen.isToDevice:
            if failures.isEmpty { since = world.now }
            failures.insert(push.seen.apnsID)
        case .other(.starting): end()
        case .sent(let push) where push.seen.isToDevice:
            guard failures.count >= Self.failuresMin, world.now - since > Self.spanMin,
                !left.contains(where: { $0.id == push.seen.apnsID })
            else { return }
            left.append((push.seen.apnsID, world.now))
            left.removeAll { $0.at <= world.now - Self.window }
            guard left.count > Self.pushesMax, !isNoted else { return }
            isNoted = true
            findings.note(
                .IN12, at: world.now,
                """
                \(left.count) pushes have left within \((world.now - left[0].at) / 1000) s, the \
                last one for \(push.card), while \(failures.count) in a row have failed for \
                \((world.now - since) / 1000) s
                """)
        case .sent, .answered, .reached, .exchange, .other: break
        }
    }

    private mutating func end() {
        failures = []
        left = []
        isNoted = false
    }
}
