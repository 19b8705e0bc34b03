@testable import GameLogic
@testable import PushPolicy

/// One party with its outboxes, its phones and a clock: what the server would hold. A class, so
/// that an expectation may call what changes it.
final class Stage {
    static let start = WallTime(milliseconds: 1_685_952_000_000)
    static let card = ActivityID("panda's card")

    var party = Party(id: PartyID("party"))
    var outbox: [ActivityOutbox] = []
    var registrations: [ActivityID: ActivityRegistration] = [:]
    var version: Int64 = 0
    var now = Stage.start
    var flying: [ActivityID: PushOrder] = [:]
    var decisions: [Decision] = []

    /// Power Panda and Egghead on an adventure; one phone watches Power Panda. The first card
    /// has been accepted already.
    init() throws {
        for hero in [Samples.panda, Samples.egghead] {
            _ = try party.apply(.join(hero), at: .zero)
        }
        let events = try party.apply(.start(seed: 7), at: .zero)
        register(Self.card, for: Samples.panda)
        plan(events)
        settleAll()
        now = now.adding(seconds: 60)
    }

    var entry: ActivityOutbox { outbox[0] }

    var registration: ActivityRegistration {
        get { registrations[Self.card] ?? Self.registration(Self.card, of: Samples.panda) }
        set { registrations[Self.card] = newValue }
    }

    static func registration(_ id: ActivityID, of hero: Hero) -> ActivityRegistration {
        ActivityRegistration(
            id: id, player: hero.owner, hero: hero.id, party: PartyID("party"),
            pushToken: PushToken(hex: "70a1"), tokenRegisteredAt: start, environment: .sandbox,
            frequentPushesEnabled: false, language: .english, osVersion: "18.0", state: .active,
            createdAt: start)
    }

    func register(_ id: ActivityID, for hero: Hero) {
        outbox.append(ActivityOutbox(activity: id, hero: hero.id, startedAt: now))
        registrations[id] = Self.registration(id, of: hero)
    }

    // MARK: What happens

    /// Events happen, in one commit.
    @discardableResult
    func tell(_ kinds: PartyEvent.Kind...) -> [Decision] {
        plan(
            kinds.map { kind in
                affect(kind)
                return party.note(kind, at: .zero)
            })
    }

    @discardableResult
    func plan(_ events: [PartyEvent]) -> [Decision] {
        version += 1
        let news = PushPlanner.plan(
            events, party: party, version: version, outbox: &outbox, registrations: registrations,
            now: now)
        decisions += news
        return news
    }

    /// What the events do to the heroes, as far as a card shows it.
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
        case .heroLeft(let hero): party.members.removeAll { $0.hero.id == hero.id }
        case .bossAppeared(let boss): party.adventure?.phase = .boss(boss, health: 1000)
        case .adventureOver(let outcome): party.adventure?.phase = .over(outcome)
        case .adventureBegan, .commonLootFound, .rareLootFound, .smallHeal, .criticallyHit,
            .potionUsed, .foeDefeated, .bossEnraged, .bossDefeated, .stormRaised, .heroJoined,
            .partyDefeated, .timeLimitReached:
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
            registration, party: party, version: version + 1, outbox: &outbox, now: now)
    }

    // MARK: Pushes

    @discardableResult
    func release() -> [PushOrder] {
        let orders = PushPlanner.release(
            party: party, outbox: &outbox, registrations: registrations, now: now)
        for order in orders { flying[order.activity] = order }
        return orders
    }

    func settle(_ order: PushOrder, _ result: PushResult) {
        flying[order.activity] = nil
        PushPlanner.settle(order, result, outbox: &outbox, now: now)
    }

    /// Releases one push and answers it.
    @discardableResult
    func push(_ result: PushResult = .accepted) -> PushOrder? {
        guard let order = release().first else { return nil }
        settle(order, result)
        return order
    }

    /// Accepts everything until nothing leaves any more; returns what left.
    @discardableResult
    func settleAll() -> [PushOrder] {
        var all: [PushOrder] = []
        while true {
            let orders = release()
            guard !orders.isEmpty else { return all }
            for order in orders { settle(order, .accepted) }
            all += orders
        }
    }

    /// The server is killed and starts again.
    func restart() {
        flying = [:]
        PushPlanner.recover(outbox: &outbox, now: now)
    }

    func wait(seconds: Int64) { now = now.adding(seconds: seconds) }

    var nextReleaseAt: WallTime? {
        PushPlanner.nextReleaseAt(outbox: outbox, registrations: registrations, now: now)
    }

    /// What the card of the first activity should show.
    var card: Card? { Card(of: entry.hero, in: party) }
}
