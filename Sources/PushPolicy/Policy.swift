package import GameLogic

/// The push policy: one row for each kind of event, without `default`, so that a new kind does not
/// compile without its row.
package enum Policy {
    package static func rule(for kind: PartyEvent.Kind) -> Rule {
        switch kind {
        case .adventureBegan: .high("the beginning of an adventure")
        case .commonLootFound: .low("common loot")
        case .rareLootFound: .low("rare loot")
        case .smallHeal: .low("a small heal")
        case .hurt: .low("a scratch")
        case .criticallyHit: .low("a critical hit that leaves the hero standing")
        case .knockedDown(let hero): .alerting(hero, "a hero's fall")
        case .potionUsed: .low("a potion")
        case .revived: .low("a hero's return to their feet")
        case .foeDefeated: .low("the end of a small fight")
        case .bossAppeared: .high("a boss's entrance", relevance: Relevance.urgent)
        case .bossEnraged: .low("a boss's temper")
        case .bossDefeated: .high("a victory over a boss", relevance: Relevance.urgent)
        case .stormRaised: .low("a storm")
        case .heroJoined: .low("a new companion")
        case .heroLeft: .low("a farewell")
        case .connectionLost: .low("a lost connection")
        case .connectionReturned: .low("a connection found again")
        case .partyDefeated: .high("the fall of the whole party")
        case .timeLimitReached: .high("nightfall")
        case .adventureOver:
            .high("the end of an adventure", expirationSeconds: Rule.Expiration.end)
        }
    }
}
