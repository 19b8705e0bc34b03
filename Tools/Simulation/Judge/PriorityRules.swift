internal import Playtest

/// IN5, priorities: high is for the kinds of events that the rules name, at once, and within a
/// phone's budget; both are implemented here a second time.
struct PriorityRules: Rules {
    /// A budget of high-priority pushes, in thousandths.
    private struct Budget {
        var level: Double
        var at: Int64
        var life: LifeID
    }

    /// At once, and an hour.
    static let usual = (burst: 10.0, hourly: 20.0)
    static let frequent = (burst: 40.0, hourly: 80.0)
    /// When a push of high priority leaves at the latest if nothing goes wrong.
    static let promptMax: Int64 = 3000
    /// What is quiet for so long has no pauses left of what went wrong before.
    static let quietMin: Int64 = 16 * 60_000
    static let quietMinWithoutRefusals: Int64 = 90_000

    private var budgets: [String: Budget] = [:]
    private var spent: Set<String> = []
    private var refused = RefusedTokens()
    /// By token.
    private var sent: [String: [JudgedPush]] = [:]
    /// When nothing had gone wrong for long, from and to.
    private var quietSpans: [(from: Int64, to: Int64)] = []

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        noteQuiet(world)
        refused.see(scene, in: world)
        guard case .sent(let push) = scene, push.isOfCard else { return }
        let activity = world.cards.activities[push.token] ?? push.token
        sent[push.token, default: []].append(push)
        // What Apple has not processed, the client repeats.
        guard push.seen.priority == 10, push.alert == nil, !push.isEnd,
            spent.insert(push.seen.apnsID).inserted
        else { return }
        spend(push, of: activity, in: world, &findings)
    }

    private mutating func noteQuiet(_ world: Circumstances) {
        let hasRefusals = world.faults.contains { $0.fault.kind == .apns }
        let isQuiet =
            world.faults.isEmpty
            || world.quiet >= (hasRefusals ? Self.quietMin : Self.quietMinWithoutRefusals)
        guard isQuiet, world.serving != nil else { return }
        if let last = quietSpans.last, last.to >= world.disturbedAt {
            quietSpans[quietSpans.count - 1].to = world.now
        } else {
            quietSpans.append((world.now, world.now))
        }
    }

    private mutating func spend(
        _ push: JudgedPush, of activity: String, in world: Circumstances,
        _ findings: inout Violations
    ) {
        let size =
            world.cards.card(of: push.token)?.allowsFrequent ?? true ? Self.frequent : Self.usual
        var budget =
            budgets[activity] ?? Budget(level: size.burst, at: world.now, life: push.seen.life)
        // A server that dies may forget what it has spent since its last write.
        if budget.life != push.seen.life { budget.level = min(size.burst, budget.level + 1) }
        let elapsed = Double(world.now - budget.at + world.setForward) / 3_600_000
        budget.level = min(size.burst, budget.level + elapsed * size.hourly)
        budget.level -= 1
        budget.at = world.now
        budget.life = push.seen.life
        budgets[activity] = budget
        if budget.level < -1 {
            findings.note(
                .IN5, at: world.now,
                "\(push.card) got a push of high priority beyond its phone's budget")
        }
    }

    mutating func conclude(in world: Circumstances, _ findings: inout Violations) {
        guard world.isClockSteady else { return }
        for card in world.cards.all where !refused.isDead(card, in: world) {
            guard let party = world.parties.party(of: card.hero) else { continue }
            judge(card, party.story, in: world, &findings)
        }
    }

    /// Judges a card whose clock was never set.
    private func judge(
        _ card: SeenCard, _ story: [SeenEvent], in world: Circumstances,
        _ findings: inout Violations
    ) {
        let pushes = card.tokens.flatMap { sent[$0] ?? [] }
        for event in story
        where isPrompt(event, on: card) && isQuiet(event.at, card)
            && !isDown(card.hero, before: event, in: story)
        {
            let isSent = pushes.contains {
                $0.seen.at >= event.at - 1000 && $0.seen.at <= event.at + Self.promptMax
            }
            guard !isSent, pushes.last.map({ !$0.isEnd || $0.seen.at > event.at }) ?? true else {
                continue
            }
            findings.note(
                .IN5, at: event.at,
                "\(event.kind) (event \(event.sequence)) left no push to card \(card.activity) at once"
            )
        }
        judgeHigh(pushes, story, card, in: world, &findings)
    }

    /// Whether that event sends a push of high priority to the card, whatever else happens.
    private func isPrompt(_ event: SeenEvent, on card: SeenCard) -> Bool {
        switch event.kind {
        // Version 1 of the content state says an open question instead.
        case "bossAppeared", "bossDefeated", "bossGathers": card.stateVersion > 1
        case "knockedDown": event.hero == card.hero
        default: false
        }
    }

    /// Whether the hero is down, so that its card goes on telling the fall.
    private func isDown(_ hero: String, before event: SeenEvent, in story: [SeenEvent]) -> Bool {
        let own = story.last { other in
            other.sequence < event.sequence && other.hero == hero
                && ["knockedDown", "revived", "potionUsed", "secondWind", "adventureBegan"]
                    .contains(other.kind)
        }
        return own?.kind == "knockedDown"
    }

    private func isQuiet(_ at: Int64, _ card: SeenCard) -> Bool {
        guard let tokenAt = card.tokenAt, tokenAt + 5000 < at, card.goneAt ?? .max > at + 5000
        else { return false }
        return quietSpans.contains { $0.from <= at - 5000 && $0.to >= at + Self.promptMax }
    }

    /// Each push of high priority has an event that asks for it and that no push has told before.
    private func judgeHigh(
        _ pushes: [JudgedPush], _ story: [SeenEvent], _ card: SeenCard, in world: Circumstances,
        _ findings: inout Violations
    ) {
        for push in pushes
        where push.seen.priority == 10 && push.alert == nil && !push.isEnd {
            guard let last = story.last, last.at > push.seen.at, let first = story.first,
                first.sequence == 1
            else { continue }
            // An event may wait through an outage and a gap for as long as it is kept.
            let cause = story.contains { event in
                event.at <= push.seen.at + 100 && event.at > push.seen.at - 3_600_000
                    && (Invariants.isHighPriority(event.kind) || Invariants.isBlow(event.kind))
            }
            guard !cause else { continue }
            findings.note(
                .IN5, at: push.seen.at,
                "\(push.words) has high priority, but no event of the last hour asks for it")
        }
    }
}
