package import GameLogic

/// The push policy: one row for each kind of event, without `default`, so that a new kind does not
/// compile without its row.
package enum Policy {
    package static func rule(for kind: PartyEvent.Kind) -> Rule {
        switch kind {
        case .adventureBegan: .high("the start of an adventure")
        case .commonLootFound: .low("common loot")
        case .rareLootFound: .low("rare loot")
        case .smallHeal: .low("a small heal")
        case .hurt: .low("a hit")
        case .criticallyHit: .low("a critical hit that leaves the hero standing")
        case .knockedDown(let hero): .alerting(hero, "a hero's knock-down")
        case .potionUsed: .low("a potion")
        case .revived: .low("a hero's revival")
        case .foeDefeated: .low("a foe's defeat")
        case .bossAppeared: .high("a boss's appearance", relevance: Relevance.raised)
        case .bossEnraged: .low("a boss's rage")
        case .bossDefeated: .high("a boss's defeat", relevance: Relevance.raised)
        case .stormRaised: .low("a storm")
        case .heroJoined: .low("a hero who joins")
        case .heroLeft: .low("a hero who leaves")
        case .connectionLost: .low("a lost connection")
        case .connectionReturned: .low("a regained connection")
        case .partyDefeated: .high("the party's defeat")
        case .timeLimitReached: .high("the time limit")
        case .adventureOver:
            .high("the end of an adventure", expirationSeconds: Rule.Expiration.end)
        case .leaderChanged: .low("a new leader")
        case .potionsFound: .low("a gift of potions")
        case .adventurePaused: .low("a pause")
        case .adventureResumed: .low("the end of a pause")
        case .messageSent: .low("a game master's message")
        }
    }
}
