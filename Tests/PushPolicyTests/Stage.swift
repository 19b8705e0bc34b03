@testable import GameLogic
@testable import PushPolicy
import Content

/// One party with its outboxes, its phones and a clock: what the server would hold. A class, so
/// that an expectation may call what changes it.
final class Stage {
    static let start = WallTime(milliseconds: 1_685_952_000_000)
    static let activity = ActivityID("panda's card")
    static let partyID = PartyID("party")
    /// When the first activity has reached its age limit.
    static let ageLimit = start.adding(seconds: ActivityOutbox.ageMaxSeconds)

    var party = Party(id: Stage.partyID)
    var activities: [LiveActivity] = []
    var version: Int64 = 0
    var now = Stage.start
    /// The wall clock minus `now`, in milliseconds.
    var wallOffset: Int64 = 0
    /// When an owner's last pause of all pushes ended; `nil`: there was none.
    var sendingSince: WallTime?
    /// The adventure's clock; `nil`: game time is what it says.
    var clock: (any AdventureClock)?
    var inFlight: [ActivityID: PlannedPush] = [:]
    var decisions: [Decision] = []

    /// Power Panda and Egghead on an adventure; one phone watches Power Panda. The first activity
    /// has been accepted already.
    init(in pack: Pack = EmbeddedPacks.classic) throws {
        for hero in [Samples.panda, Samples.egghead] {
            _ = try party.apply(.join(hero), at: .zero)
        }
        let events = try party.apply(.start(seed: 7, pack), at: .zero)
        register(Self.activity, for: Samples.panda)
        plan(events)
        settleAll()
        now = now.adding(seconds: 60)
    }

    /// What the first activity is owed, as long as there is one.
    var entry: ActivityOutbox {
        get {
            activities.first?.outbox
                ?? ActivityOutbox(activity: Self.activity, hero: Samples.panda.id, startedAt: now)
        }
        set { activities[0].outbox = newValue }
    }

    /// What all activities are owed that have not ended.
    var entries: [ActivityOutbox] { activities.compactMap(\.outbox) }

    var registration: ActivityRegistration {
        get { activities[0].registration }
        set { activities[0].registration = newValue }
    }

    static func registration(_ id: ActivityID, of hero: Hero) -> ActivityRegistration {
        ActivityRegistration(
            id: id, player: hero.owner, hero: hero.id, party: PartyID("party"),
            pushToken: PushToken(hex: "70a1"), tokenRegisteredAt: start, environment: .sandbox,
            frequentPushesEnabled: false, language: .english, osVersion: "18.0", state: .active,
            createdAt: start)
    }

    func register(_ id: ActivityID, for hero: Hero) {
        activities.append(
            LiveActivity(
                registration: Self.registration(id, of: hero),
                outbox: ActivityOutbox(activity: id, hero: hero.id, startedAt: now)))
    }

    // MARK: What happens

    /// Events happen, in one commit.
    @discardableResult
    func tell(_ kinds: PartyEvent.Kind...) -> [Decision] {
        plan(
            kinds.map { kind in
                affect(kind)
                // In the words of the first variant.
                return party.note(kind, at: .zero, .first)
            })
    }

    @discardableResult
    func plan(_ events: [PartyEvent]) -> [Decision] {
        version += 1
        let news = PushPlanner.plan(
            events, party: party, version: version, activities: &activities, clock: clock,
            now: now, wallOffset: wallOffset)
        decisions += news
        return news
    }

