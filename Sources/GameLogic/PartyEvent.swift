/// Something that happened to a party. Events are numbered 1, 2, 3 … without a gap over the party's
/// whole life.
package struct PartyEvent: Hashable, Sendable {
    package let sequence: Int
    package let time: GameTime
    package let kind: Kind
    /// Which of the sentence's variants is told.
    package let telling: Telling

    package init(sequence: Int, time: GameTime, kind: Kind, telling: Telling = .first) {
        self.sequence = sequence
        self.time = time
        self.kind = kind
        self.telling = telling
    }

    package enum Kind: Hashable, Sendable {
        case adventureBegan(Pack.Reference)
        case commonLootFound(HeroTag, Item)
        case rareLootFound(HeroTag, Item)
        /// `amount` in thousandths.
        case smallHeal(HeroTag, amount: Int)
        case hurt(HeroTag, by: Foe, damage: Int)
        case criticallyHit(HeroTag, by: Foe, damage: Int)
        case knockedDown(HeroTag)
        case potionUsed(by: HeroTag, on: HeroTag)
        case revived(HeroTag)
        /// A fight begins.
        case foeAppeared(Foe)
        case foeDefeated(Foe, by: HeroTag)
        /// A fight is over without a defeat: the party has run away, or something else has ended it.
        case foeLeft(Foe)
        case bossAppeared(Boss)
        /// The boss fights on in its second phase, or a later one.
        case bossEnraged(Boss, phase: Int = 2)
        case bossDefeated(Boss, by: HeroTag)
        case stormRaised
        case heroJoined(HeroTag)
        case heroLeft(HeroTag)
        case connectionLost(HeroTag)
        case connectionReturned(HeroTag)
        case partyDefeated
        case timeLimitReached(in: Pack.Reference)
        /// Apart in memory: it would make every event larger.
        indirect case adventureOver(Outcome, in: Pack.Reference)
        /// The hero's player leads now.
        case leaderChanged(HeroTag)
        /// From a game master.
        case potionsFound(HeroTag, count: Int)
        /// A game master has stopped the adventure's clock.
        case adventurePaused(minutes: Int)
        /// A game master has ended the pause early.
        case adventureResumed
        /// A game master has told the party something.
        case messageSent(Message)
        /// The boss will hit everybody who takes no cover.
        case bossGathers(Boss)
        /// The boss has hit everybody.
        case bossSweeps(Boss)
        /// A critical hit has left little health, and the hero has a potion.
        case inDanger(HeroTag)
        /// The first hero is down and has no potion; the second one has.
        case helpAsked(HeroTag, of: HeroTag)
        /// Everybody is down, and this hero has a potion.
        case lastStand(HeroTag)
        /// A hero who was down is up again without help.
        case secondWind(HeroTag)
        case taleTold(Tale)
        case forkAsked(Fork)
        case forkTaken(Fork, bold: Bool)
        case fleeAsked
        /// The party has run away from the boss.
        case fled(Boss)
        /// Who stands guard over this hero?
        case guardAsked(HeroTag)
        case guarded(HeroTag, by: HeroTag)
        /// Who can use the hero's find?
        case lootAsked(HeroTag, Item)
        /// The find goes to this hero.
        case lootGiven(HeroTag, Item)
        /// A boss of a boss rush has fallen, and the party rests before the next one.
        case breathTaken
        /// Each hero has found a potion in the breath.
        case potionsRefilled
        /// Does the party stop before the next boss?
        case stopAsked
        /// The party has stopped.
        case stopped
        /// The points of the party's blow against the world boss, whatever its size.
        case worldHit(points: Int)
        /// All parties together have weakened the world boss; not `.fallen`.
        case worldBossWeakened(Boss, WorldStage)
        /// All parties together have defeated the world boss.
        case worldBossDefeated(Boss)
        /// Each hero has found the same treasure.
        case lootForAll(Item)
        /// Is everybody ready for an adventure?
        case readyAsked
        /// The ready check is over, and the party has not set out.
        case readyCheckEnded
        /// The others set out without this hero, who stays at the inn.
        case heroStayed(HeroTag)
        /// A hero from the inn has caught up with the party.
        case heroFollowed(HeroTag)
    }
}

extension PartyEvent.Kind {
    /// The hero of the event; for a potion, the hero who receives it.
    package var hero: HeroTag? {
        switch self {
        case .commonLootFound(let hero, _), .rareLootFound(let hero, _), .smallHeal(let hero, _),
            .hurt(let hero, _, _), .criticallyHit(let hero, _, _), .knockedDown(let hero),
            .potionUsed(_, let hero), .revived(let hero), .foeDefeated(_, let hero),
            .bossDefeated(_, let hero), .heroJoined(let hero), .heroLeft(let hero),
            .connectionLost(let hero), .connectionReturned(let hero), .leaderChanged(let hero),
            .potionsFound(let hero, _), .inDanger(let hero), .helpAsked(let hero, _),
            .lastStand(let hero), .secondWind(let hero), .guardAsked(let hero),
            .guarded(let hero, _), .lootAsked(let hero, _), .lootGiven(let hero, _),
            .heroStayed(let hero), .heroFollowed(let hero):
            hero
        case .adventureBegan, .foeAppeared, .foeLeft, .bossAppeared, .bossEnraged, .stormRaised,
            .partyDefeated, .timeLimitReached, .adventureOver, .adventurePaused, .adventureResumed,
            .messageSent,
            .bossGathers, .bossSweeps, .taleTold, .forkAsked, .forkTaken, .fleeAsked, .fled,
            .breathTaken, .potionsRefilled, .stopAsked, .stopped, .worldHit, .worldBossWeakened,
            .worldBossDefeated, .lootForAll, .readyAsked, .readyCheckEnded:
            nil
        }
    }
}

/// How an adventure ended.
package enum Outcome: Hashable, Sendable {
    /// `by` struck the last blow.
    case bossDefeated(Boss, by: HeroTag)
    case partyDefeated
    case timeLimit
    case endedByGameMaster
    /// The last hero left.
    case abandoned
    /// The party ran away from the boss.
    case fled(Boss)
    /// The party stopped between two bosses of a boss rush: it keeps all, and has not won.
    case stopped
    /// All parties together have defeated the world boss: a victory.
    case worldBossDefeated
}
