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
        case .hurt: .blow("a hit")
        case .criticallyHit: .blow("a critical hit that leaves the hero standing")
        case .knockedDown(let hero):
            .alerting(.knockDown(hero), "a hero's knock-down", to: .helpers(of: hero.id))
        case .potionUsed: .low("a potion")
        case .revived: .low("a hero's revival")
        case .foeAppeared: .low("a foe's appearance")
        case .foeDefeated: .low("a foe's defeat")
        case .foeLeft: .low("a foe that leaves")
        case .bossAppeared: .high("a boss's appearance", relevance: Relevance.raised)
        case .bossEnraged: .blow("a boss's rage")
        case .bossDefeated: .high("a boss's defeat", relevance: Relevance.raised)
        case .stormRaised: .low("a storm")
        case .heroJoined: .low("a hero who joins")
        case .heroLeft: .low("a hero who leaves")
        case .connectionLost: .low("a lost connection")
        case .connectionReturned: .low("a regained connection")
        case .partyDefeated: .high("the party's defeat")
        case .timeLimitReached: .high("the time limit")
        case .adventureOver: .high("an adventure's end", expirationSeconds: Rule.Expiration.end)
        case .leaderChanged: .low("a new leader")
        case .potionsFound: .low("a gift of potions")
        case .adventurePaused: .low("a pause")
        case .adventureResumed: .low("the end of a pause")
        case .messageSent: .low("a game master's message")
        case .bossGathers: .high("a boss's warning", relevance: Relevance.asking)
        case .bossSweeps: .blow("a blow against everybody")
        case .inDanger(let hero): .alerting(.critical(hero), "a hero's danger", to: .hero(hero.id))
        case .helpAsked(let fallen, of: let helper): call(for: fallen, to: helper)
        case .lastStand(let hero): .alerting(.lastStand(hero), "a party's last hope", to: .party)
        case .secondWind: .low("a second wind")
        case .taleTold: .low("a tale")
        case .forkAsked: .low("a question about the way", relevance: Relevance.asking)
        case .forkTaken: .low("a choice of way")
        case .fleeAsked: .high("a question about flight", relevance: Relevance.asking)
        case .fled: .low("a flight")
        case .guardAsked: .low("a question for a guard", relevance: Relevance.asking)
        case .guarded: .low("a guard")
        case .lootAsked: .low("a question about a find", relevance: Relevance.asking)
        case .lootGiven: .low("a find given to a friend")
        case .breathTaken: .low("a breath")
        case .potionsRefilled: .low("a potion for everybody")
        case .stopAsked: .high("a question about stopping", relevance: Relevance.asking)
        case .stopped: .low("a stop")
        case .worldHit: .low("a blow against the world boss")
        case .worldBossWeakened: .low("a weaker world boss", relevance: Relevance.raised)
        case .worldBossDefeated: .high("the world boss's defeat", relevance: Relevance.raised)
        case .lootForAll: .low("rare loot for everybody")
        case .readyAsked: .high("a ready check", relevance: Relevance.asking)
        case .readyCheckEnded: .low("the end of a ready check")
        case .heroStayed: .low("a hero who stays at the inn")
        case .heroFollowed: .low("a hero who follows")
        }
    }

    private static func call(for fallen: HeroTag, to helper: HeroTag) -> Rule {
        .alerting(
            .help(fallen, of: helper), "a fall that a friend can help with", to: .hero(helper.id))
    }
}
