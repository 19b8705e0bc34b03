package import GameLogic

/// The text of content states. Keys are English sentences of the String Catalog, as Apple writes
/// them: one key for each sentence and thing, because other languages inflect the thing. What a
/// pack brings has its words there, under keys such as "stolen-pie/1.magpie.hits".
package enum EventTexts {
    /// Returns what happened, as the party sees it.
    package static func text(for kind: PartyEvent.Kind) -> LocalizableText {
        switch kind {
        case .adventureBegan(let pack): LocalizableText("\(pack).begins")
        case .commonLootFound(let hero, let item): find(of: item, by: hero)
        case .rareLootFound(let hero, let item):
            text(about: item, "found", hero) { "Wow! %@ found \($0)!" }
        case .smallHeal(let hero, amount: _): LocalizableText("%@ feels a little better.", hero.gap)
        case .hurt(let hero, by: let foe, damage: _): blow(of: foe, on: hero)
        case .criticallyHit(let hero, by: let foe, damage: _): criticalBlow(of: foe, on: hero)
        case .knockedDown(let hero): LocalizableText("%@ has been knocked down!", hero.gap)
        case .potionUsed(by: let giver, on: let taker): potion(from: giver, to: taker)
        case .revived(let hero): LocalizableText("%@ is back on their feet!", hero.gap)
        case .foeDefeated(let foe, by: let hero):
            text(about: foe, "falls", hero) { "%@ defeated \($0)!" }
        case .bossAppeared(let boss): text(about: boss, "comes") { "Here comes \($0)!" }
        case .bossEnraged(let boss, phase: let phase): rage(of: boss, phase)
        case .bossDefeated(let boss, by: let hero):
            text(about: boss, "falls", hero) { "Victory! %@ has brought down \($0)!" }
        case .stormRaised: LocalizableText("A storm is raging!")
        case .heroJoined(let hero): LocalizableText("%@ has joined the party!", hero.gap)
        case .heroLeft(let hero): LocalizableText("%@ has left the party.", hero.gap)
        case .connectionLost(let hero): loss(of: hero)
        case .connectionReturned(let hero): LocalizableText("%@ has found the way back!", hero.gap)
        case .partyDefeated: LocalizableText("The whole party is down!")
        case .timeLimitReached: LocalizableText("Night has fallen on the adventure.")
        case .adventureOver(let outcome): ending(outcome) ?? nap
        case .leaderChanged(let hero): LocalizableText("%@ leads the party now.", hero.gap)
        case .potionsFound(let hero, count: let count): potions(count, of: hero)
        case .adventurePaused: LocalizableText("The adventure takes a break.")
        case .adventureResumed: LocalizableText("The adventure goes on!")
        case .messageSent(let message): LocalizableText(message)
        case .bossGathers(let boss): warning(of: boss)
        case .bossSweeps(let boss): sweep(of: boss)
        case .inDanger(let hero): LocalizableText("%@ is in grave danger!", hero.gap)
        case .helpAsked(let fallen, of: let helper): need(of: fallen, helper)
        case .lastStand: LocalizableText("Everybody is down! Who has a potion?")
        case .secondWind(let hero): LocalizableText("%@ gets a second wind!", hero.gap)
        case .taleTold(let tale): LocalizableText("\(tale).told")
        case .forkAsked(let fork): LocalizableText("\(fork).ask")
        case .forkTaken(let fork, bold: let isBold): way(from: fork, bold: isBold)
        case .fleeAsked: LocalizableText("It looks bad. Run away?")
        case .fled: LocalizableText("The party has run away!")
        case .guardAsked(let hero): call(for: hero)
        case .guarded(let friend, by: let hero): cover(of: friend, hero)
        case .lootAsked(let hero, _): LocalizableText("Who could use what %@ found?", hero.gap)
        case .lootGiven(let hero, _): LocalizableText("%@ gets the treasure!", hero.gap)
        case .breathTaken: LocalizableText("A breather! The party feels better.")
        case .potionsRefilled: LocalizableText("A potion for everybody!")
        case .stopAsked: LocalizableText("Stop here, or on to the next boss?")
        case .stopped: LocalizableText("The party stops here.")
        case .worldHit: LocalizableText("The party strikes the world boss!")
        case .worldBossWeakened(let boss, let stage): weakness(of: boss, stage)
        case .worldBossDefeated(let boss): weakness(of: boss, .fallen)
        case .lootForAll: LocalizableText("A treasure for everybody!")
        case .readyAsked: LocalizableText("Ready for an adventure?")
        case .readyCheckEnded: LocalizableText("The party isn't setting out yet.")
        case .heroStayed(let hero): LocalizableText("%@ stays at the inn this time.", hero.gap)
        case .heroFollowed(let hero): LocalizableText("%@ has caught up with the party!", hero.gap)
        }
    }

    /// Returns what happened, as this hero's activity shows it.
    package static func text(for kind: PartyEvent.Kind, onActivityOf hero: HeroTag)
        -> LocalizableText
    {
        switch kind {
        case .adventureOver(let outcome):
            ending(outcome) ?? LocalizableText("Adventure over! %@ is taking a nap.", hero.gap)
        case .lootForAll(let item): text(for: .rareLootFound(hero, item))
        default: text(for: kind)
        }
    }

    /// Returns what happened, if the activities of all heroes show the same; `nil` otherwise.
    static func textForAll(of kind: PartyEvent.Kind) -> LocalizableText? {
        switch kind {
        case .adventureOver(let outcome): ending(outcome)
        case .lootForAll: nil
        default: text(for: kind)
        }
    }

    /// The last text of an activity without any content.
    static let last = LocalizableText("Adventure over!")

    private static let nap = LocalizableText("Adventure over! Everybody is taking a nap.")

    private static func ending(_ outcome: Outcome) -> LocalizableText? {
        switch outcome {
        case .bossDefeated(_, by: let hero):
            LocalizableText("Adventure over! %@ has defeated the boss! Congrats!", hero.gap)
        case .fled: LocalizableText("Adventure over! Everybody got away.")
        case .stopped: LocalizableText("Adventure over! The party stopped at the right time.")
        case .worldBossDefeated:
            LocalizableText("Adventure over! The world boss has fallen! Congrats!")
        case .partyDefeated, .timeLimit, .endedByGameMaster, .abandoned: nil
        }
    }

    /// Returns the sentence about a thing: of the String Catalog for those of `base.json`, else of
    /// the pack that brings the thing.
    private static func text(
        about thing: some Thing, _ verb: String, _ hero: HeroTag? = nil,
        _ sentence: (String) -> String
    ) -> LocalizableText {
        LocalizableText(
            key: words[thing.name].map(sentence) ?? "\(thing.name).\(verb)",
            arguments: hero.map { [$0.gap] } ?? [])
    }

    private static func blow(of foe: Foe, on hero: HeroTag) -> LocalizableText {
        text(about: foe, "hits", hero) { "%@ was hurt by \($0)." }
    }

    private static func criticalBlow(of foe: Foe, on hero: HeroTag) -> LocalizableText {
        text(about: foe, "crits", hero) { "%@ took a critical hit from \($0)!" }
    }

    private static func warning(of boss: Boss) -> LocalizableText {
        text(about: boss, "gathers") { "Take cover: \($0) gathers its strength!" }
    }

    private static func sweep(of boss: Boss) -> LocalizableText {
        text(about: boss, "sweeps") { "The whole party is hit by \($0)!" }
    }

    private static func find(of item: Item, by hero: HeroTag) -> LocalizableText {
        text(about: item, "found", hero) { "%@ found \($0)!" }
    }

    /// The things of `base.json`, with their articles, as the keys of the String Catalog have them.
    private static let words = [
        "coin": "a coin", "mushroom": "a mushroom", "rope": "a rope", "map": "a map",
        "acorn": "an acorn", "sword": "a sword", "shield": "a shield", "crown": "a crown",
        "crystal": "a crystal", "cloak": "a cloak",
        "slime": "a slime", "bat": "a bat", "goblin": "a goblin", "troll": "a troll",
        "ghost": "a ghost", "storm": "the storm",
        "dragon": "the dragon", "kraken": "the kraken", "robot": "the giant robot",
    ]

    private static func rage(of boss: Boss, _ phase: Int) -> LocalizableText {
        text(about: boss, phase == 2 ? "enraged" : "enraged-\(phase)") {
            "Watch out: \($0) is furious!"
        }
    }

    /// Only a pack's own boss is a world boss.
    private static func weakness(of boss: Boss, _ stage: WorldStage) -> LocalizableText {
        LocalizableText("\(boss.name).world-\(stage.rawValue)")
    }

    private static func way(from fork: Fork, bold isBold: Bool) -> LocalizableText {
        LocalizableText(isBold ? "\(fork).bold" : "\(fork).safe")
    }

    private static func need(of fallen: HeroTag, _ helper: HeroTag) -> LocalizableText {
        LocalizableText("%@ needs a potion from %@.", fallen.gap, helper.gap)
    }

    private static func cover(of friend: HeroTag, _ hero: HeroTag) -> LocalizableText {
        LocalizableText("%@ stands guard over %@.", hero.gap, friend.gap)
    }

    private static func call(for friend: HeroTag) -> LocalizableText {
        LocalizableText("%@ can hardly stand. Who stands guard?", friend.gap)
    }

    private static func potions(_ count: Int, of hero: HeroTag) -> LocalizableText {
        LocalizableText("%@ found %lld potions!", hero.gap, .count(count))
    }

    private static func loss(of hero: HeroTag) -> LocalizableText {
        LocalizableText("%@ is in the woods and lost connection.", hero.gap)
    }

    private static func potion(from giver: HeroTag, to taker: HeroTag) -> LocalizableText {
        giver.id == taker.id
            ? LocalizableText("%@ drank a potion.", taker.gap)
            : LocalizableText("%@ gave %@ a potion.", giver.gap, taker.gap)
    }
}

extension HeroTag {
    fileprivate var gap: LocalizableText.Argument { .name(name) }
}
