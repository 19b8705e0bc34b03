internal import JSONReader

/// IN13, adventures: they advance with the steady clock, not beyond it and a tick; events have the
/// times of the wall clock.
struct PaceRules: Rules {
    private struct Pace {
        let gameTime: Int64
        let at: Int64
        let askedAt: Int64
        let adventure: Int64
    }

    /// A tick and the time between two readings.
    static let tickMax: Int64 = 2000
    /// After a boot the time of the file goes on by the wall clock, so by at most this much too far.
    static let absenceMax: Int64 = 4 * 3_600_000
    /// How often the server compares its time with the wall clock.
    static let watch: Int64 = 12_000

    private var paces: [String: Pace] = [:]
    /// The newest event's time that was told before.
    private var told: [String: (sequence: Int64, at: Int64)] = [:]

    mutating func see(_ scene: Scene, in world: Circumstances, _ findings: inout Findings) {
        guard case .exchange(let exchange) = scene, let party = exchange.party,
            let id = party["id"]?.text
        else { return }
        judgePace(party, of: id, exchange, in: world, &findings)
        judgeTimes(party, of: id, exchange, in: world, &findings)
    }

    private mutating func judgePace(
        _ party: JSONValue, of id: String, _ exchange: JudgedExchange, in world: Circumstances,
        _ findings: inout Findings
    ) {
        guard let gameTime = party["adventure"]?["gameTimeMilliseconds"]?.integer else { return }
        let began =
            (party["events"]?.elements ?? []).last { $0["kind"]?.text == "adventureBegan" }?[
                "sequence"]?.integer ?? paces[id]?.adventure ?? 0
        defer {
            if paces[id].map({ $0.at < exchange.at || $0.adventure != began }) ?? true {
                paces[id] = Pace(
                    gameTime: gameTime, at: exchange.at, askedAt: exchange.seen.sentAt,
                    adventure: began)
            }
        }
        guard let last = paces[id], last.adventure == began, last.gameTime < gameTime else {
            return
        }
        let elapsed = exchange.at - last.askedAt
        let limit = (elapsed + Self.tickMax + jump(since: last.askedAt, in: world)) * world.plan.speed / 1000
        guard gameTime - last.gameTime > limit + world.driftMax else { return }
        findings.note(
            .IN13, at: world.now,
            """
            the adventure of party \(id) advanced by \((gameTime - last.gameTime) / 1000) s of \
            the game in \(elapsed / 1000) s
            """)
    }

    /// By how much the time of the server may have jumped: nobody knows how long a machine was off.
    private func jump(since: Int64, in world: Circumstances) -> Int64 {
        guard world.deaths.contains(where: { $0.powerLost && $0.at >= since }) else { return 0 }
        return min(Self.absenceMax, world.setForward)
    }

    private mutating func judgeTimes(
        _ party: JSONValue, of id: String, _ exchange: JudgedExchange, in world: Circumstances,
        _ findings: inout Findings
    ) {
        var before = told[id] ?? (0, 0)
        for json in party["events"]?.elements ?? [] {
            guard let event = SeenEvent(json, seenAt: exchange.at, askedAt: exchange.seen.sentAt)
            else { continue }
            guard event.sequence > before.sequence else { continue }
            judge(event, after: before.at, of: id, exchange, in: world, &findings)
            before = (event.sequence, max(before.at, event.at))
        }
        told[id] = before
    }

    private func judge(
        _ event: SeenEvent, after last: Int64, of id: String, _ exchange: JudgedExchange,
        in world: Circumstances, _ findings: inout Findings
    ) {
        // For some seconds after a step the server does not know of it.
        guard !world.steppedBetween(exchange.seen.sentAt - Self.watch, exchange.at) else { return }
        let lead = event.at - world.wall
        if lead > 1500 + world.driftMax, world.setBack == 0 {
            findings.note(
                .IN13, at: world.now,
                "event \(event.sequence) of party \(id) has a time \(lead) ms ahead of the wall clock")
        }
        if event.at < last - 1000 - world.driftMax, world.setBack == 0 {
            findings.note(
                .IN13, at: world.now,
                "event \(event.sequence) of party \(id) has a time \(last - event.at) ms before the one before it")
        }
    }
}
