internal import JSONReader

/// What adventures and alerts may come to.
struct PeopleProbes: ProbeGroup {
    private static let kinds: [String: Probe] = [
        "leaderChanged": .leaderLeft, "heroStayed": .heroStayed,
        "readyCheckEnded": .readyCheckFailed, "secondWind": .secondWind, "fled": .fled,
        "partyDefeated": .partyLost, "timeLimitReached": .timeIsUp, "forkTaken": .boldWay,
        "lootGiven": .lootForFriend, "guarded": .guardTaken, "worldHit": .worldBossHit,
        "worldBossDefeated": .worldBossFell,
    ]
    private static let alerts: [String: Probe] = [
        "%@ is the party's last hope!": .lastStandAlert,
        "%@ has taken a critical hit!": .dangerAlert,
    ]

    private var seen: [String: Int64] = [:]

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ hit: (Probe) -> Void) {
        switch scene {
        case .sent(let push):
            guard push.isOfCard, push.alert != nil else { return }
            if let probe = Self.alerts[push.alertTitle ?? ""] { hit(probe) }
            if push.alert?["body"]?["loc-key"]?.text == "Give %@ a potion!" { hit(.helpAlert) }
        case .exchange(let exchange):
            guard let party = exchange.party, let id = party["id"]?.text else { return }
            let last = seen[id] ?? 0
            for event in party["events"]?.elements ?? [] {
                guard let sequence = event["sequence"]?.integer, sequence > last else { continue }
                seen[id] = max(sequence, seen[id] ?? 0)
                if let probe = Self.kinds[event["kind"]?.text ?? ""] { hit(probe) }
            }
            if party["adventure"]?["outcome"]?.text == "endedByGameMaster" { hit(.endedByMaster) }
        case .reached, .answered, .other: break
        }
    }
}
