internal import JSONReader

/// IN12, pushes: the pauses that Apple asks for, and the bounds of refusals.
struct MannerRules: Rules {
    /// What Apple refused for a while: 500 and 503.
    static let contentPause: Int64 = 15 * 60_000
    static let devicePause: Int64 = 60_000
    /// How long a request may be on its way that explains a push.
    static let doubtMilliseconds: Int64 = 120_000
    static let refusalsOfContentMax = 2
    static let refusalsOfActivityMax = 20
    /// Refusals that say nothing of the target: other tokens, other keys, the sender's settings.
    static let ofAllPushes: Set<String> = [
        "ExpiredProviderToken", "InvalidProviderToken", "MissingProviderToken",
        "TooManyProviderTokenUpdates", "BadTopic", "MissingTopic", "TopicDisallowed", "Forbidden",
        "BadCertificate", "BadCertificateEnvironment", "BadEnvironmentKeyInToken",
        "UnrelatedKeyIdInToken",
    ]
    static let deadReasons: Set<String> = [
        "Unregistered", "BadDeviceToken", "DeviceTokenNotForTopic", "ExpiredToken",
    ]

    private struct Content: Hashable {
        let token: String
        let content: JSONValue?
        let isEnd: Bool
    }

    private struct Refused {
        let push: JudgedPush
        let at: Int64
        var life: LifeID { push.seen.life }
    }

    /// A push that a registration on its way may explain.
    private struct Doubt {
        let push: JudgedPush
        let since: Int64
        let words: String
    }

