internal import JSONReader

/// IN17: at calm nothing is left to do.
struct RestRules: Rules {
    /// What waits longest is the content after a 5xx: 15 minutes.
    static let pushless: Int64 = 60_000
    private var lastPush: JudgedPush?

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        // The world boss goes on without parties.
        if case .sent(let push) = scene, push.seen.isToDevice { lastPush = push }
    }

    /// Judges the server's own figures at the end of the calm.
    func compare(
        metrics: String, in world: Circumstances, _ findings: inout Violations
    ) {
        let isOver = world.parties.all.allSatisfy(\.isOver)
        if isOver, let push = lastPush, world.now - push.seen.at < Self.pushless {
            findings.note(
                .IN17, at: world.now,
                "\(push.words) left \(world.now - push.seen.at) ms before the end of the calm")
        }
        for line in metrics.split(separator: "\n") where !line.hasPrefix("#") {
            let isRestless = [
                "rangers_pushes_in_flight", "rangers_requests_under_way", "rangers_backlog_seconds",
            ]
            .contains { line.hasPrefix($0) }
            guard isOver, isRestless,
                let value = line.split(separator: " ").last.flatMap({ Double($0) }),
                value > 0
            else { continue }
            findings.note(.IN17, at: world.now, "at calm \(line)")
        }
    }

    /// Judges two readings of the figures, a minute apart: no party was due between them.
    func compare(
        metrics before: String, _ after: String, in world: Circumstances,
        _ findings: inout Violations
    ) {
        guard world.parties.all.allSatisfy(\.isOver) else { return }
        let name = "rangers_tick_lateness_seconds_count"
        let due = Self.sum(of: name, in: after) - Self.sum(of: name, in: before)
        guard due > 0 else { return }
        findings.note(
            .IN17, at: world.now,
            "at calm, all adventures over, parties were due \(Int(due)) times in a minute")
    }

    /// Judges two readings of the figures of one server, half a minute apart: no party was late.
    func compareLateness(
        _ before: String, _ after: String, in world: Circumstances, _ findings: inout Violations
    ) {
        // From the first reading on nothing has gone wrong, nor shortly before.
        guard world.quiet > 60_000, world.plan.laneDelay < 50 else { return }
        let name = "rangers_tick_lateness_seconds"
        func late(_ metrics: String) -> Double {
            Self.sum(of: name + "_count", in: metrics)
                - Self.sum(of: name + "_bucket{le=\"2.5\"}", in: metrics)
        }
        let late = late(after) - late(before)
        guard late > 0 else { return }
        findings.note(
            .IN13, at: world.now,
            "parties were due \(Int(late)) times more than 2.5 s before their turn, in half a minute"
        )
    }

    private static func sum(of name: String, in metrics: String) -> Double {
        metrics.split(separator: "\n").filter { $0.hasPrefix(name) }
            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }

    /// Judges a party at the end of the calm.
    func compare(party json: JSONValue, in world: Circumstances, _ findings: inout Violations) {
        let id = json["party"]?["id"]?.text ?? "?"
        let isOver = json["party"]?["adventure"]?["phase"]?.text == "over"
        if isOver, let due = json["dueAt"]?.integer, due < world.wall + 3_600_000 {
            findings.note(
                .IN17, at: world.now,
                "party \(id) is due in \((due - world.wall) / 1000) s, and its adventure is over")
        }
    }
}
