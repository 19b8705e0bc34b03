package import GameLogic

/// The cards' words. Keys are English phrases of the String Catalog, as Apple writes them.
extension Policy {
    /// What happened, as the party's story tells it.
    package static func phrase(for kind: PartyEvent.Kind) -> Phrase {
        switch kind {
        case .adventureBegan: Phrase("Adventure has begun!")
        case .commonLootFound(let hero, let item): Phrase("%@ found %@!", hero.gap, item.gap)
        case .rareLootFound(let hero, let item): Phrase("Wow! %@ found %@!", hero.gap, item.gap)
        case .smallHeal(let hero, amount: _): Phrase("%@ feels a little better.", hero.gap)
        case .hurt(let hero, by: let foe, damage: _):
            Phrase("%@ was hurt by %@.", hero.gap, foe.gap)
        case .criticallyHit(let hero, by: let foe, damage: _):
            Phrase("%@ took a critical hit from %@!", hero.gap, foe.gap)
        case .knockedDown(let hero): Phrase("%@ has been knocked down!", hero.gap)
        case .potionUsed(by: let giver, on: let taker): potion(from: giver, to: taker)
        case .revived(let hero): Phrase("%@ is back on their feet!", hero.gap)
        case .foeDefeated(let foe, by: let hero): Phrase("%@ defeated %@!", hero.gap, foe.gap)
        case .bossAppeared(let boss): Phrase("Here comes %@!", boss.gap)
        case .bossEnraged(let boss): Phrase("Watch out: %@ is furious!", boss.gap)
        case .bossDefeated(let boss, by: let hero):
            Phrase("Victory! %@ has brought down %@!", hero.gap, boss.gap)
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

    /// What happened, as the card of this hero tells it.
    package static func phrase(for kind: PartyEvent.Kind, onCardOf hero: HeroTag) -> Phrase {
        guard case .adventureOver(let outcome) = kind else { return phrase(for: kind) }
        return farewell(outcome) ?? Phrase("Adventure over! %@ is taking a nap.", hero.gap)
    }

    /// What happened, where the cards of all heroes tell the same of it; `nil` where they do not.
    static func phraseForAll(of kind: PartyEvent.Kind) -> Phrase? {
        guard case .adventureOver(let outcome) = kind else { return phrase(for: kind) }
        return farewell(outcome)
    }

    /// What a card of which nothing is known says when it must go.
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
