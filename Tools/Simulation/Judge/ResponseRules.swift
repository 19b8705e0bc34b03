/// IN11: no response is a 5xx but a 503 with Retry-After, and none keeps anybody waiting.
struct ResponseRules: Rules {
    /// How long a response may take if nothing goes wrong, where work takes no time.
    static let waitMax: Int64 = 2000
    /// How long what went wrong may last on.
    static let quietMin: Int64 = 30_000

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        guard case .exchange(let exchange) = scene, let status = exchange.seen.status,
            exchange.seen.client != .gameMaster || status >= 500
        else { return }
        judgeWait(for: exchange, in: world, &findings)
        guard status >= 500 else { return }
        let retryAfter = exchange.seen.headers.first { $0.key.lowercased() == "retry-after" }
        if status != 503 || retryAfter.flatMap({ Int($0.value) }) == nil {
            let detail = String(decoding: exchange.seen.response.prefix(200), as: UTF8.self)
            findings.note(
                .IN11, at: world.now,
                """
                \(exchange.call): \(status) \(status == 503 ? "without Retry-After" : "") \(detail)
                """)
        }
    }

    private func judgeWait(
        for exchange: JudgedExchange, in world: Circumstances, _ findings: inout Violations
    ) {
        let wait = exchange.at - exchange.seen.sentAt
        let disturbedAt = max(world.disturbedAt, world.calmAt ?? 0)
        guard world.plan.laneDelay == 0, disturbedAt + Self.quietMin < exchange.seen.sentAt,
            wait > Self.waitMax
        else { return }
        findings.note(
            .IN11, at: world.now, "\(exchange.call) was answered after \(wait) ms")
    }
}
