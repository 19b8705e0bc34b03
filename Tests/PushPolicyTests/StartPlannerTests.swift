import Foundation
import GameLogic
import Testing

@testable import PushPolicy

@Suite("Where cards begin by push")
struct StartPlannerTests {
    private static let noon = WallTime(milliseconds: 1_685_952_000_000)
    private static let panda = hero("panda", of: "player-1")
    private static let egghead = hero("egghead", of: "player-2")

    private static func hero(_ name: String, of player: String) -> Hero {
        Hero(
            id: HeroID(name), owner: PlayerID(player), name: name, avatar: "🐼",
            heroType: "Forest Dweller")
    }

    private static func device(
        _ name: String = "phone", of player: String = "player-1", osVersion: String = "18.1"
    ) -> StartDevice {
        StartDevice(
            key: StartDevice.Key(
                player: PlayerID(player), environment: .sandbox, device: DeviceID(name)),
            token: PushToken(hex: "aa"),
            traits: StartDevice.Traits(
                tokenRegisteredAt: noon, language: .english, osVersion: osVersion,
                frequentPushesEnabled: true))
    }

    private static func activity(
        of hero: Hero = panda, on device: String? = nil, state: ActivityState = .active
    ) -> ActivityRegistration {
        ActivityRegistration(
            id: ActivityID("a"), player: hero.owner, hero: hero.id, party: PartyID("p"),
            pushToken: nil, tokenRegisteredAt: noon, environment: .sandbox,
            frequentPushesEnabled: true, language: .english, osVersion: "18.1", state: state,
            device: device.map { DeviceID($0) }, createdAt: noon)
    }

    /// The party of both heroes, at the beginning of an adventure.
    private struct Scene {
        var party = Party(id: PartyID("p"))
        var events: [PartyEvent] = []
        var devices: [StartDevice]
        var activities: [ActivityRegistration] = []
        var now = noon

        init(_ devices: [StartDevice] = [device()]) throws {
            self.devices = devices
            _ = try party.apply(.join(panda), at: .zero)
            _ = try party.apply(.join(egghead), at: .zero)
            events = try party.apply(.start(seed: 1), at: .zero)
        }

        var planner: StartPlanner {
            StartPlanner(party: party, registrations: activities, limits: .standard, now: now)
        }

        mutating func plan() -> StartPlanner.Plan {
            planner.plan(
                StartPlanner.occasions(in: events, party: party), devices: &devices)
        }

        mutating func planAgain() -> StartPlanner.Plan { planner.planAgain(devices: &devices) }
    }

    // MARK: Who gets one

    @Test("A7: the beginning of an adventure starts a card on each device of each member")
    func beginning() throws {
        var scene = try Scene([
            Self.device(), Self.device("tablet"), Self.device(of: "player-2"),
            Self.device(of: "stranger"),
        ])
        let plan = scene.plan()
        #expect(plan.orders.map(\.hero.name) == ["panda", "panda", "egghead"])
        #expect(plan.orders.map(\.device.device.rawValue) == ["phone", "tablet", "phone"])
        #expect(plan.verdicts == [.sent, .sent, .sent])
        #expect(Set(plan.orders.map(\.contentName)).count == 3)
    }

    @Test("A7: who joins a running adventure gets a card, and nobody else")
    func joining() throws {
        var scene = try Scene([Self.device(), Self.device(of: "player-3")])
        scene.events = try scene.party.apply(
            .join(Self.hero("spouty", of: "player-3")), at: .zero)
        #expect(scene.plan().orders.map(\.hero.name) == ["spouty"])
    }

    @Test("what happens on the way starts nothing, nor does a party that rests")
    func otherEvents() throws {
        var scene = try Scene()
        scene.events = try scene.party.apply(.raiseStorm, at: .zero)
        #expect(scene.plan().orders.isEmpty)
        scene.events = try scene.party.apply(.end, at: .zero)
        #expect(scene.plan().orders.isEmpty)
        scene.events = try scene.party.apply(
            .join(Self.hero("spouty", of: "player-1")), at: .zero)
        #expect(scene.plan().orders.isEmpty)
    }

    @Test("a device without a token gets nothing, and no decision")
    func noToken() throws {
        var device = Self.device()
        device.token = nil
        var scene = try Scene([device])
        #expect(scene.plan().decisions.isEmpty)
    }

    @Test(
        "A7: no second card: not where the hero's card lives, nor where it was swiped away",
        arguments: [
            (nil, ActivityState.active, false), ("phone", .active, false),
            ("phone", .pending, false), ("phone", .stale, false), ("phone", .dismissed, false),
            ("phone", .ended, true), ("tablet", .active, true),
        ] as [(String?, ActivityState, Bool)])
    func covered(device: String?, state: ActivityState, starts: Bool) throws {
        var scene = try Scene()
        scene.activities = [Self.activity(on: device, state: state)]
        let plan = scene.plan()
        #expect(plan.orders.isEmpty == !starts)
        #expect(plan.decisions.isEmpty == !starts)
    }

