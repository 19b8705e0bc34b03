/// Something that happened to a party. Events are numbered 1, 2, 3 … without a gap over the party's
/// whole life.
package struct PartyEvent: Hashable, Sendable {
    package let sequence: Int
    package let time: GameTime
    package let kind: Kind

    package init(sequence: Int, time: GameTime, kind: Kind) {
        self.sequence = sequence
        self.time = time
        self.kind = kind
    }

    package enum Kind: Hashable, Sendable {
        case adventureBegan
        case commonLootFound(HeroTag, Item)
        case rareLootFound(HeroTag, Item)
        /// `amount` in thousandths.
        case smallHeal(HeroTag, amount: Int)
        case hurt(HeroTag, by: Foe, damage: Int)
        case criticallyHit(HeroTag, by: Foe, damage: Int)
        case knockedDown(HeroTag)
        case potionUsed(by: HeroTag, on: HeroTag)
        case revived(HeroTag)
        case foeDefeated(Foe, by: HeroTag)
        case bossAppeared(Boss)
        case bossEnraged(Boss)
        case bossDefeated(Boss, by: HeroTag)
        case stormRaised
        case heroJoined(HeroTag)
        case heroLeft(HeroTag)
        case connectionLost(HeroTag)
        case connectionReturned(HeroTag)
        case partyDefeated
        case timeLimitReached
        case adventureOver(Outcome)
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
}
