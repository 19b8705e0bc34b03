/// What APNs has refused for good, by token: no such token is used until its app registers it again.
struct RefusedTokens {
    private struct Refusals {
        var count = 0
        var newestAt: Int64 = 0
    }

    /// After so many refusals of one content it is not sent any more.
    private static let sameMax = MannerRules.refusalsOfContentMax

    private var refusals: [String: Refusals] = [:]

    mutating func see(_ scene: JudgedSight, in world: Circumstances) {
        guard case .answered(let push, let status?, let reason) = scene, push.isOfCard,
            (400..<500).contains(status), status != 429,
            !MannerRules.ofAllPushes.contains(reason ?? ""),
            status != 410 || !MannerRules.isOutdated(push, in: world)
        else { return }
        refusals[push.token, default: Refusals()].count += 1
        refusals[push.token]?.newestAt = world.now
    }

    /// Whether the card's token is refused, and its app has not registered it since.
    func isDead(_ card: SeenCard, in world: Circumstances) -> Bool {
        guard let token = card.token, let refused = refusals[token] else { return false }
        return refused.newestAt > world.cards.putAt[token] ?? 0
    }

    /// Whether a card may keep what it was to show, because APNs has refused it too often.
    func mayKeepAll(_ card: SeenCard) -> Bool {
        card.token.flatMap { refusals[$0]?.count } ?? 0 >= Self.sameMax
    }
}