    @Test("another hero's card is no reason")
    func anotherHero() throws {
        var scene = try Scene()
        scene.activities = [Self.activity(of: Self.egghead, on: "phone")]
        #expect(scene.plan().orders.count == 1)
    }

    // MARK: What is in it

    @Test("A7: a start has an alert, a stale date and the device's expiration")
    func order() throws {
        var scene = try Scene()
        let orders = scene.plan().orders
        let order = try #require(orders.first)
        #expect(order.alert.titleKey == "%@ sets out on an adventure!")
        #expect(order.alert.titleArguments == ["panda"])
        #expect(order.timestamp == Self.noon.seconds)
        #expect(order.staleDate > Self.noon)
        #expect(order.expiration == Self.noon.adding(seconds: PendingStart.worthSeconds))
        #expect(order.card.phrase == Phrase("Adventure has begun!"))
        #expect(order.relevanceScore == 100)
    }

    @Test(
        "input-push-token is for iOS 18 and later only",
        arguments: [
            ("17.2", false), ("17.6.1", false), ("18", true), ("18.0", true), ("26.1", true),
            ("180", true), ("x", false), ("", false), (".18", false),
        ])
    func inputPushToken(osVersion: String, asks: Bool) {
        #expect(Self.device(osVersion: osVersion).traits.asksForPushToken == asks)
    }

