package import GameLogic

/// The table: what each kind of event is worth. One row a kind, and no `default`, so that a new
/// kind does not compile without its row. A test compares it with `docs/push-policy.md`.
package enum Policy {
    package static func rule(for kind: PartyEvent.Kind) -> Rule {
        switch kind {
        case .adventureBegan: .high("the card's first state cannot wait")
        case .commonLootFound: .low("common loot is low priority (Q3)")
        case .rareLootFound: .low("loot is low priority (Q3)")
        case .smallHeal: .low("a small heal is low priority (Q3)")
        case .hurt: .low("a scratch is low priority (Q1)")
        case .criticallyHit: .low("a critical hit does not need the player yet (Q1)")
        case .knockedDown(let hero): .alerting(hero, "a hero is down: its owner must act (Q5, Q10)")
        case .potionUsed: .low("a potion is good news that can wait (Q1)")
        case .revived: .low("a revival is good news that can wait (Q1)")
        case .foeDefeated: .low("a defeated foe can wait (Q1)")
        case .bossAppeared: .high("the boss is a turning point (Q5)", relevance: Relevance.urgent)
        case .bossEnraged: .low("the boss's mood can wait (Q1)")
        case .bossDefeated:
            .high("a defeated boss is high priority (Q5)", relevance: Relevance.urgent)
        case .stormRaised: .low("the weather can wait (Q1)")
        case .heroJoined: .low("company can wait (Q1)")
        case .heroLeft: .low("a farewell can wait (Q1)")
        case .connectionLost: .low("a lost connection shows by the stale date too (Q15)")
        case .connectionReturned: .low("a return can wait (Q1)")
        case .partyDefeated: .high("the party is defeated (Q5)")
        case .timeLimitReached: .high("the card must end in time (N1)")
        case .adventureOver:
            .high(
                "the card must end with the adventure (N4)", expirationSeconds: Rule.Expiration.end)
        }
    }
}