    /// What the events do to the heroes, as far as an activity shows it.
    private func affect(_ kind: PartyEvent.Kind) {
        switch kind {
        case .hurt(let hero, by: _, damage: let damage):
            change(hero) { _ = $0.suffer(damage) }
        case .knockedDown(let hero):
            change(hero) {
                $0.health = .none
                $0.condition = .knockedDown
            }
        case .revived(let hero):
            change(hero) {
                $0.health = Health(thousandths: 400)
                $0.condition = .standing
            }
        case .connectionLost(let hero):
            change(hero) { $0.condition = .lostConnection(until: .minutes(5)) }
        case .connectionReturned(let hero): change(hero) { $0.condition = .standing }
        case .heroLeft(let hero), .heroStayed(let hero):
            party.members.removeAll { $0.hero.id == hero.id }
        case .bossAppeared(let boss): party.adventure?.phase = .boss(boss, health: 1000)
        case .adventureOver(let outcome, in: _): party.adventure?.phase = .over(outcome)
        case .adventureBegan, .commonLootFound, .rareLootFound, .smallHeal, .criticallyHit,
            .potionUsed, .foeAppeared, .foeDefeated, .foeLeft, .bossEnraged, .bossDefeated,
            .stormRaised, .heroJoined, .partyDefeated, .timeLimitReached, .leaderChanged,
            .potionsFound, .adventurePaused,
            .adventureResumed, .messageSent, .bossGathers, .bossSweeps, .inDanger, .helpAsked,
            .lastStand, .secondWind, .taleTold, .forkAsked, .forkTaken, .fleeAsked, .fled,
            .guardAsked, .guarded, .lootAsked, .lootGiven, .breathTaken, .potionsRefilled,
            .stopAsked, .stopped, .worldHit, .worldBossWeakened, .worldBossDefeated,
            .lootForAll, .readyAsked, .readyCheckEnded, .heroFollowed:
            break
        }
    }

    private func change(_ hero: HeroTag, _ body: (inout Member) -> Void) {
        guard let index = party.members.firstIndex(where: { $0.hero.id == hero.id }) else { return }
        body(&party.members[index])
    }

    /// The client puts its registration, as it is now.
    func refresh() {
        PushPlanner.refresh(
            Self.activity, party: party, version: version + 1, activities: &activities,
            clock: clock, now: now)
    }

    // MARK: Pushes

    @discardableResult
    func release() -> [PlannedPush] {
        let pushes = PushPlanner.release(
            party: party, activities: &activities, clock: clock, now: now,
            wallOffset: wallOffset, sendingSince: sendingSince)
        for push in pushes { inFlight[push.activity] = push }
        return pushes
    }

    func settle(_ push: PlannedPush, _ outcome: PushOutcome) {
        inFlight[push.activity] = nil
        PushPlanner.settle(
            outcome, of: push.activity, timestamp: push.timestamp, activities: &activities,
            now: now)
    }

    /// Releases one push and answers it.
    @discardableResult
    func push(_ outcome: PushOutcome = .accepted) -> PlannedPush? {
        guard let push = release().first else { return nil }
        settle(push, outcome)
        return push
    }

    /// Accepts everything until nothing leaves any more; returns what left.
    @discardableResult
    func settleAll() -> [PlannedPush] {
        var all: [PlannedPush] = []
        while true {
            let pushes = release()
            guard !pushes.isEmpty else { return all }
            for push in pushes { settle(push, .accepted) }
            all += pushes
        }
    }

    /// The server is killed and starts again.
    func restart() {
        inFlight = [:]
        PushPlanner.recover(activities: &activities, now: now)
    }

    /// What the wall clock shows.
    var wall: WallTime { now.adding(milliseconds: wallOffset) }

    func wait(seconds: Int64) { now = now.adding(seconds: seconds) }

    var nextReleaseAt: WallTime? {
        PushPlanner.nextReleaseAt(activities: activities, now: now)
    }

    /// What the activity of the first activity should show.
    var content: LocalizableContent? { LocalizableContent(of: entry.hero, in: party) }
}

/// An adventure's clock that began with the stage.
struct StageClock: AdventureClock {
    var speed: Int64 = 1

    func wallTime(of time: GameTime) -> WallTime {
        Stage.start.adding(milliseconds: time.milliseconds / speed)
    }
}

extension PlannedPush {
    /// Whose outcome it is, if it is an activity's.
    var activity: ActivityID {
        switch recipient {
        case .activity(let activity): activity
        case .device: ActivityID("")
        }
    }
}

extension PlannedPush {
    var start: PlannedStart? {
        guard case .start(let start) = event else { return nil }
        return start
    }

    /// The device on which an activity is started.
    var device: StartDevice.Key? {
        guard case .device(let device) = recipient else { return nil }
        return device
    }
}
