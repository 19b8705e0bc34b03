import Content
import PushPolicy
import Testing

@testable import GameLogic
@testable import PartyStore

/// Rows of stories and of cards with details, in which every field says something.
enum StorySample {
    private static let noon = FormatSample.noon
    private static let panda = FormatSample.panda.tag
    private static let bear = FormatSample.bear.tag
    private static let pack = "stolen-pie/2"
    /// Beside the usual pack, one only of this test: the bytes stay the same, whatever becomes of the packs to play.
    static let packs = Packs([
        EmbeddedPacks.classic,
        Pack(
            Pack.Reference(id: "story", version: 1), strength: 100,
            timeLimit: .minutes(60), stages: EmbeddedPacks.classic.stages,
            finale: EmbeddedPacks.classic.finale, foes: EmbeddedPacks.classic.foes,
            bosses: EmbeddedPacks.classic.bosses, commonLoot: EmbeddedPacks.classic.commonLoot,
            rareLoot: EmbeddedPacks.classic.rareLoot),
    ])

    static func hero() throws -> Hero {
        let home = Home(
            since: noon.milliseconds, potions: 4, toppedUpAt: noon.milliseconds - 3_600_000,
            coins: 999, keepsakes: 7, gear: gear, orders: orders, day: 19_000, adventuresOfDay: 5,
            trainings: 2, hardestWin: .heroic)
        return Hero(
            id: HeroID("hero-7"), owner: PlayerID("player-7"), name: "Foxy", avatar: "🦊",
            heroType: HeroClass.trickster.heroType, healthLevel: Health(thousandths: 640),
            exp: 18_000, home: try #require(home))
    }

    private static let gear = Gear(rawValue: 0b10_01_00_11_01)
    private static let orders = StandingOrders(
        whenDown: .drink, whenFriendDown: .give, votes: .bold)

    /// Everybody is down, and all that can be asked is.
    static func party() throws -> Party {
        var fall = Outing.Fall(
            orderAt: .seconds(90), secondWindAt: .seconds(960), helpAt: .seconds(240),
            asked: [bear.id], telling: Telling.samples[2])
        let fallen = Outing(
            of: .guardian, level: 3, gear: gear, orders: orders, expPercent: 25, earned: 120,
            coins: 4, keepsakes: 1, found: [.sword, .cloak], secondWinds: 1, drunk: 2,
            hasDrunkByOrder: true, hasGivenByOrder: true, isInDanger: false, fall: fall)
        fall = Outing.Fall()
        let endangered = Outing(
            of: .wanderer, level: 20, gear: Gear(), orders: StandingOrders(), expPercent: 100,
            earned: 0, coins: 0, keepsakes: 0, found: [], secondWinds: 0, drunk: 0,
            hasDrunkByOrder: false, hasGivenByOrder: false, isInDanger: true, fall: fall)
        let first = Member(
            hero: FormatSample.panda, health: .none, potions: 0, condition: .knockedDown,
            restRemainder: 0, outing: try #require(fallen))
        let second = Member(
            hero: FormatSample.bear, health: Health(thousandths: 150), potions: 3,
            condition: .standing, restRemainder: 7, outing: try #require(endangered))
        let course = Adventure.Course(
            difficulty: .mythic, stage: 2, stageSteps: 3, bossPhase: 1, move: 2, isGathering: true,
            lastStandUntil: .seconds(70),
            asks: [
                Ask(
                    id: 1, kind: .brace, endsAt: nil, telling: Telling.samples[4],
                    yes: [panda.id], no: [bear.id]),
                Ask(id: 2, kind: .flee, endsAt: .seconds(120)),
                Ask(id: 4, kind: .guardFriend(bear.id), endsAt: nil),
                Ask(id: 9, kind: .loot(.sword, finder: panda.id), endsAt: .seconds(300)),
            ], nextAsk: 10,
            guards: [Adventure.Guard(hero: panda.id, friend: bear.id, blows: 2)],
            hasAskedToFlee: true,
            tellings: try #require(Tellings(sentences: [0x8123_4401, 0x0000_0747])))
        let adventure = Adventure(
            pack: try #require(packs[Pack.Reference(id: "story", version: 1)]), seed: 1,
            phase: .boss(.dragon, health: 5),
            advancedTo: .seconds(61), fight: nil, random: SeededRandom(seed: 42),
            nextStepAt: .seconds(90), steps: 27, lastScene: .tale,
            departed: [], course: try #require(course))
        let party = Party(
            id: FormatSample.partyID, members: [try #require(first), try #require(second)],
            adventure: adventure, lastEvent: FormatSample.events[1], nextSequence: 11)
        return try #require(party)
    }

    /// A party that gathers while its leader asks who is ready.
    static func askedParty() throws -> Party {
        let members = [FormatSample.panda, FormatSample.bear].map { hero in
            Member(
                hero: hero, health: .full, potions: 0, condition: .standing, restRemainder: 0)
        }
        let check = ReadyCheck(id: 4, try readyPlan(), yes: [panda.id], no: [bear.id])
        return try #require(
            Party(
                id: FormatSample.partyID, members: members.compactMap(\.self), adventure: nil,
                lastEvent: PartyEvent(sequence: 4, time: .zero, kind: .readyAsked),
                readyCheck: check, nextSequence: 5))
    }

    static func readyPlan() throws -> ReadyCheck.Plan {
        ReadyCheck.Plan(
            seed: 7, try #require(packs[Pack.Reference(id: "story", version: 1)]), .hard,
            endsAt: noon.milliseconds + 120_000, quorum: .anybody)
    }

    /// A party that has set out without one of its heroes.
    static func partyWithInn() throws -> Party {
        let before = try party()
        var adventure = try #require(before.adventure)
        adventure.course.asks = []
        adventure.course.openAsks(after: 4)
        return try #require(
            Party(
                id: before.id, members: before.members, adventure: adventure,
                lastEvent: before.lastEvent, inn: [try hero()], nextSequence: 11))
    }

    static func stored(_ party: Party) -> StoredParty {
        StoredParty(
            key: PartyKey(number: 79), version: 44, party: party,
            clock: FormatSample.clockWithoutPauses, inviteCode: "CODE", createdAt: noon)
    }

    /// A party whose cards have details, gaps and alerts behind them.
    static func stored() throws -> StoredParty {
        StoredParty(
            key: PartyKey(number: 78), version: 43, party: try party(),
            clock: FormatSample.clockWithoutPauses,
            activities: [LiveActivity(registration: registration, outbox: try outbox())],
            inviteCode: "CODE", createdAt: noon)
    }

    static let registration = {
        var registration = FormatSample.registration
        registration.stateVersion = .second
        registration.quietHours = QuietHours(utcOffsetMinutes: -570, from: 22, to: 6)
        return registration
    }()

    /// That of an app that counts its registrations.
    static let countedRegistration = {
        var registration = Self.registration
        registration.revision = 70_000
        return registration
    }()

    /// That of a browser phone whose stream was open.
    static let pageRegistration = {
        let device = FormatSample.confirmedRegistration
        return ActivityRegistration(
            id: device.id, player: device.player, hero: device.hero, party: device.party,
            screen: .page, pushToken: device.pushToken,
            tokenRegisteredAt: device.tokenRegisteredAt,
            tokenConfirmedAt: device.tokenConfirmedAt, environment: device.environment,
            frequentPushesEnabled: true, language: .french, osVersion: "0", state: .stale,
            stateVersion: .second, createdAt: device.createdAt)
    }()

    /// That of a page that counts its registrations.
    static let countedPageRegistration = {
        var registration = Self.pageRegistration
        registration.revision = 3
        return registration
    }()

    /// All of these, by the names of their golden rows.
    static let registrations = [
        ("detailedRegistration", registration), ("pageRegistration", pageRegistration),
        ("countedRegistration", countedRegistration),
        ("countedPageRegistration", countedPageRegistration),
    ]

    private static func outbox() throws -> ActivityOutbox {
        var content = FormatSample.content
        content.details = .max
        let due = DueContent(
            content: content, version: 43, since: noon.adding(seconds: 60), urgentSince: nil,
            relevance: 90, expirationSeconds: 900)
        let restraint = Restraint(
            gapEndsAt: noon.adding(seconds: 90), alertsAt: [noon, noon.adding(seconds: 70)],
            ignored: 2, lastActionAt: noon.adding(seconds: -5))
        return ActivityOutbox(
            activity: FormatSample.activityIDs[0],
            OutboxSnapshot(
                hero: panda.id, startedAt: noon, due: due, alert: nil, inFlight: nil,
                accepted: ActivityOutbox.Shown(content: FormatSample.content, version: 42),
                refused: nil, ending: nil, isEnded: false, rollOver: nil, lastTimestamp: 0,
                pausedUntil: nil, deadTokenAt: nil, addressee: nil,
                budget: PushBudget.Snapshot(spent: 0, asOf: noon),
                restraint: try #require(restraint)))
    }

    /// The kinds whose bytes are golden, in the order of those bytes: append new ones.
    private static let kinds: [PartyEvent.Kind] = [
        .adventureBegan(Pack.Reference(id: "stolen-pie", version: 2)),
        .hurt(panda, by: Foe("\(pack).magpie"), damage: 1),
        .bossEnraged(Boss("\(pack).raccoon"), phase: 3), .bossGathers(.kraken),
        .bossSweeps(.kraken), .inDanger(panda), .helpAsked(panda, of: bear), .lastStand(panda),
        .secondWind(panda), .taleTold(Tale("lost-egg/1.song")), .forkAsked(.sample),
        .forkTaken(.sample, bold: true), .forkTaken(.sample, bold: false), .fleeAsked,
        .fled(.kraken), .guardAsked(panda), .guarded(panda, by: bear), .lootAsked(panda, .crown),
        .lootGiven(bear, .crown), .adventureOver(.fled(.kraken), in: .sample),
        .foeAppeared(.bat), .foeLeft(Foe("\(pack).magpie")),
    ]

    static let events = JournalEntry(
        events: kinds.enumerated().map { index, kind in
            PartyEvent(sequence: 100 + index, time: .seconds(Int64(index)), kind: kind)
        })

    private static let worldKinds: [PartyEvent.Kind] = [
        .worldHit(points: 320), .worldBossWeakened(Boss("kraken-tide/1.arm"), .half),
        .worldBossDefeated(Boss("kraken-tide/1.arm")),
        .adventureOver(.worldBossDefeated, in: .sample),
    ]

    static let worldEvents = JournalEntry(
        events: worldKinds.enumerated().map { index, kind in
            PartyEvent(sequence: 300 + index, time: .seconds(Int64(index)), kind: kind)
        })

    static let findEvents = JournalEntry(
        events: [PartyEvent(sequence: 400, time: .zero, kind: .lootForAll(.crown))])

    private static let readyKinds: [PartyEvent.Kind] = [
        .readyAsked, .readyCheckEnded, .heroStayed(panda), .heroFollowed(panda),
    ]

    static let readyEvents = JournalEntry(
        events: readyKinds.enumerated().map { index, kind in
            PartyEvent(sequence: 500 + index, time: .seconds(Int64(index)), kind: kind)
        })

    private static let alongOrders = StandingOrders.Change(
        whenDown: .ask, whenFriendDown: .never, votes: .bold, setOut: .along)

    static func commands() throws -> [JournalEntry] {
        plainCommands + (try readyCommands())
    }

    private static func readyCommands() throws -> [JournalEntry] {
        [
            .checkReadiness(try readyPlan()),
            .finishReadyCheck(Departure(.hard, at: noon.milliseconds, restedSince: 5)),
            .cancelReadyCheck, .follow(panda.id, at: noon.milliseconds),
            .change(panda.id, .orders(alongOrders)),
        ].map(entry)
    }

    private static func entry(_ command: Command) -> JournalEntry {
        JournalEntry(command: LoggedCommand(command: command, time: .seconds(5)))
    }

    private static let newOrders = StandingOrders.Change(
        whenDown: .drink, whenFriendDown: .give, votes: .bold, setOut: .ask)

    private static let plainCommands: [JournalEntry] = [
        .answer(panda.id, ask: 7, yes: true), .answer(bear.id, ask: 8, yes: false),
        .change(panda.id, .orders(newOrders)), .change(panda.id, .buy(potions: 3)),
        .worldStage(.quarter),
        .change(panda.id, .worldReward(event: 3, exp: 300, crystals: 1)),
    ].map(entry)
}
