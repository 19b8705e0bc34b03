/// IN5, alerts: each is for an event of the hero that its player can act on, not older than 30 s,
/// and no more of them than the policy allows. The kinds and limits are written down here a second
/// time, from docs/reference/push-policy.md.
struct AlertRules: Rules {
    private struct Heard {
        let at: Int64
        let push: JudgedPush
    }

    /// An older alert makes no sound.
    static let ageMax: Int64 = 30_000
    static let tenMinutes: Int64 = 600_000
    static let hour: Int64 = 3_600_000
    static let tenMinutesMax = 2
    static let hourMax = 6

    /// What each title tells of.
    static let kinds: [String: [String]] = [
        "%@ is knocked down!": ["knockedDown", "helpAsked"],
        "%@ has taken a critical hit!": ["inDanger"],
        "%@ is the party's last hope!": ["lastStand"],
    ]

    /// What a phone has heard, by the activity, as the server knows it.
    private var heard: [String: [Heard]] = [:]
    private var sent: [JudgedPush] = []

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        switch scene {
        case .sent(let push):
            guard push.isOfCard, push.alert != nil else { return }
            sent.append(push)
            if push.isEnd || Self.kinds[push.alertTitle ?? ""] == nil {
                findings.note(
                    .IN5, at: world.now,
                    "\(push.card) alerts with “\(push.alertTitle ?? "no title")” on \(push.event)")
            }
            if push.seen.priority != 10 {
                findings.note(.IN5, at: world.now, "\(push.card) alerts at low priority")
            }
        case .answered(let push, status: 200, reason: _):
            guard push.isOfCard, push.alert != nil else { return }
            hear(push, in: world, &findings)
        case .answered, .reached, .exchange, .other: break
        }
    }

    private mutating func hear(
        _ push: JudgedPush, in world: Circumstances, _ findings: inout Violations
    ) {
        let activity = world.cards.activities[push.token] ?? push.token
        heard[activity, default: []].append(Heard(at: world.now, push: push))
        // One alert for a last stand is still allowed, and a death may lose what was counted.
        for (span, most, words) in [
            (Self.tenMinutes, Self.tenMinutesMax, "ten minutes"),
            (Self.hour, Self.hourMax, "an hour"),
        ] {
            let recent = heard[activity, default: []].filter { $0.at > world.now - span }
            let stands = recent.contains { $0.push.alertTitle == "%@ is the party's last hope!" }
            let deaths = world.deaths.count { $0.at > world.now - span }
            guard recent.count > most + (stands ? 1 : 0) + deaths else { continue }
            findings.note(
                .IN5, at: world.now, "\(push.card) has alerted \(recent.count) times in \(words)")
        }
    }

    /// Compares the alerts with the events, which responses have told by now.
    mutating func conclude(in world: Circumstances, _ findings: inout Violations) {
        guard world.isClockSteady else { return }
        for push in sent {
            guard let card = world.cards.card(of: push.token),
                let kinds = Self.kinds[push.alertTitle ?? ""],
                let party = world.parties.party(of: card.hero),
                party.story.last.map({ $0.at > push.seen.at }) ?? false
            else { continue }
            let cause = party.story.contains { event in
                kinds.contains(event.kind) && isFor(card.hero, event)
                    && event.at <= push.seen.at + 100
                    && push.seen.at - event.at <= Self.ageMax + 1000 + world.commitMax
            }
            guard !cause else { continue }
            findings.note(
                .IN5, at: push.seen.at,
                """
                \(push.card) alerts “\(push.alertTitle ?? "")”, but nothing of that kind has \
                happened to its hero in the 30 s before
                """)
        }
    }

    /// Returns whether an event may alert the player of this hero.
    private func isFor(_ hero: String, _ event: SeenEvent) -> Bool {
        switch event.kind {
        case "helpAsked": event.hero != hero
        case "lastStand": true
        default: event.hero == hero
        }
    }
}
