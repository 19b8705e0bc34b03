internal import JSONReader

/// IN4: a token that was retired gets at most the push that had left the server already.
struct TokenRules: Rules {
    /// How long the client may have held it.
    static let heldMax: Int64 = 60_000
    /// How long a registration may be on its way that explains a push.
    static let doubtMilliseconds: Int64 = 120_000

    /// A push after the token's retirement.
    private struct Doubt {
        let push: JudgedPush
        let retired: Int64
    }

    /// The pushes, by their ids: what Apple has not processed, the client repeats.
    private var late: [String: Set<String>] = [:]
    private var doubts: [Doubt] = []

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        if case .exchange(let exchange) = scene { explain(by: exchange) }
        guard case .sent(let push) = scene else { return }
        settle(until: world.now - Self.doubtMilliseconds, &findings)
        guard push.isOfCard, let retired = world.cards.retiredAt[push.token],
            push.seen.at > retired, !world.cards.unclear.contains(push.token)
        else { return }
        late[push.token, default: []].insert(push.seen.apnsID)
        let isHeld = push.seen.at - retired <= Self.heldMax && late[push.token]?.count == 1
        if !isHeld { doubts.append(Doubt(push: push, retired: retired)) }
    }

    mutating func conclude(in world: Circumstances, _ findings: inout Violations) {
        settle(until: .max, &findings)
    }

    /// An app may register the token again, and the server know of it before the response arrives.
    private mutating func explain(by exchange: JudgedExchange) {
        guard !doubts.isEmpty, exchange.isCall("PUT", "activities", "*"),
            exchange.isAcknowledged || exchange.seen.status == nil,
            let token = exchange.body?["pushToken"]?.text
        else { return }
        doubts.removeAll { $0.push.token == token && exchange.seen.sentAt <= $0.push.seen.at }
    }

    private mutating func settle(until end: Int64, _ findings: inout Violations) {
        for doubt in doubts where doubt.push.seen.at <= end {
            findings.note(
                .IN4, at: doubt.push.seen.at,
                """
                \(doubt.push.words) left for a token whose retirement was acknowledged \
                \(doubt.push.seen.at - doubt.retired) ms before
                """)
        }
        doubts.removeAll { $0.push.seen.at <= end }
    }
}
