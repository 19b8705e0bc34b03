/// IN11: no response is a 5xx but a 503 with Retry-After.
struct ResponseRules: Rules {
    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        guard case .exchange(let exchange) = scene, let status = exchange.seen.status,
            status >= 500
        else { return }
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
}
