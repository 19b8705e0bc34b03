package import GameLogic

/// Every event that a party can have, once with each thing that it can concern.
package enum PayloadSamples {
    /// Returns every kind of event with each item, foe, boss and outcome. A test compares it with
    /// the API's names of the kinds, so that no new kind is forgotten.
    ///
    /// - Parameters:
    ///   - hero: The hero whose activity is shown.
    ///   - other: A companion.
    /// - Returns: The kinds, in the order in which the game declares them.
    package static func kinds(of hero: HeroTag, with other: HeroTag) -> [PartyEvent.Kind] {
        plain(hero, other) + things(hero) + fights(hero) + bosses(hero) + outcomes(hero)
    }

    private static func plain(_ hero: HeroTag, _ other: HeroTag) -> [PartyEvent.Kind] {
        [
            .adventureBegan, .smallHeal(hero, amount: 20), .knockedDown(hero),
            .potionUsed(by: hero, on: hero), .potionUsed(by: other, on: hero), .revived(hero),
            .stormRaised, .heroJoined(hero), .heroLeft(hero), .connectionLost(hero),
            .connectionReturned(hero), .partyDefeated, .timeLimitReached,
        ]
    }

    private static func things(_ hero: HeroTag) -> [PartyEvent.Kind] {
        Item.allCases.flatMap { [.commonLootFound(hero, $0), .rareLootFound(hero, $0)] }
    }

    private static func fights(_ hero: HeroTag) -> [PartyEvent.Kind] {
        Foe.allCases.flatMap {
            [
                .hurt(hero, by: $0, damage: 1), .criticallyHit(hero, by: $0, damage: 1),
                .foeDefeated($0, by: hero),
            ]
        }
    }

    private static func bosses(_ hero: HeroTag) -> [PartyEvent.Kind] {
        Boss.allCases.flatMap {
            [.bossAppeared($0), .bossEnraged($0), .bossDefeated($0, by: hero)]
        }
    }

    private static func outcomes(_ hero: HeroTag) -> [PartyEvent.Kind] {
        Boss.allCases.map { .adventureOver(.bossDefeated($0, by: hero)) } + [
            .adventureOver(.partyDefeated), .adventureOver(.timeLimit),
            .adventureOver(.endedByGameMaster), .adventureOver(.abandoned),
        ]
    }
}
