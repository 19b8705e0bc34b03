/// IN4: a token that was retired gets at most the push that had left the server already.
struct TokenRules: Rules {
    /// How long the client may have held it.
    static let heldMax: Int64 = 60_000
    /// The pushes, by their ids: what Apple has not processed, the client repeats.
    private var late: [String: Set<String>] = [:]

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        guard case .sent(let push) = scene, push.isOfCard,
            let retired = world.cards.retiredAt[push.token], push.seen.at > retired,
            !world.cards.unclear.contains(push.token)
        else { return }
        late[push.token, default: []].insert(push.seen.apnsID)
        let isHeld = push.seen.at - retired <= Self.heldMax && late[push.token]?.count == 1
        guard !isHeld else { return }
        findings.note(
            .IN4, at: world.now,
            """
            \(push.words) left for a token whose retirement was acknowledged \
            \(push.seen.at - retired) ms before
            """)
    }
}
