package import GameLogic

/// The sentences of events: their keys among the texts of packs, and what fills their gaps.
package enum EventTexts {
    /// Returns what happened, as the party sees it.
    package static func text(for event: PartyEvent) -> LocalizableText {
        text(for: event.kind, event.telling)
    }

    /// Returns what happened, as the party sees it, in the variant of the telling.
    package static func text(
        for kind: PartyEvent.Kind, _ telling: Telling = .first
    ) -> LocalizableText {
        if case .messageSent(let message) = kind { return LocalizableText(message) }
        return LocalizableText(
            key: kind.sentenceKey ?? LocalizableText.messageKey, arguments: arguments(of: kind),
            telling: telling)
    }

    /// Returns what happened, as the activity of this hero shows it, who is in this condition.
    package static func text(
        for event: PartyEvent, onActivityOf hero: HeroTag,
        _ condition: Member.Condition = .standing
    ) -> LocalizableText {
        text(for: event.kind, event.telling, onActivityOf: hero, condition)
    }

    /// Returns what happened, as the activity of this hero shows it, who is in this condition.
    package static func text(
        for kind: PartyEvent.Kind, _ telling: Telling = .first, onActivityOf hero: HeroTag,
        _ condition: Member.Condition = .standing
    ) -> LocalizableText {
        switch kind {
        case .adventureOver(let outcome, in: let pack):
            LocalizableText(
                key: "\(pack).\(outcome.sentenceKey(for: condition))", arguments: [hero.gap],
                telling: telling)
        case .lootForAll(let item): text(for: .rareLootFound(hero, item), telling)
        default: text(for: kind, telling)
        }
    }

    /// Returns what happened, if the activities of all heroes show the same; `nil` otherwise.
    static func textForAll(of event: PartyEvent) -> LocalizableText? {
        switch event.kind {
        case .adventureOver, .lootForAll: nil
        default: text(for: event)
        }
    }

    /// The last text of an activity without any content.
    static let last = LocalizableText("ends.party")

    private static func arguments(of kind: PartyEvent.Kind) -> [LocalizableText.Argument] {
        switch kind {
        case .commonLootFound(let hero, _), .rareLootFound(let hero, _),
            .smallHeal(let hero, amount: _), .hurt(let hero, by: _, damage: _),
            .criticallyHit(let hero, by: _, damage: _), .knockedDown(let hero),
            .revived(let hero), .foeDefeated(_, by: let hero), .bossDefeated(_, by: let hero),
            .heroJoined(let hero), .heroLeft(let hero), .connectionLost(let hero),
            .connectionReturned(let hero), .leaderChanged(let hero), .inDanger(let hero),
            .secondWind(let hero), .guardAsked(let hero), .lootAsked(let hero, _),
            .lootGiven(let hero, _), .heroStayed(let hero), .heroFollowed(let hero):
            [hero.gap]
        case .potionsFound(let hero, count: let count): [hero.gap, .count(count)]
        case .potionUsed(by: let giver, on: let taker):
            giver.id == taker.id ? [taker.gap] : [giver.gap, taker.gap]
        case .helpAsked(let fallen, of: let helper): [fallen.gap, helper.gap]
        case .guarded(let friend, by: let hero): [hero.gap, friend.gap]
        case .adventureBegan, .foeAppeared, .foeLeft, .bossAppeared, .bossEnraged, .stormRaised,
            .partyDefeated, .timeLimitReached, .adventureOver, .adventurePaused,
            .adventureResumed, .messageSent, .bossGathers, .bossSweeps, .lastStand, .taleTold,
            .forkAsked, .forkTaken, .fleeAsked, .fled, .breathTaken, .potionsRefilled, .stopAsked,
            .stopped, .worldHit, .worldBossWeakened, .worldBossDefeated, .lootForAll, .readyAsked,
            .readyCheckEnded:
            []
        }
    }
}

extension HeroTag {
    fileprivate var gap: LocalizableText.Argument { .name(name) }
}
