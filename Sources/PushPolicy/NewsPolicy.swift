package import GameLogic

/// How much each kind of event matters on a card, beside the table of `Policy`: one row for each
/// kind, without `default`, so that a new kind does not compile without its row.
package enum NewsPolicy {
    package static func rule(for kind: PartyEvent.Kind) -> NewsRule {
        switch kind {
        case .adventureBegan: .all(.turn, "a beginning makes the lobby's news old")
        case .commonLootFound(let hero, _): .of(hero, .find, "a find is its finder's")
        case .rareLootFound(let hero, _): .of(hero, .find, "a find is its finder's")
        case .smallHeal(let hero, _): .of(hero, .find, "a rest is its hero's own, and small")
        case .hurt(let hero, _, _), .criticallyHit(let hero, _, _):
            .of(hero, .blow, "health is what a player looks for first")
        case .knockedDown(let hero): .of(hero, .fall, "a fall lasts, and its player can end it")
        case .potionUsed(by: let giver, on: let taker):
            .of(taker, .rescue, with: giver, .rescue, "a potion is taker's and giver's")
        case .revived(let hero): .of(hero, .rescue, "being up again outweighs the blow after it")
        case .foeAppeared: .all(.way, "a foe is in everybody's way")
        case .foeDefeated(_, by: let hero): .of(hero, .find, "the last blow is a hero's deed")
        case .foeLeft: .all(.way, "the way is everybody's")
        case .bossAppeared: .all(.turn, "a boss turns everybody's story")
        case .bossEnraged: .all(.way, "a boss's rage is everybody's, and no blow yet")
        case .bossDefeated(_, by: let hero):
            .of(hero, .find, else: .turn, "a victory is everybody's, the last blow a hero's deed")
        case .stormRaised: .all(.way, "a storm is everybody's, its blows are each hero's")
        case .heroJoined(let hero): .of(hero, .company, "who joins knows it already")
        case .heroLeft(let hero): .of(hero, .end, "who leaves sees it last")
        case .connectionLost(let hero): .of(hero, .blow, "who is lost can do nothing")
        case .connectionReturned(let hero): .of(hero, .rescue, "who is back can act again")
        case .partyDefeated, .timeLimitReached, .adventureOver: .all(.end, "no word follows an end")
        case .leaderChanged(let hero): .of(hero, .company, else: .untold, "who leads can act")
        case .potionsFound(let hero, _): .of(hero, .find, "a gift is its taker's")
        case .adventurePaused, .adventureResumed, .messageSent:
            .all(.word, "a game master speaks to each player")
        case .bossGathers: .question("who stands is asked to take cover")
        case .bossSweeps: .all(.blow, "the blow hits everybody who stands")
        case .inDanger(let hero): .of(hero, .danger, "its player can still act")
        case .helpAsked(let fallen, of: let helper):
            .of(fallen, .need, with: helper, .call, "who is down waits, and the friend can help")
        case .lastStand: .all(.lastStand, "one potion saves everybody, and time is short")
        case .secondWind(let hero): .of(hero, .rescue, "being up again outweighs the blow after it")
        case .taleTold: .all(.way, "a tale is everybody's")
        case .forkAsked: .question("everybody is asked")
        case .forkTaken: .all(.way, "the way is everybody's")
        case .fleeAsked: .question("who stands is asked")
        case .fled: .all(.way, "the way is everybody's")
        case .guardAsked(let friend):
            .question(about: friend, .blow, "the friends are asked, and one hero is weak")
        case .guarded(let friend, by: let hero):
            .of(friend, .rescue, with: hero, .rescue, "a guard changes what hits two heroes")
        case .lootAsked(let finder, _): .question(about: finder, .find, "everybody is asked")
        case .lootGiven(let hero, _): .of(hero, .find, "a gift is its taker's")
        case .breathTaken: .all(.way, "a rest is everybody's")
        case .potionsRefilled: .all(.find, "each hero has found one")
        case .stopAsked: .question("everybody is asked")
        case .stopped: .all(.way, "the way is everybody's")
        case .worldHit: .all(.way, "the blow is the party's")
        case .worldBossWeakened, .worldBossDefeated: .all(.turn, "a world boss turns every story")
        case .lootForAll: .all(.find, "each hero has found one")
        case .readyAsked: .question("everybody is asked")
        case .readyCheckEnded: .all(.way, "the party is where it was")
        case .heroStayed(let hero): .of(hero, .end, "who stays sees it last")
        case .heroFollowed(let hero): .of(hero, .company, "who follows knows it already")
        }
    }
}

/// One row of the table.
package struct NewsRule: Hashable, Sendable {
    /// Whose news it is first; `nil`: everybody's.
    package let hero: HeroID?
    package let own: News.Rank
    /// The other hero of the event.
    package let partner: HeroID?
    package let partners: News.Rank
    /// On the cards of all others.
    package let others: News.Rank
    /// Whether it opens a question: the card of who is asked asks it instead.
    package let isQuestion: Bool
    /// Why it has that rank: "a find is its finder's".
    package let reason: String

    private init(
        hero: HeroID?, _ own: News.Rank, partner: HeroID? = nil, _ partners: News.Rank = .untold,
        others: News.Rank, isQuestion: Bool = false, _ reason: String
    ) {
        self.hero = hero
        self.own = own
        self.partner = partner
        self.partners = partners
        self.others = others
        self.isQuestion = isQuestion
        self.reason = reason
    }

    /// Returns how much the event matters on this hero's card.
    package func rank(on hero: HeroID) -> News.Rank {
        if hero == self.hero { return own }
        return hero == partner ? partners : others
    }
}

extension NewsRule {
    fileprivate static func all(_ rank: News.Rank, _ reason: String) -> NewsRule {
        NewsRule(hero: nil, rank, others: rank, reason)
    }

    fileprivate static func of(
        _ hero: HeroTag, _ own: News.Rank, else others: News.Rank = .others, _ reason: String
    ) -> NewsRule {
        NewsRule(hero: hero.id, own, others: others, reason)
    }

    fileprivate static func of(
        _ hero: HeroTag, _ own: News.Rank, with partner: HeroTag, _ partners: News.Rank,
        _ reason: String
    ) -> NewsRule {
        NewsRule(
            hero: hero.id, own, partner: partner.id, partners, others: .others, reason)
    }

    fileprivate static func question(_ reason: String) -> NewsRule {
        NewsRule(hero: nil, .way, others: .way, isQuestion: true, reason)
    }

    fileprivate static func question(
        about hero: HeroTag, _ own: News.Rank, _ reason: String
    ) -> NewsRule {
        NewsRule(hero: hero.id, own, others: .others, isQuestion: true, reason)
    }
}
