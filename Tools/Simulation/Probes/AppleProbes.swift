internal import JSONReader

/// What Apple's answers may meet.
struct AppleProbes: ProbeGroup {
    private struct Content: Hashable {
        let token: String
        let content: JSONValue?
    }

    private var accepted: Set<Int> = []
    private var goneAt: [String: Int64] = [:]
    private var failedAt: [Content: Int64] = [:]
    private var providerTokens: [String: Int64] = [:]
    private var ends: [String: Set<String>] = [:]
    private var failedEnds: Set<String> = []
    private var starts: Set<String> = []
    private var badTokens: Set<String> = []
    private var alerts: [String: [Int64]] = [:]
    private var budgets: [Exchange.Client: (level: Double, at: Int64)] = [:]

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ hit: (Probe) -> Void) {
        switch scene {
        case .sent(let push): sent(push, in: world, hit)
        case .reached(let push, status: 200, reason: _): accepted.insert(push.seen.number)
        case .answered(let push, let status, let reason):
            answered(push, status, reason ?? "", in: world, hit)
        case .reached, .exchange, .other: break
        }
    }

    private mutating func sent(
        _ push: JudgedPush, in world: Circumstances, _ hit: (Probe) -> Void
    ) {
        if push.seen.pushType == "widgets" { hit(.widgetReloaded) }
        if push.event == "start", !starts.insert(push.seen.apnsID).inserted { hit(.startRepeated) }
        if let first = providerTokens.values.min(),
            providerTokens[push.seen.providerToken] == nil, world.now - first >= 20 * 60_000
        {
            hit(.secondProviderToken)
        }
        if providerTokens[push.seen.providerToken] == nil {
            providerTokens[push.seen.providerToken] = world.now
        }
        guard push.isOfCard, push.seen.isToDevice else { return }
        if goneAt[push.token] != nil { hit(.goneBeforeRegistration) }
        let content = Content(token: push.token, content: push.content)
        if let at = failedAt[content], world.now - at >= 15 * 60_000 - 1000 {
            hit(.contentAgainAfterFailure)
        }
        if push.isEnd { end(push, in: world, hit) }
        if let timestamp = push.timestamp, timestamp * 1000 > world.wall + 5000 {
            hit(.timestampLeads)
        }
        weigh(push, in: world, hit)
    }

    private mutating func end(_ push: JudgedPush, in world: Circumstances, _ hit: (Probe) -> Void) {
        if failedEnds.contains(push.token) { hit(.endAfterOutage) }
        guard let activity = world.cards.activities[push.token] else { return }
        ends[activity, default: []].insert(push.token)
        if ends[activity, default: []].count > 1 { hit(.endToSecondToken) }
    }

    /// What budgets and limits hold back.
    private mutating func weigh(
        _ push: JudgedPush, in world: Circumstances, _ hit: (Probe) -> Void
    ) {
        let heard = alerts[push.token]?.count { $0 > world.now - 600_000 } ?? 0
        if push.alert != nil {
            alerts[push.token, default: []].append(world.now)
        } else if push.seen.priority == 10, heard >= 2 {
            hit(.alertWithheld)
        }
        guard push.alert == nil, !push.isEnd, let card = world.cards.card(of: push.token),
            !card.allowsFrequent
        else { return }
        // The phone's budget, which its cards inherit.
        let size = PriorityRules.usual
        var budget = budgets[card.client] ?? (size.burst, world.now)
        budget.level += Double(world.now - budget.at) / 3_600_000 * size.hourly
        budget = (min(size.burst, budget.level), world.now)
        if push.seen.priority == 10 {
            budget.level -= 1
        } else if budget.level < 1 {
            hit(.highBudgetSpent)
        }
        budgets[card.client] = budget
    }

    private mutating func answered(
        broadcast push: JudgedPush, _ status: Int?, _ hit: (Probe) -> Void
    ) {
        let content = Content(token: push.token, content: push.content)
        if status == 200 {
            hit(push.isEnd ? .broadcastEnded : .broadcastSent)
            if failedAt.removeValue(forKey: content) != nil { hit(.broadcastAgain) }
        } else {
            failedAt[content] = push.seen.at
        }
    }

    private mutating func answered(
        _ push: JudgedPush, _ status: Int?, _ reason: String, in world: Circumstances,
        _ hit: (Probe) -> Void
    ) {
        let wasAccepted = accepted.remove(push.seen.number) != nil
        if push.event == "start" {
            if status == nil { hit(.startWithoutAnswer) }
            if let status, status != 200 { hit(.startRefused) }
        }
        guard push.seen.isToDevice else { return answered(broadcast: push, status, hit) }
        guard push.isOfCard else { return }
        if push.isEnd, status != 200 { failedEnds.insert(push.token) }
        switch status {
        case nil: if wasAccepted { hit(.acceptedWithoutAnswer) }
        case 200: break
        case 410:
            goneAt[push.token] = world.now
            if let retired = world.cards.retiredAt[push.token], push.seen.at <= retired {
                hit(.goneForTokenReplacedInFlight)
            }
        case 429: hit(.tooManyForOneDevice)
        case 403: if reason == "ExpiredProviderToken" { hit(.expiredProviderToken) }
        case 500, 503: failedAt[Content(token: push.token, content: push.content)] = world.now
        default:
            if reason == "BadDeviceToken" {
                if !badTokens.insert(push.token).inserted { hit(.badTokenTwice) }
            } else {
                hit(.payloadRefused)
            }
        }
        if push.isEnd, status != nil, status != 200 { hit(.endRefused) }
    }
}
