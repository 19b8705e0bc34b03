internal import JSONReader

/// IN16, while adventures go on: a card shows what its hero's party says, or gets a push soon, once
/// nothing keeps its pushes back.
struct FreshRules: Rules {
    /// How long a card may differ without a push, beside the distance between pushes of low priority.
    static let patience: Int64 = 5_000
    /// That distance, in seconds of the game.
    static let gaps: [String: Int64] = [
        "classic": 0, "training": 10, "stolen-pie": 15, "titan-rush": 20, "forest-quest": 30,
        "lost-egg": 60, "night-watch": 600,
    ]
    /// After a refusal of any push the gates may hold all others.
    static let gateMilliseconds: Int64 = 90_000

    /// The health that a phone shows, by token.
    private var shown: [String: Double] = [:]
    private var inFlight: [String: Int] = [:]
    /// Until when a refusal of its own may keep a token's pushes back.
    private var heldUntil: [String: Int64] = [:]
    private var troubleAt: Int64 = 0
    /// When something went wrong last beside Apple, or will have.
    private var disturbedAt: Int64 = 0
    /// Since when responses have said what a card does not show, and nothing has left.
    private var doubts: [String: Int64] = [:]

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        switch scene {
        case .sent(let push):
            guard push.isOfCard else { return }
            doubts[push.token] = nil
            inFlight[push.token, default: 0] += 1
        case .answered(let push, let status, let reason):
            guard push.isOfCard else { return }
            inFlight[push.token, default: 1] -= 1
            if status == 200 {
                // Nothing follows an end.
                shown[push.token] = push.isEnd ? nil : push.health
            } else {
                troubleAt = world.now
                heldUntil[push.token] = until(push, status, reason ?? "", in: world)
            }
        case .exchange(let exchange): compare(exchange, in: world, &findings)
        case .other(.fault(let fault)):
            switch fault.fault {
            case .apple(effect: .late, _, _, _): break
            default: disturbedAt = max(disturbedAt, world.now + fault.fault.length)
            }
        case .other(.started), .other(.starting), .other(.calm):
            disturbedAt = max(disturbedAt, world.now)
            inFlight = [:]
        case .reached, .other: break
        }
    }

    private func until(
        _ push: JudgedPush, _ status: Int?, _ reason: String, in world: Circumstances
    ) -> Int64 {
        let isOutdated = status == 410 && MannerRules.isOutdated(push, in: world)
        switch status {
        case nil, 429: return world.now + MannerRules.devicePause
        case 410 where isOutdated: return world.now + MannerRules.devicePause
        case 500, 503: return world.now + MannerRules.contentPause
        default: return .max
        }
    }

    private mutating func compare(
        _ exchange: JudgedExchange, in world: Circumstances, _ findings: inout Violations
    ) {
        guard world.isClockSteady, let party = exchange.party,
            let phase = party["adventure"]?["phase"]?.text, phase != "over",
            let gap = Self.gaps[party["adventure"]?["pack"]?.text ?? ""]
        else { return }
        let patience =
            Self.patience + 20 * world.plan.laneDelay + gap * 1_000_000 / world.plan.speed
        for hero in party["heroes"]?.elements ?? [] {
            guard let id = hero["id"]?.text,
                let truth = hero["card"]?["currentHealthLevel"]?.number
            else { continue }
            for card in world.cards.all where card.hero == id {
                compare(card, truth, patience, exchange, in: world, &findings)
            }
        }
    }

    private mutating func compare(
        _ card: SeenCard, _ truth: Double, _ patience: Int64, _ exchange: JudgedExchange,
        in world: Circumstances, _ findings: inout Violations
    ) {
        guard let token = card.token else { return }
        let asked = exchange.seen.sentAt
        guard card.goneAt == nil, let tokenAt = card.tokenAt, let health = shown[token],
            health != truth, inFlight[token, default: 0] <= 0,
            asked - max(tokenAt, disturbedAt) > patience,
            asked - troubleAt > Self.gateMilliseconds, asked > heldUntil[token] ?? 0
        else {
            doubts[token] = nil
            return
        }
        guard let since = doubts[token] else {
            doubts[token] = exchange.at
            return
        }
        guard asked - since > patience else { return }
        findings.note(
            .IN16, at: world.now,
            """
            card \(card.activity) has shown health \(health) for \((asked - since) / 1000) s while \
            its party gives it \(truth), and nothing was sent
            """)
    }
}
