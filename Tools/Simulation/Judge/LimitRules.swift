/// IN9: so many changes wait for a party, and the next one is refused.
struct LimitRules: Rules {
    private struct Wait {
        let from: Int64
        let to: Int64
    }

    private struct Key: Hashable {
        let client: Exchange.Client
        let key: String
    }

    static let waitingMax = 64
    /// How long a request is on its way, and a response.
    private static let way: Int64 = 20
    /// Those that may be in the batch being written, and in the turn that takes them.
    private static let underWay = 8
    private var waits: [String: [Wait]] = [:]
    private var keys: Set<Key> = []

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        // Where reads take time, changes wait for these too, before they reach their party.
        guard world.plan.laneDelay == 0, !world.hasStoodStill,
            case .exchange(let exchange) = scene, let answered = exchange.seen.respondedAt,
            exchange.seen.method.uppercased() != "GET", exchange.parts.count > 2,
            exchange.parts[0] == "parties", exchange.seen.status != 503,
            exchange.seen.status != 429
        else { return }
        // Equal requests wait for the first one, elsewhere.
        if let key = exchange.seen.idempotencyKey {
            guard keys.insert(Key(client: exchange.seen.client, key: key)).inserted else { return }
        }
        let way = Self.way + delayMax(world)
        let wait = Wait(from: exchange.seen.sentAt + way, to: answered - way)
        guard wait.from < wait.to else { return }
        waits[String(exchange.parts[1]), default: []].append(wait)
    }

    private func delayMax(_ world: Circumstances) -> Int64 {
        world.faults.map { fault in
            if case .network(.delay(let most), _) = fault.fault { most } else { 0 }
        }.max() ?? 0
    }

    mutating func conclude(in world: Circumstances, _ findings: inout Violations) {
        for (party, waits) in waits.sorted(by: { $0.key < $1.key }) {
            let edges =
                (waits.map { ($0.from, 1) } + waits.map { ($0.to, -1) })
                .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
            var (open, most, at) = (0, 0, Int64(0))
            for edge in edges {
                open += edge.1
                if open > most { (most, at) = (open, edge.0) }
            }
            guard most > Self.waitingMax + Self.underWay else { continue }
            findings.note(
                .IN9, at: at,
                "\(most) changes of party \(party) waited at once, not \(Self.waitingMax)")
        }
    }
}
