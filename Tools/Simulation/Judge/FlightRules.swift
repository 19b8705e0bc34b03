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
    /// What a server knows to have been taken by a phone last.
    private struct Taken {
        let push: JudgedPush
        let toldAt: Int64
    }

    /// A push that says nothing new, which a report on its way may explain.
    private struct Doubt {
        let push: JudgedPush
        let words: String
    }

    /// How long a report may be on its way.
    static let doubtMilliseconds: Int64 = 120_000

    private var doubts: [Doubt] = []
    private var taken: [String: Taken] = [:]
    /// When an app has said something of its card last.
    private var reportedAt: [String: Int64] = [:]

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        switch scene {
        case .sent(let push):
            settle(until: world.now - Self.doubtMilliseconds, &findings)
            sent(push, in: world, &findings)
        case .reached(let push, status: 200, reason: _): reached(push, in: world, &findings)
        case .answered(let push, let status, reason: _):
            if inFlight[push.token]?.push.seen.number == push.seen.number {
                inFlight[push.token] = nil
            }
            if status == 200, push.isOfCard {
                taken[push.token] = Taken(push: push, toldAt: world.now)
            }
            if status == 200, let key = key(of: push) {
                let toldAt = accepted[key]?.toldAt
                accepted[key]?.toldAt = toldAt ?? world.now
            }
        case .exchange(let exchange):
            guard exchange.parts.first == "activities" || exchange.parts.last == "reconcile" else {
                return
            }
            let client = exchange.seen.client
            for token in client == .gameMaster ? [] : Array(taken.keys)
            where world.cards.card(of: token)?.client == client {
                reportedAt[token] = world.now
            }
            // The server knows of it before the response arrives.
            doubts.removeAll {
                world.cards.card(of: $0.push.token)?.client == client
                    && exchange.seen.sentAt <= $0.push.seen.at
            }
        case .reached, .other: break
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
        repeats(push, in: world)
        // Whatever else is on its way may be what the phone shows.
        if push.isOfCard, taken[push.token].map({ !$0.push.says(sameAs: push) }) ?? false {
            taken[push.token] = nil
        }
    }

    /// Whether a push only says what the phone has taken already, as its server knew.
    private mutating func repeats(_ push: JudgedPush, in world: Circumstances) {
        guard push.isOfCard, !push.isEnd, push.alert == nil, let taken = taken[push.token],
            taken.push.says(sameAs: push),
            isKept(taken.toldAt, by: taken.push.seen.life, for: push, world),
            // What an app says may be on its way, and makes the same go once more.
            world.now - (reportedAt[push.token] ?? 0) > 30_000
        else { return }
        let seconds = (world.now - taken.toldAt) / 1000
        doubts.append(
            Doubt(
                push: push,
                words: "\(push.words) left again \(seconds) s after APNs had taken it"))
    }

    /// Notes what no report has explained.
    private mutating func settle(until end: Int64, _ findings: inout Violations) {
        for doubt in doubts where doubt.push.seen.at <= end {
            findings.note(.IN20, at: doubt.push.seen.at, doubt.words)
        }
        doubts.removeAll { $0.push.seen.at <= end }
    }

    mutating func conclude(in world: Circumstances, _ findings: inout Violations) {
        settle(until: .max, &findings)
    }

    /// Whether the life of a push must know of what a server was told.
    private func isKept(
        _ toldAt: Int64, by life: LifeID, for push: JudgedPush, _ world: Circumstances
    ) -> Bool {
        guard life != push.seen.life else { return true }
        guard !world.hasDiskFault else { return false }
        let death = world.deaths.first { $0.life == life }?.at
        return death.map { $0 - toldAt > Self.unwrittenMilliseconds + world.commitMax } ?? false
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
        // Two servers over one file may both tell a channel: neither knows that it is replaced.
        if !push.seen.isToDevice, world.hasSecondOwner { return true }
        guard let told = before.toldAt else { return true }
        let death = world.deaths.first { $0.life == before.life }?.at
        return death.map { $0 - told <= Self.unwrittenMilliseconds + world.commitMax } ?? false
    }
}
