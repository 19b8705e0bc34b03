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

/// The text of content states. Keys are English sentences of the String Catalog, as Apple writes
/// them: one key for each sentence and thing, because other languages inflect the thing.
extension Policy {
    /// Returns what happened, as the party sees it.
    package static func phrase(for kind: PartyEvent.Kind) -> Phrase {
        switch kind {
        case .adventureBegan: Phrase("Adventure has begun!")
        case .commonLootFound(let hero, let item): Phrase("%@ found \(item.word)!", hero.gap)
        case .rareLootFound(let hero, let item): Phrase("Wow! %@ found \(item.word)!", hero.gap)
        case .smallHeal(let hero, amount: _): Phrase("%@ feels a little better.", hero.gap)
        case .hurt(let hero, by: let foe, damage: _):
            Phrase("%@ was hurt by \(foe.word).", hero.gap)
        case .criticallyHit(let hero, by: let foe, damage: _):
            Phrase("%@ took a critical hit from \(foe.word)!", hero.gap)
        case .knockedDown(let hero): Phrase("%@ has been knocked down!", hero.gap)
        case .potionUsed(by: let giver, on: let taker): potion(from: giver, to: taker)
        case .revived(let hero): Phrase("%@ is back on their feet!", hero.gap)
        case .foeDefeated(let foe, by: let hero): Phrase("%@ defeated \(foe.word)!", hero.gap)
        case .bossAppeared(let boss): Phrase("Here comes \(boss.word)!")
        case .bossEnraged(let boss): Phrase("Watch out: \(boss.word) is furious!")
        case .bossDefeated(let boss, by: let hero):
            Phrase("Victory! %@ has brought down \(boss.word)!", hero.gap)
        case .stormRaised: Phrase("A storm is raging!")
        case .heroJoined(let hero): Phrase("%@ has joined the party!", hero.gap)
        case .heroLeft(let hero): Phrase("%@ has left the party.", hero.gap)
        case .connectionLost(let hero):
            Phrase("%@ is in the woods and lost connection.", hero.gap)
        case .connectionReturned(let hero): Phrase("%@ has found the way back!", hero.gap)
        case .partyDefeated: Phrase("The whole party is down!")
        case .timeLimitReached: Phrase("Night has fallen on the adventure.")
        case .adventureOver(let outcome):
            farewell(outcome) ?? Phrase("Adventure over! Everybody is taking a nap.")
        }
    }

    /// Returns what happened, as this hero's activity shows it.
    package static func phrase(for kind: PartyEvent.Kind, onCardOf hero: HeroTag) -> Phrase {
        guard case .adventureOver(let outcome) = kind else { return phrase(for: kind) }
        return farewell(outcome) ?? Phrase("Adventure over! %@ is taking a nap.", hero.gap)
    }

    /// Returns what happened, if the activities of all heroes show the same; `nil` otherwise.
    static func phraseForAll(of kind: PartyEvent.Kind) -> Phrase? {
        guard case .adventureOver(let outcome) = kind else { return phrase(for: kind) }
        return farewell(outcome)
    }

    /// The last text of an activity without any content.
    static let lastWords = Phrase("Adventure over!")

    private static func farewell(_ outcome: Outcome) -> Phrase? {
        switch outcome {
        case .bossDefeated(_, by: let hero):
            Phrase("Adventure over! %@ has defeated the boss! Congrats!", hero.gap)
        case .partyDefeated, .timeLimit, .endedByGameMaster, .abandoned: nil
        }
    }

    private static func potion(from giver: HeroTag, to taker: HeroTag) -> Phrase {
        giver.id == taker.id
            ? Phrase("%@ drank a potion.", taker.gap)
            : Phrase("%@ gave %@ a potion.", giver.gap, taker.gap)
    }
}
