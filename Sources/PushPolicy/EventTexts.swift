package import GameLogic

/// The text of content states. Keys are English sentences of the String Catalog, as Apple writes
/// them: one key for each sentence and thing, because other languages inflect the thing.
package enum EventTexts {
    /// Returns what happened, as the party sees it.
    package static func text(for kind: PartyEvent.Kind) -> LocalizableText {
        switch kind {
        case .adventureBegan: LocalizableText("Adventure has begun!")
        case .commonLootFound(let hero, let item):
            LocalizableText("%@ found \(item.word)!", hero.gap)
        case .rareLootFound(let hero, let item):
            LocalizableText("Wow! %@ found \(item.word)!", hero.gap)
        case .smallHeal(let hero, amount: _): LocalizableText("%@ feels a little better.", hero.gap)
        case .hurt(let hero, by: let foe, damage: _):
            LocalizableText("%@ was hurt by \(foe.word).", hero.gap)
        case .criticallyHit(let hero, by: let foe, damage: _):
            LocalizableText("%@ took a critical hit from \(foe.word)!", hero.gap)
        case .knockedDown(let hero): LocalizableText("%@ has been knocked down!", hero.gap)
        case .potionUsed(by: let giver, on: let taker): potion(from: giver, to: taker)
        case .revived(let hero): LocalizableText("%@ is back on their feet!", hero.gap)
        case .foeDefeated(let foe, by: let hero):
            LocalizableText("%@ defeated \(foe.word)!", hero.gap)
        case .bossAppeared(let boss): LocalizableText("Here comes \(boss.word)!")
        case .bossEnraged(let boss): LocalizableText("Watch out: \(boss.word) is furious!")
        case .bossDefeated(let boss, by: let hero):
            LocalizableText("Victory! %@ has brought down \(boss.word)!", hero.gap)
        case .stormRaised: LocalizableText("A storm is raging!")
        case .heroJoined(let hero): LocalizableText("%@ has joined the party!", hero.gap)
        case .heroLeft(let hero): LocalizableText("%@ has left the party.", hero.gap)
        case .connectionLost(let hero):
            LocalizableText("%@ is in the woods and lost connection.", hero.gap)
        case .connectionReturned(let hero): LocalizableText("%@ has found the way back!", hero.gap)
        case .partyDefeated: LocalizableText("The whole party is down!")
        case .timeLimitReached: LocalizableText("Night has fallen on the adventure.")
        case .adventureOver(let outcome):
            ending(outcome) ?? LocalizableText("Adventure over! Everybody is taking a nap.")
        case .leaderChanged(let hero): LocalizableText("%@ leads the party now.", hero.gap)
        case .potionsFound(let hero, count: _): LocalizableText("%@ found potions!", hero.gap)
        case .adventurePaused: LocalizableText("The adventure takes a break.")
        case .adventureResumed: LocalizableText("The adventure goes on!")
        case .messageSent(let message): LocalizableText(message)
        }
    }

    /// Returns what happened, as this hero's activity shows it.
    package static func text(for kind: PartyEvent.Kind, onActivityOf hero: HeroTag)
        -> LocalizableText
    {
        guard case .adventureOver(let outcome) = kind else { return text(for: kind) }
        return ending(outcome) ?? LocalizableText("Adventure over! %@ is taking a nap.", hero.gap)
    }

    /// Returns what happened, if the activities of all heroes show the same; `nil` otherwise.
    static func textForAll(of kind: PartyEvent.Kind) -> LocalizableText? {
        guard case .adventureOver(let outcome) = kind else { return text(for: kind) }
        return ending(outcome)
    }

    /// The last text of an activity without any content.
    static let last = LocalizableText("Adventure over!")

    private static func ending(_ outcome: Outcome) -> LocalizableText? {
        switch outcome {
        case .bossDefeated(_, by: let hero):
            LocalizableText("Adventure over! %@ has defeated the boss! Congrats!", hero.gap)
        case .partyDefeated, .timeLimit, .endedByGameMaster, .abandoned: nil
        }
    }

    private static func potion(from giver: HeroTag, to taker: HeroTag) -> LocalizableText {
        giver.id == taker.id
            ? LocalizableText("%@ drank a potion.", taker.gap)
            : LocalizableText("%@ gave %@ a potion.", giver.gap, taker.gap)
    }
}

// MARK: Things, with their articles, as the keys have them

extension Item {
    fileprivate var word: String {
        switch self {
        case .coin: "a coin"
        case .mushroom: "a mushroom"
        case .rope: "a rope"
        case .map: "a map"
        case .acorn: "an acorn"
        case .sword: "a sword"
        case .shield: "a shield"
        case .crown: "a crown"
        case .crystal: "a crystal"
        case .cloak: "a cloak"
        }
    }
}

extension Foe {
    fileprivate var word: String {
        switch self {
        case .slime: "a slime"
        case .bat: "a bat"
        case .goblin: "a goblin"
        case .troll: "a troll"
        case .ghost: "a ghost"
        case .storm: "the storm"
        case .dragon: Boss.dragon.word
        case .kraken: Boss.kraken.word
        case .robot: Boss.robot.word
        }
    }
}

extension Boss {
    fileprivate var word: String {
        switch self {
        case .dragon: "the dragon"
        case .kraken: "the kraken"
        case .robot: "the giant robot"
        }
    }
}

extension HeroTag {
    fileprivate var gap: LocalizableText.Argument { .name(name) }
}
