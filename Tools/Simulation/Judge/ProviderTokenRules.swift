internal import Foundation
internal import JSONReader

/// IN12, provider tokens: one serves for 20 to 60 minutes, and no second one is made sooner.
struct ProviderTokenRules: Rules {
    private struct Token {
        let header: String
        /// Seconds since 1970, by the wall clock of its server.
        let issuedAt: Int64
        let firstUsedAt: Int64
        let life: LifeID
    }

    static let spacing: Int64 = 20 * 60_000
    static let ageMax: Int64 = 60 * 60_000
    /// What the store may not have kept yet of a token when its server died.
    static let unkept: Int64 = 2000

    private var tokens: [Token] = []
    private var known: [String: Int] = [:]
    private var refusedAt: Int64?

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        switch scene {
        case .sent(let push): sent(push.seen, in: world, &findings)
        case .answered(_, status: 403, let reason):
            if reason == "ExpiredProviderToken" || reason == "InvalidProviderToken" {
                refusedAt = world.now
            }
        case .answered, .reached, .exchange, .other: break
        }
    }

    private mutating func sent(
        _ push: SeenPush, in world: Circumstances, _ findings: inout Violations
    ) {
        guard let number = known[push.providerToken] else {
            guard let issuedAt = Self.issuedAt(push.providerToken) else {
                return findings.note(
                    .IN12, at: world.now,
                    "a push has the provider token “\(push.providerToken.prefix(12))”")
            }
            let token = Token(
                header: push.providerToken, issuedAt: issuedAt, firstUsedAt: world.now,
                life: push.life)
            judge(new: token, in: world, &findings)
            known[push.providerToken] = tokens.count
            tokens.append(token)
            return
        }
        let token = tokens[number]
        let age = world.now - token.firstUsedAt
        if age > Self.ageMax + world.driftMax, !mayBeOld(token, in: world) {
            findings.note(
                .IN12, at: world.now,
                "a provider token was used \(age / 60_000) minutes after its first use")
        }
        if number < tokens.count - 1, tokens[number + 1].life == push.life,
            world.now - tokens[number + 1].firstUsedAt > 60_000
        {
            findings.note(.IN12, at: world.now, "an older provider token is used again")
        }
    }

    private func judge(new token: Token, in world: Circumstances, _ findings: inout Violations) {
        let lead = token.issuedAt * 1000 - world.wall
        if lead > 2000 + world.driftMax, !world.steppedBetween(world.now - 30_000, world.now),
            token.life != tokens.last?.life || tokens.isEmpty
        {
            findings.note(
                .IN12, at: world.now,
                "a provider token was issued \(lead) ms ahead of the wall clock")
        }
        guard let last = tokens.last, last.life == token.life || !mayBeLost(last, in: world),
            token.firstUsedAt - last.firstUsedAt < Self.spacing - 1000 - world.driftMax,
            !mayBeReplaced(last, by: token, in: world)
        else { return }
        findings.note(
            .IN12, at: world.now,
            """
            a second provider token was made \((token.firstUsedAt - last.firstUsedAt) / 1000) s \
            after the one before it, not 20 minutes
            """)
    }

    /// Whether its server died before the store had kept it, or its file could not be written.
    private func mayBeLost(_ token: Token, in world: Circumstances) -> Bool {
        world.diedBetween(token.firstUsedAt, token.firstUsedAt + Self.unkept + world.commitMax)
            || world.faults.contains { $0.fault.kind == .disk }
    }

    /// A clock that was set makes a token look too old or new, but nobody knows before Apple has
    /// refused it; after a boot nobody knows its age.
    private func mayBeReplaced(
        _ last: Token, by token: Token, in world: Circumstances
    ) -> Bool {
        guard !world.steps.isEmpty else { return false }
        let isRefused = refusedAt.map { $0 >= last.firstUsedAt } ?? false
        let isBooted = world.deaths.contains { $0.powerLost && $0.at >= last.firstUsedAt }
        return isRefused || isBooted
    }

    /// A clock that was set makes a token look too old or new, and tokens' ages wrong after a boot.
    private func mayBeOld(_ token: Token, in world: Circumstances) -> Bool {
        !world.steps.isEmpty
    }

    /// The `iat` of the token, in seconds since 1970.
    private static func issuedAt(_ header: String) -> Int64? {
        let parts = header.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var claims = parts[1].replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        claims += String(repeating: "=", count: (4 - claims.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: claims) else { return nil }
        return JSONValue(Array(bytes))?["iat"]?.integer
    }
}