    private var failed: [Content: Refused] = [:]
    private var tooMany: [String: Refused] = [:]
    /// The same content that a token has refused for good.
    private var refusals: [Content: Int] = [:]
    private var refusalsOfToken: [String: Int] = [:]
    private var dead: [String: Refused] = [:]
    private var registeredAt: [String: Int64] = [:]
    private var doubts: [Doubt] = []
    /// The newest 429s, of any device: several in a row concern all, and leave no pause behind.
    private var recentTooMany: [Int64] = []

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        switch scene {
        case .sent(let push):
            settle(until: world.now - Self.doubtMilliseconds, in: world, &findings)
            if push.isOfCard { sent(push, in: world, &findings) }
        case .answered(let push, let status, let reason):
            if push.isOfCard, let status {
                answered(push, status, reason ?? "", in: world, &findings)
            }
        case .exchange(let exchange):
            if exchange.seen.method.uppercased() == "PUT",
                let token = exchange.body?["pushToken"]?.text
            {
                // Even without a response the server may know of it, and sooner than it came.
                registeredAt[token] = world.now
                doubts.removeAll { doubt in
                    doubt.push.token == token && exchange.seen.sentAt <= doubt.push.seen.at
                        && exchange.at >= doubt.since
                }
            }
        case .reached, .other: break
        }
    }

    private func content(of push: JudgedPush) -> Content {
        Content(token: push.token, content: push.content, isEnd: push.isEnd)
    }

    private mutating func sent(
        _ push: JudgedPush, in world: Circumstances, _ findings: inout Violations
    ) {
        // A server remembers the newest content that Apple has failed with.
        failed = failed.filter { $0.key.token != push.token || $0.key == content(of: push) }
        // What ends a question that a card asks without a countdown is its stale date.
        if let failure = failed[content(of: push)], push.says(sameAs: failure.push),
            registeredAt[push.token] ?? 0 < failure.at,
            isBound(failure, push, Self.contentPause, world)
        {
            let seconds = (world.now - failure.at) / 1000
            doubts.append(
                Doubt(
                    push: push, since: failure.at,
                    words: "left again \(seconds) s after APNs had failed with it, not 15 minutes"))
        }
        if let refusal = tooMany[push.token], isBound(refusal, push, Self.devicePause, world) {
            findings.note(
                .IN12, at: world.now,
                "\(push.card) got a push \(world.now - refusal.at) ms after a 429, not a minute")
        }
        if let death = dead[push.token], death.life == push.seen.life,
            registeredAt[push.token] ?? 0 < death.at - 60_000
        {
            doubts.append(
                Doubt(
                    push: push, since: death.at,
                    words: "left for a token that APNs had called dead"))
        }
    }

    /// Notes what no registration explains.
    private mutating func settle(
        until end: Int64, in world: Circumstances, _ findings: inout Violations
    ) {
        for doubt in doubts where doubt.push.seen.at <= end {
            findings.note(
                .IN12, at: doubt.push.seen.at, "\(doubt.push.words) \(doubt.words)")
        }
        doubts.removeAll { $0.push.seen.at <= end }
    }

    mutating func conclude(in world: Circumstances, _ findings: inout Violations) {
        settle(until: .max, in: world, &findings)
    }

    /// Whether the same server, or one that knows the time since then, must still wait.
    private func isBound(
        _ refused: Refused, _ push: JudgedPush, _ pause: Int64, _ world: Circumstances
    ) -> Bool {
        let waited = world.now - refused.at
        return refused.life == push.seen.life && waited < pause - 1000 - world.driftMax
    }

    private mutating func answered(
        _ push: JudgedPush, _ status: Int, _ reason: String, in world: Circumstances,
        _ findings: inout Violations
    ) {
        let content = content(of: push)
        let refused = Refused(push: push, at: world.now)
        switch status {
        case 200:
            refusals[content] = nil
            // Newer content was taken: the older one counts as new.
            failed = failed.filter { $0.key.token != push.token }
        case 500, 503: failed[content] = refused
        case 429:
            if !Self.ofAllPushes.contains(reason) {
                recentTooMany = recentTooMany.filter { world.now - $0 < Self.devicePause }
                recentTooMany.append(world.now)
                if recentTooMany.count < 3 { tooMany[push.token] = refused }
                if recentTooMany.count == 3 { tooMany = [:] }
            }
        default:
            guard !Self.ofAllPushes.contains(reason), reason != "IdleTimeout", status < 500
            else { return }
            // A wrong clock compares Apple's date with its own.
            if Self.deadReasons.contains(reason), status == 410 ? isNews(push, in: world) : true,
                world.wallOffset == 0
            {
                dead[push.token] = refused
            }
            count(push, content, in: world, &findings)
        }
    }

    /// Whether Apple's date is before the token's registration: then a 410 says nothing.
    static func isOutdated(_ push: JudgedPush, in world: Circumstances) -> Bool {
        let time = world.now - Scheduler.start
        let ages = world.faults.compactMap { fault -> Int64? in
            guard case .apple(.unregistered(let age), _, _, let length) = fault.fault,
                (fault.at...fault.at + length + 60_000).contains(time)
            else { return nil }
            return age
        }
        guard let age = ages.min(), let put = world.cards.putAt[push.token] else { return false }
        return push.seen.at - age < put - 1000
    }

    /// Whether nobody has registered the token since Apple's date: then a 410 holds.
    private func isNews(_ push: JudgedPush, in world: Circumstances) -> Bool {
        let ages = world.faults.map { fault -> Int64 in
            if case .apple(.unregistered(let age), _, _, _) = fault.fault { age } else { 0 }
        }
        let date = push.seen.at - (ages.max() ?? 0) - 60_000
        return registeredAt[push.token].map { $0 < date } ?? true
    }

    private mutating func count(
        _ push: JudgedPush, _ content: Content, in world: Circumstances,
        _ findings: inout Violations
    ) {
        refusals[content, default: 0] += 1
        refusalsOfToken[push.token, default: 0] += 1
        let deaths = world.deaths.count
        if refusals[content, default: 0] > Self.refusalsOfContentMax + deaths {
            findings.note(
                .IN12, at: world.now,
                "\(push.words) was refused \(refusals[content, default: 0]) times for good")
        }
        if refusalsOfToken[push.token, default: 0] > Self.refusalsOfActivityMax + deaths {
            findings.note(
                .IN12, at: world.now,
                "\(push.card) was refused \(refusalsOfToken[push.token, default: 0]) times")
        }
    }
}
