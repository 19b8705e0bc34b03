import Content
import GameLogic

@testable import PushPolicy

/// The party of two heroes at the beginning of an adventure, and their players' devices: what the
/// server knows when it decides where activities begin by push.
struct StartStage {
    static let noon = WallTime(milliseconds: 1_685_952_000_000)
    static let panda = hero("panda", of: "player-1")
    static let egghead = hero("egghead", of: "player-2")

    static func hero(_ name: String, of player: String) -> Hero {
        Hero(
            id: HeroID(name), owner: PlayerID(player), name: name, avatar: "🐼",
            heroType: "Forest Dweller")
    }

    static func device(
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

    static func activity(
        of hero: Hero = panda, on device: String? = nil, state: ActivityState = .active
    ) -> ActivityRegistration {
        ActivityRegistration(
            id: ActivityID("a"), player: hero.owner, hero: hero.id, party: PartyID("p"),
            pushToken: nil, tokenRegisteredAt: noon, environment: .sandbox,
            frequentPushesEnabled: true, language: .english, osVersion: "18.1", state: state,
            device: device.map { DeviceID($0) }, createdAt: noon)
    }

    var party = Party(id: PartyID("p"))
    var events: [PartyEvent] = []
    var devices: [StartDevice]
    var activities: [ActivityRegistration] = []
    var rollingOver: Set<ActivityID> = []
    var now = noon

    init(_ devices: [StartDevice] = [device()]) throws {
        self.devices = devices
        _ = try party.apply(.join(Self.panda), at: .zero)
        _ = try party.apply(.join(Self.egghead), at: .zero)
        events = try party.apply(.start(seed: 1, EmbeddedPacks.classic), at: .zero)
    }

    var planner: StartPlanner {
        StartPlanner(
            party: party, registrations: activities, rollingOver: rollingOver,
            limits: .standard, now: now)
    }

    mutating func plan() -> StartPlanner.Plan {
        planner.plan(
            StartPlanner.occasions(in: events, party: party), devices: &devices)
    }

    /// Ends the adventure, and begins another one.
    mutating func beginAnother(seed: UInt64) throws {
        _ = try party.apply(.end, at: .zero)
        events = try party.apply(.start(seed: seed, EmbeddedPacks.classic), at: .zero)
    }

    /// Notes that an app has reported an activity.
    mutating func settle(_ activity: ActivityRegistration) -> PendingStart? {
        StartPlanner.settle(activity, in: party, devices: &devices, now: now)
    }

    mutating func planAgain() -> StartPlanner.Plan { planner.planAgain(devices: &devices) }
}
