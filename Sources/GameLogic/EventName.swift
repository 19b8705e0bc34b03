/// The name of a kind of event, as the API has it: one table of what is known of each kind.
///
/// The switches are exhaustive, so that the compiler leads from a new kind to its name, from the
/// name to its emoji, and to its samples, which the tests of the policy, the words and the store
/// cover.
package enum EventName: String, CaseIterable, Hashable, Sendable {
    case adventureBegan, commonLootFound, rareLootFound, smallHeal, hurt, criticallyHit
    case knockedDown, potionUsed, revived, foeAppeared, foeDefeated, foeLeft, bossAppeared
    case bossEnraged, bossDefeated
    case stormRaised, heroJoined, heroLeft, connectionLost, connectionReturned, partyDefeated
    case timeLimitReached, adventureOver, leaderChanged, potionsFound, adventurePaused
    case adventureResumed, messageSent, bossGathers, bossSweeps, inDanger, helpAsked, lastStand
    case secondWind, taleTold, forkAsked, forkTaken, fleeAsked, fled, guardAsked, guarded
    case lootAsked, lootGiven, breathTaken, potionsRefilled, stopAsked, stopped
    case worldHit, worldBossWeakened, worldBossDefeated, lootForAll
    case readyAsked, readyCheckEnded, heroStayed, heroFollowed
}

extension PartyEvent.Kind {
    package var name: EventName {
        switch self {
        case .adventureBegan: .adventureBegan
        case .commonLootFound: .commonLootFound
        case .rareLootFound: .rareLootFound
        case .smallHeal: .smallHeal
        case .hurt: .hurt
        case .criticallyHit: .criticallyHit
        case .knockedDown: .knockedDown
        case .potionUsed: .potionUsed
        case .revived: .revived
        case .foeAppeared: .foeAppeared
        case .foeDefeated: .foeDefeated
        case .foeLeft: .foeLeft
        case .bossAppeared: .bossAppeared
        case .bossEnraged: .bossEnraged
        case .bossDefeated: .bossDefeated
        case .stormRaised: .stormRaised
        case .heroJoined: .heroJoined
        case .heroLeft: .heroLeft
        case .connectionLost: .connectionLost
        case .connectionReturned: .connectionReturned
        case .partyDefeated: .partyDefeated
        case .timeLimitReached: .timeLimitReached
        case .adventureOver: .adventureOver
        case .leaderChanged: .leaderChanged
        case .potionsFound: .potionsFound
        case .adventurePaused: .adventurePaused
        case .adventureResumed: .adventureResumed
        case .messageSent: .messageSent
        case .bossGathers: .bossGathers
        case .bossSweeps: .bossSweeps
        case .inDanger: .inDanger
        case .helpAsked: .helpAsked
        case .lastStand: .lastStand
        case .secondWind: .secondWind
        case .taleTold: .taleTold
        case .forkAsked: .forkAsked
        case .forkTaken: .forkTaken
        case .fleeAsked: .fleeAsked
        case .fled: .fled
        case .guardAsked: .guardAsked
        case .guarded: .guarded
        case .lootAsked: .lootAsked
        case .lootGiven: .lootGiven
        case .breathTaken: .breathTaken
        case .potionsRefilled: .potionsRefilled
        case .stopAsked: .stopAsked
        case .stopped: .stopped
        case .worldHit: .worldHit
        case .worldBossWeakened: .worldBossWeakened
        case .worldBossDefeated: .worldBossDefeated
        case .lootForAll: .lootForAll
        case .readyAsked: .readyAsked
        case .readyCheckEnded: .readyCheckEnded
        case .heroStayed: .heroStayed
        case .heroFollowed: .heroFollowed
        }
    }

    /// Returns every event that can happen to a hero, in the order of the names.
    package static func samples(of hero: HeroTag, with other: HeroTag) -> [Self] {
        EventName.allCases.flatMap { $0.samples(of: hero, with: other) }
    }
}

extension EventName {
    /// The emoji that stands for the event in the demo.
    package var emoji: String {
        switch self {
        case .adventureBegan: "🎒"
        case .commonLootFound: "🪙"
        case .rareLootFound: "💎"
        case .smallHeal: "💚"
        case .hurt: "💢"
        case .criticallyHit: "💥"
        case .knockedDown: "😵"
        case .potionUsed: "🧪"
        case .revived: "✨"
        case .foeAppeared: "👾"
        case .foeDefeated: "⚔️"
        case .foeLeft: "🐾"
        case .bossAppeared: "🐲"
        case .bossEnraged: "🔥"
        case .bossDefeated: "🏆"
        case .stormRaised: "⛈️"
        case .heroJoined: "👋"
        case .heroLeft: "🚪"
        case .connectionLost: "📡"
        case .connectionReturned: "📶"
        case .partyDefeated: "🪦"
        case .timeLimitReached: "⏳"
        case .adventureOver: "🏁"
        case .leaderChanged: "👑"
        case .potionsFound: "🎁"
        case .adventurePaused: "⏸️"
        case .adventureResumed: "▶️"
        case .messageSent: "💬"
        case .bossGathers: "😤"
        case .bossSweeps: "🌊"
        case .inDanger: "❤️‍🩹"
        case .helpAsked: "🆘"
        case .lastStand: "🛟"
        case .secondWind: "🌬️"
        case .taleTold: "🎭"
        case .forkAsked: "🔀"
        case .forkTaken: "👣"
        case .fleeAsked: "🏃"
        case .fled: "💨"
        case .guardAsked: "🛡️"
        case .guarded: "🛡️"
        case .lootAsked: "🤲"
        case .lootGiven: "🎀"
        case .breathTaken: "😮‍💨"
        case .potionsRefilled: "🍶"
        case .stopAsked: "🛑"
        case .stopped: "🏡"
        case .worldHit: "🌊"
        case .worldBossWeakened: "📉"
        case .worldBossDefeated: "🌍"
        case .lootForAll: "💰"
        case .readyAsked: "🙋"
        case .readyCheckEnded: "🪑"
        case .heroStayed: "🛌"
        case .heroFollowed: "🏇"
        }
    }

