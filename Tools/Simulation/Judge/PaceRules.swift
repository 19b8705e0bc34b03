internal import JSONReader

/// IN13, adventures: they advance with the steady clock, not beyond it and a tick; events have the
/// times of the wall clock.
struct PaceRules: Rules {
    /// An adventure, by the event with which it began.
    private struct Adventure {
        let began: Int64
        /// It had not begun when a request left that was told of it as the newest response was not.
        let notBefore: Int64
    }

    /// A tick and the time between two readings.
    static let tickMax: Int64 = 2000
    /// After a boot the time of the file goes on by the wall clock, so by at most this much too far.
    static let absenceMax: Int64 = 4 * 3_600_000

    /// How long an absence adventures catch up with: a minute from their next moment on.
    static let catchUpMax: Int64 = 60_000 + momentMax
    /// The longest time between two moments of an adventure at usual speed.
    private static let momentMax: Int64 = 60_000
    private static let slow: Set<String> = ["night-watch", "lost-egg"]

    private var adventures: [String: Adventure] = [:]
    /// When no server served, from and to.
    private var absences: [(from: Int64, to: Int64)] = []
    private var absentSince: Int64?
    /// When the newest request without the newest adventure left, by party.
    private var askedAt: [String: Int64] = [:]
    /// The newest event's time that was told before.
    private var told: [String: (sequence: Int64, at: Int64)] = [:]

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        if case .other(let sight) = scene { note(sight, at: world.now) }
        guard case .exchange(let exchange) = scene, let party = exchange.party,
            let id = party["id"]?.text
        else { return }
        judgePace(party, of: id, exchange, in: world, &findings)
        judgeTimes(party, of: id, exchange, in: world, &findings)
    }

    private mutating func note(_ sight: Sight, at now: Int64) {
        switch sight {
        case .died, .drained: absentSince = absentSince ?? now
        case .started(_, failure: nil):
            if let from = absentSince { absences.append((from, now)) }
            absentSince = nil
        case .starting, .started, .logged, .fault, .exchange, .sent, .reached, .answered,
            .newToken, .registered, .calm:
            break
        }
    }

    /// How much of the absences since then no adventure catches up with.
    private func lost(since: Int64, in world: Circumstances) -> Int64 {
        guard !world.hasSecondOwner else { return 0 }
        return absences.filter { $0.from >= since }
            .reduce(0) { $0 + max(0, $1.to - $1.from - Self.catchUpMax) }
    }

    private mutating func judgePace(
        _ party: JSONValue, of id: String, _ exchange: JudgedExchange, in world: Circumstances,
        _ findings: inout Violations
    ) {
        let began = (party["events"]?.elements ?? []).last {
            $0["kind"]?.text == "adventureBegan"
        }?["sequence"]?.integer
        if let began, began > adventures[id]?.began ?? 0 {
            adventures[id] = askedAt[id].map { Adventure(began: began, notBefore: $0) }
        }
        defer { askedAt[id] = max(exchange.seen.sentAt, askedAt[id] ?? 0) }
        guard let gameTime = party["adventure"]?["gameTimeMilliseconds"]?.integer,
            let adventure = adventures[id]
        else { return }
        // Of a slow adventure the next moment may be long after an absence.
        let isSlow = Self.slow.contains(party["adventure"]?["pack"]?.text ?? "")
        let lost = isSlow ? 0 : lost(since: adventure.notBefore, in: world)
        let elapsed = exchange.at - adventure.notBefore - lost
        let time = elapsed + Self.tickMax + jump(since: adventure.notBefore, in: world)
        guard gameTime > (time + world.driftMax) * world.plan.speed / 1000 else { return }
        findings.note(
            .IN13, at: world.now,
            """
            the adventure of party \(id) is at \(gameTime / 1000) s of the game, at most \
            \(elapsed / 1000) s after its beginning at a speed of \
            \(Double(world.plan.speed) / 1000)
            """)
    }

    /// By how much the time of the server may have jumped: nobody knows how long a machine was off.
    private func jump(since: Int64, in world: Circumstances) -> Int64 {
        guard world.deaths.contains(where: { $0.powerLost && $0.at >= since }) else { return 0 }
        return min(Self.absenceMax, world.setForward)
    }

    private mutating func judgeTimes(
        _ party: JSONValue, of id: String, _ exchange: JudgedExchange, in world: Circumstances,
        _ findings: inout Violations
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
        in world: Circumstances, _ findings: inout Violations
    ) {
        // For some seconds after a step the server does not know of it.
        guard !world.steppedBetween(exchange.seen.sentAt - world.watch, exchange.at) else { return }
        let lead = event.at - world.wall
        if lead > 1500 + world.driftMax, world.setBack == 0 {
            findings.note(
                .IN13, at: world.now,
                "event \(event.sequence) of party \(id) has a time \(lead) ms ahead of the wall clock"
            )
        }
        if event.at < last - 1000 - world.driftMax, world.setBack == 0 {
            findings.note(
                .IN13, at: world.now,
                "event \(event.sequence) of party \(id) has a time \(last - event.at) ms before the one before it"
            )
        }
    }
}
