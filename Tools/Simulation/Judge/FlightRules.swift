/// IN2 and IN20: a token has one push in flight, and none comes twice but by a death.
struct FlightRules: Rules {
    private struct Accepted {
        let life: LifeID
        /// When the client was told so.
        var toldAt: Int64?
    }

    private struct Key: Hashable {
        let token: String
        let timestamp: Int64
    }

    /// What APNs has answered may be lost with a server that dies before its next write of
    /// outcomes, 250 ms later, and before that write is committed.
    static let unwrittenMilliseconds: Int64 = 250
    private var inFlight: [String: (push: JudgedPush, at: Int64)] = [:]
    private var accepted: [Key: Accepted] = [:]

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        switch scene {
        case .sent(let push): sent(push, in: world, &findings)
        case .reached(let push, status: 200, reason: _): reached(push, in: world, &findings)
        case .answered(let push, let status, reason: _):
            if inFlight[push.token]?.push.seen.number == push.seen.number {
                inFlight[push.token] = nil
            }
            if status == 200, let key = key(of: push) {
                let toldAt = accepted[key]?.toldAt
                accepted[key]?.toldAt = toldAt ?? world.now
            }
        case .reached, .exchange, .other: break
        }
    }

    private func key(of push: JudgedPush) -> Key? {
        push.isOfCard ? push.timestamp.map { Key(token: push.token, timestamp: $0) } : nil
    }

    private mutating func sent(
        _ push: JudgedPush, in world: Circumstances, _ findings: inout Violations
    ) {
        if let other = inFlight[push.token], other.push.seen.life == push.seen.life,
            other.push.seen.apnsID != push.seen.apnsID
        {
            findings.note(
                .IN2, at: world.now,
                """
                \(push.card) got a push while the one sent \(world.now - other.at) ms before it \
                had no answer
                """)
        }
        inFlight[push.token] = (push, world.now)
    }

    private mutating func reached(
        _ push: JudgedPush, in world: Circumstances, _ findings: inout Violations
    ) {
        guard let key = key(of: push) else { return }
        if let before = accepted[key], !mayComeAgain(before, push, in: world) {
            findings.note(
                .IN20, at: world.now,
                "\(push.words) came twice with timestamp \(key.timestamp), without a death between")
        }
        accepted[key] = Accepted(life: push.seen.life)
    }

    private func mayComeAgain(
        _ before: Accepted, _ push: JudgedPush, in world: Circumstances
    ) -> Bool {
        guard before.life != push.seen.life else { return false }
        guard let told = before.toldAt else { return true }
        let death = world.deaths.first { $0.life == before.life }?.at
        return death.map { $0 - told <= Self.unwrittenMilliseconds + world.commitMax } ?? false
    }
}