    @Test("the attributes have every field of Apple's sample")
    func attributes() throws {
        let data = try JSONEncoder().encode(AdventureAttributes(of: Self.panda))
        let json = try #require(
            try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
        let hero = try #require(json["hero"])
        #expect(json.keys.sorted() == ["hero"])
        #expect(
            hero.keys.sorted() == [
                "avatar", "battleCode", "bio", "exp", "healthLevel", "healthRecoveryRatePerHour",
                "heroType", "level", "name", "url",
            ])
        #expect(hero["healthLevel"] as? Double == 1)
        #expect(hero["url"] as? String == "game:///panda")
        #expect(hero["battleCode"] as? String == "game:///panda/battle")
    }

    // MARK: One at a time

    @Test("A7: one start at a time: the next is held until it is given up")
    func pending() throws {
        var scene = try Scene()
        _ = scene.plan()
        scene.now = Self.noon.adding(seconds: PendingStart.timeoutSeconds - 1)
        let held = scene.plan()
        #expect(held.verdicts == [.pending])
        #expect(held.orders.isEmpty)
        #expect(held.decisions.map(\.verdict) == [.dropped])
        scene.now = Self.noon.adding(seconds: PendingStart.timeoutSeconds)
        #expect(scene.plan().verdicts == [.sent])
    }

    @Test("A7: the fourth start in an hour is held by the guard, and the ledger says so")
    func held() throws {
        var scene = try Scene()
        for number in 0..<4 {
            scene.now = Self.noon.adding(seconds: Int64(number) * 16 * 60)
            let plan = scene.plan()
            #expect(plan.verdicts == [number < 3 ? .sent : .held(.anHour(3))])
            let decision = try #require(plan.decisions.first)
            #expect(decision.rule.contains("held by the guard") == (number == 3))
            #expect(decision.activity.rawValue == "push-to-start/panda/phone")
        }
    }

    @Test("an app that tells of the card answers the start, another hero's does not")
    func reported() throws {
        var scene = try Scene()
        _ = scene.plan()
        let other = Self.activity(of: Self.egghead)
        #expect(StartPlanner.settle(other, devices: &scene.devices) == nil)
        let elsewhere = Self.activity(on: "tablet")
        #expect(StartPlanner.settle(elsewhere, devices: &scene.devices) == nil)
        #expect(StartPlanner.settle(Self.activity(), devices: &scene.devices) != nil)
        #expect(scene.devices[0].starts.pending == nil)
    }

    @Test("of two devices the one that is named is answered, else the one that has waited longest")
    func whichDevice() throws {
        for (name, left) in [("tablet", ["phone"]), (nil, ["tablet"])] as [(String?, [String])] {
            var scene = try Scene()
            _ = scene.plan()
            scene.now = Self.noon.adding(seconds: 1)
            scene.devices.append(Self.device("tablet"))
            _ = scene.plan()
            _ = StartPlanner.settle(Self.activity(on: name), devices: &scene.devices)
            let waiting = scene.devices.filter { $0.starts.pending != nil }
            #expect(waiting.map(\.key.device.rawValue) == left)
        }
    }

    // MARK: Answers

    @Test("A7: an accepted start, or one of unknown fate, stays pending and is not sent again")
    func notAgain() throws {
        for result in [PushResult.accepted, .unknown] {
            var scene = try Scene()
            let orders = scene.plan().orders
            let order = try #require(orders.first)
            #expect(scene.devices[0].starts.settle(order, result) == nil)
            scene.now = Self.noon.adding(seconds: 300)
            #expect(scene.planAgain().orders.isEmpty)
            #expect(scene.plan().verdicts == [.pending])
        }
    }

    @Test("what Apple did not take is sent again with the same name, and counted once")
    func again() throws {
        var scene = try Scene()
        let orders = scene.plan().orders
        let first = try #require(orders.first)
        let time = Self.noon.adding(seconds: 5)
        #expect(scene.devices[0].starts.settle(first, .pause(until: time)) == time)
        #expect(scene.planAgain().orders.isEmpty)
        scene.now = time
        let ordersAgain = scene.planAgain().orders
        let second = try #require(ordersAgain.first)
        #expect(second.contentName == first.contentName)
        #expect(second.timestamp == first.timestamp + 5)
        #expect(second.expiration == first.expiration)
        #expect(scene.devices[0].starts.guardian.limit(.init(anHour: 2, aDay: 2), at: time) == nil)
        // The first one's answer, come twice, is nobody's.
        #expect(scene.devices[0].starts.settle(first, .rejected) == nil)
        #expect(scene.devices[0].starts.pending != nil)
    }

    @Test("a start that is not worth it any more is given up, and given back to the guard")
    func notWorthIt() throws {
        let late = Self.noon.adding(seconds: PendingStart.worthSeconds + 1)
        for result in [
            PushResult.rejected, .tokenIsDead, .pause(until: late), .retry(notBefore: late),
        ] {
            var scene = try Scene()
            let orders = scene.plan().orders
            let order = try #require(orders.first)
            #expect(scene.devices[0].starts.settle(order, result) == nil)
            #expect(scene.devices[0].starts == DeviceStarts())
        }
    }

    @Test("what has become moot meanwhile is not sent again")
    func moot() throws {
        for reason in 0..<4 {
            var scene = try Scene()
            let orders = scene.plan().orders
            let order = try #require(orders.first)
            _ = scene.devices[0].starts.settle(order, .pause(until: Self.noon))
            switch reason {
            case 0: scene.activities = [Self.activity()]
            case 1: _ = try scene.party.apply(.leave(Self.panda.id), at: .zero)
            case 2: _ = try scene.party.apply(.end, at: .zero)
            default: scene.devices[0].token = nil
            }
            #expect(scene.planAgain().orders.isEmpty)
            #expect(scene.devices[0].starts == DeviceStarts())
        }
    }

    @Test("R12: a clock that was set back does not keep a device waiting")
    func clockSetBack() throws {
        var scene = try Scene()
        _ = scene.plan()
        scene.now = Self.noon.adding(seconds: -3 * 24 * 3600)
        #expect(scene.plan().verdicts == [.pending])
        scene.now = scene.now.adding(seconds: PendingStart.timeoutSeconds)
        #expect(scene.plan().verdicts == [.sent])
    }

    // MARK: The card that was started

    @Test("N1, P1: a card that was started by push is as old as its start, and goes on after it")
    func age() throws {
        var scene = try Scene()
        let orders = scene.plan().orders
        let order = try #require(orders.first)
        let later = Self.noon.adding(milliseconds: 300)
        let settled = StartPlanner.settle(Self.activity(), devices: &scene.devices)
        let start = try #require(settled)
        var outbox = ActivityOutbox(
            activity: ActivityID("a"), hero: Self.panda.id, startedAt: later)
        outbox.wasStarted(by: start, party: scene.party, version: 2, now: later)
        #expect(outbox.startedAt == Self.noon)
        var activity = Self.activity()
        activity.pushToken = PushToken(hex: "bb")
        _ = try scene.party.apply(.raiseStorm, at: .zero)
        let update = outbox.release(party: scene.party, to: activity, now: later)
        #expect(try #require(update).timestamp > order.timestamp)
    }

    @Test("L13: what the start showed is not sent again, unless in another language")
    func shown() throws {
        for language in Language.allCases {
            var scene = try Scene()
            _ = scene.plan()
            var activity = Self.activity()
            activity.pushToken = PushToken(hex: "bb")
            activity.language = language
            let settled = StartPlanner.settle(activity, devices: &scene.devices)
            let start = try #require(settled)
            var outbox = ActivityOutbox(
                activity: activity.id, hero: Self.panda.id, startedAt: Self.noon)
            outbox.refresh(for: activity, party: scene.party, version: 2, now: Self.noon)
            outbox.wasStarted(by: start, party: scene.party, version: 2, now: Self.noon)
            let later = Self.noon.adding(seconds: 1)
            let update = outbox.release(party: scene.party, to: activity, now: later)
            #expect((update == nil) == (language == .english))
        }
    }

    @Test("N4: a card that comes after its adventure is ended at once")
    func late() throws {
        var scene = try Scene()
        _ = scene.plan()
        let settled = StartPlanner.settle(Self.activity(), devices: &scene.devices)
        let start = try #require(settled)
        _ = try scene.party.apply(.end, at: .zero)
        var outbox = ActivityOutbox(
            activity: ActivityID("a"), hero: Self.panda.id, startedAt: Self.noon)
        outbox.wasStarted(by: start, party: scene.party, version: 2, now: Self.noon)
        var activity = Self.activity()
        activity.pushToken = PushToken(hex: "bb")
        let released = outbox.release(party: scene.party, to: activity, now: Self.noon)
        let order = try #require(released)
        guard case .end = order.event else {
            Issue.record("the card got \(order.event)")
            return
        }
    }
}