    /// Returns the events of this kind: one for each item, foe, boss or outcome that it can concern.
    ///
    /// - Parameters:
    ///   - hero: The hero to whom they happen.
    ///   - other: A companion.
    /// - Returns: The events, in the order of what they concern.
    package func samples(of hero: HeroTag, with other: HeroTag) -> [PartyEvent.Kind] {
        switch self {
        case .adventureBegan: [.adventureBegan(.sample)]
        case .commonLootFound: Item.base.map { .commonLootFound(hero, $0) }
        case .rareLootFound: Item.base.map { .rareLootFound(hero, $0) }
        case .smallHeal: [.smallHeal(hero, amount: 20)]
        case .hurt: Foe.base.map { .hurt(hero, by: $0, damage: 1) }
        case .criticallyHit: Foe.base.map { .criticallyHit(hero, by: $0, damage: 1) }
        case .knockedDown: [.knockedDown(hero)]
        case .potionUsed: [.potionUsed(by: hero, on: hero), .potionUsed(by: other, on: hero)]
        case .revived: [.revived(hero)]
        case .foeAppeared: Foe.onTheWay.map { .foeAppeared($0) }
        case .foeDefeated: Foe.onTheWay.map { .foeDefeated($0, by: hero) }
        case .foeLeft: Foe.onTheWay.map { .foeLeft($0) }
        case .bossAppeared: Boss.base.map { .bossAppeared($0) }
        case .bossEnraged:
            Boss.base.map { .bossEnraged($0) } + [.bossEnraged(.sampleOfRush, phase: 3)]
        case .bossDefeated: Boss.base.map { .bossDefeated($0, by: hero) }
        case .stormRaised: [.stormRaised]
        case .heroJoined: [.heroJoined(hero)]
        case .heroLeft: [.heroLeft(hero)]
        case .connectionLost: [.connectionLost(hero)]
        case .connectionReturned: [.connectionReturned(hero)]
        case .partyDefeated: [.partyDefeated]
        case .timeLimitReached: [.timeLimitReached(in: .sample)]
        case .adventureOver: Self.endings(by: hero).map { .adventureOver($0, in: .sample) }
        case .leaderChanged: [.leaderChanged(hero)]
        case .potionsFound: [.potionsFound(hero, count: 1)]
        case .adventurePaused: [.adventurePaused(minutes: 1)]
        case .adventureResumed: [.adventureResumed]
        case .messageSent: [.messageSent(.sample)]
        case .bossGathers: Boss.base.map { .bossGathers($0) }
        case .bossSweeps: Boss.base.map { .bossSweeps($0) }
        case .inDanger: [.inDanger(hero)]
        case .helpAsked: [.helpAsked(hero, of: other)]
        case .lastStand: [.lastStand(hero)]
        case .secondWind: [.secondWind(hero)]
        case .taleTold: [.taleTold(.sample)]
        case .forkAsked: [.forkAsked(.sample)]
        case .forkTaken: [.forkTaken(.sample, bold: true), .forkTaken(.sample, bold: false)]
        case .fleeAsked: [.fleeAsked]
        case .fled: Boss.base.map { .fled($0) }
        case .guardAsked: [.guardAsked(hero)]
        case .guarded: [.guarded(hero, by: other)]
        case .lootAsked: Item.base.map { .lootAsked(hero, $0) }
        case .lootGiven: Item.base.map { .lootGiven(hero, $0) }
        case .breathTaken: [.breathTaken]
        case .potionsRefilled: [.potionsRefilled]
        case .stopAsked: [.stopAsked]
        case .stopped: [.stopped]
        case .worldHit: [.worldHit(points: 1)]
        case .worldBossWeakened: [.worldBossWeakened(.sample, .half)]
        case .worldBossDefeated: [.worldBossDefeated(.sample)]
        case .lootForAll: Item.base.map { .lootForAll($0) }
        case .readyAsked: [.readyAsked]
        case .readyCheckEnded: [.readyCheckEnded]
        case .heroStayed: [.heroStayed(hero)]
        case .heroFollowed: [.heroFollowed(hero)]
        }
    }

    private static func endings(by hero: HeroTag) -> [Outcome] {
        Boss.base.map { .bossDefeated($0, by: hero) } + Boss.base.map { .fled($0) }
            + [
                .partyDefeated, .timeLimit, .endedByGameMaster, .abandoned, .stopped,
                .worldBossDefeated,
            ]
    }
}
