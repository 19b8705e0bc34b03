@testable import GameLogic
@testable import PushPolicy
import Content

/// A party of one to eight heroes under chance, whose every push is checked for whose news it tells:
/// the real game, commands of players and game masters, and an Apple that does not take every push.
struct NewsPlay {
    private static let packs = ["classic", "forest-quest", "titan-rush", "night-watch"]

    private let seed: UInt64
    private let stage: Stage
    private var random: SeededRandom
    private var gameTime = GameTime.zero
    private var events: [PartyEvent] = []
    /// How many of the events each card's accepted pushes cover, and its push in flight.
    private var covered: [ActivityID: Int] = [:]
    private var launched: [ActivityID: Int] = [:]
    /// The pushes that were checked.
    private(set) var states = 0
    /// Pushes that cover news of the card's own hero and of another one.
    private(set) var contested = 0
    /// Pushes to a hero who is down, which cover news of another one.
    private(set) var fallen = 0
    private(set) var faults: [String] = []

    init(seed: UInt64) throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        let packs = Self.packs.compactMap { EmbeddedPacks.document(named: $0)?.pack }
        let pack = packs.isEmpty ? EmbeddedPacks.classic : packs[Int(seed) % packs.count]
        stage = try Stage(in: pack)
        stage.party = Party(id: Stage.partyID)
        stage.activities = []
        stage.clock = StageClock()
        for number in 1...(Int(seed) % Party.sizeMax + 1) {
            let hero = Samples.hero("hero-\(number)", "Hero \(number)")
            note(try stage.party.apply(.join(hero), at: .zero))
            let id = ActivityID("\(hero.id)'s card")
            stage.register(id, for: hero)
            let index = stage.activities.count - 1
            stage.activities[index].registration.frequentPushesEnabled = seed % 3 != 0
            stage.activities[index].registration.stateVersion =
                number.isMultiple(of: 2) ? .first : .second
            covered[id] = events.count
        }
        note(try stage.party.apply(.start(seed: seed, pack), at: .zero))
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps where stage.party.isOnAdventure {
            act()
            // As the server does: no push leaves before the change is planned.
            stage.plan([])
            for push in stage.release() {
                launched[push.activity] = events.count
                check(push)
            }
            answer()
            stage.wait(seconds: Int64(random.draw(in: 1...20)))
        }
    }

    // MARK: The game

    private mutating func act() {
        let heroes = stage.party.members.map(\.hero.id)
        guard let hero = pick(heroes), let other = pick(heroes) else { return }
        switch random.draw(in: 0...19) {
        case 0...9:
            gameTime = GameTime(
                milliseconds: stage.now.milliseconds - Stage.start.milliseconds)
            note(stage.party.advance(to: gameTime))
        case 10, 11: command(.raiseStorm)
        case 12: command(.usePotion(by: hero, on: other))
        case 13: command(.arrange(.heal(hero, amount: random.draw(in: 100...600), .wakes)))
        case 14: command(.arrange(.potions(1, for: hero)))
        case 15: command(.dropLoot(random.draw(in: 0...1) == 0 ? nil : hero))
        case 16: command(.summonBoss)
        case 17: command(.arrange(.message(.sample)))
        case 18:
            let ask = stage.party.adventure?.course.asks.first?.id ?? 1
            command(.answer(hero, ask: ask, yes: true))
        default: disturb()
        }
    }

    private mutating func pick(_ heroes: [HeroID]) -> HeroID? {
        heroes.isEmpty ? nil : heroes[random.draw(in: 0...heroes.count - 1)]
    }

    private mutating func command(_ command: Command) {
        if let events = try? stage.party.apply(command, at: gameTime) { note(events) }
    }

    private mutating func note(_ new: [PartyEvent]) {
        events += new
        stage.plan(new)
    }

    /// The server restarts, a phone gets another token, the leader changes, a hero leaves, or all is
    /// over at once.
    private mutating func disturb() {
        let heroes = stage.party.members.map(\.hero.id)
        switch random.draw(in: 0...6) {
        case 0:
            stage.restart()
            launched = [:]
        case 1:
            let index = random.draw(in: 0...stage.activities.count - 1)
            stage.activities[index].registration.tokenRegisteredAt = stage.now
            stage.version += 1
            PushPlanner.refresh(
                stage.activities[index].id, party: stage.party, version: stage.version,
                activities: &stage.activities, clock: stage.clock, now: stage.now)
        case 2:
            if let hero = heroes.last { command(.promote(hero)) }
        case 3: if heroes.count > 1, let hero = pick(heroes) { command(.leave(hero)) }
        case 4: command(.arrange(.end(.timeLimit)))
        case 5: command(.end)
        default: command(.arrange(.storm(strength: 200)))
        }
    }

    // MARK: Apple

    private mutating func answer() {
        for activity in stage.inFlight.keys.sorted() {
            guard let push = stage.inFlight[activity], let outcome = drawOutcome() else { continue }
            stage.settle(push, outcome)
            if outcome == .accepted { covered[activity] = launched[activity] }
        }
    }

    private mutating func drawOutcome() -> PushOutcome? {
        switch random.draw(in: 0...9) {
        case 0...5: .accepted
        case 6: .unknown
        case 7: .pause(until: stage.now.adding(seconds: 5))
        case 8: .retry(notBefore: stage.now.adding(seconds: 30))
        default: nil
        }
    }

    // MARK: Whose news

    private mutating func check(_ push: PlannedPush) {
        guard push.event == .update else {
            let key = push.content.text.key
            if key != "hero.leaves", !key.contains(".ends.") { fault(push, "ends otherwise") }
            return
        }
        guard
            let card = stage.activities.first(where: { $0.id == push.activity })?.registration,
            let member = stage.party.member(card.hero)
        else { return }
        states += 1
        let open = events.dropFirst(covered[push.activity] ?? 0)
        let own = open.filter { $0.kind.changes(card.hero) }
        let others = open.filter { $0.kind.isOnlyOfOthers(than: card.hero) }
        let tellsOthers = events.contains {
            $0.sequence == push.tells && $0.kind.isOnlyOfOthers(than: card.hero)
        }
        if !own.isEmpty, !others.isEmpty { contested += 1 }
        if member.isKnockedDown, !others.isEmpty { fallen += 1 }
        if tellsOthers, !own.isEmpty || member.isKnockedDown {
            fault(push, "tells another's news, and its hero had \(own.map(\.kind.name))")
        }
        if push.tells == 0 { checkState(push, member, card.stateVersion) }
        if let question = push.details?.question {
            if question.text.key.isEmpty { fault(push, "has a button that nothing asks") }
            if let end = question.endsAt, end.seconds > push.timestamp,
                push.staleDate.map({ $0 > end }) ?? true
            {
                fault(push, "keeps its button after the question's end")
            }
        }
    }

    /// A card that tells no event tells a fall that lasts, or the beginning behind a question; or it
    /// asks.
    private mutating func checkState(
        _ push: PlannedPush, _ member: Member, _ version: StateVersion
    ) {
        let fall = EventTexts.text(for: .knockedDown(member.hero.tag), member.outing.fall.telling)
        let asks = version == .first && !(stage.party.adventure?.course.asks.isEmpty ?? true)
        let begins = push.content.text.key.hasSuffix(".begins")
        if push.content.text != fall, !asks, !begins { fault(push, "tells nothing that lasts") }
        if member.isKnockedDown, push.content.text != fall { fault(push, "hides a fall") }
    }

    private mutating func fault(_ push: PlannedPush, _ words: String) {
        faults.append("seed \(seed): \(push.activity) says \(push.content.text.key): \(words)")
    }
}

extension PartyEvent.Kind {
    /// Whether the event has happened to this hero: a question has not happened to anybody yet.
    fileprivate func changes(_ hero: HeroID) -> Bool {
        switch self {
        case .helpAsked(let fallen, of: _): fallen.id == hero
        case .guardAsked, .lootAsked: false
        default: heroes.contains { $0.id == hero }
        }
    }

    fileprivate func isOnlyOfOthers(than hero: HeroID) -> Bool {
        !heroes.isEmpty && !heroes.contains { $0.id == hero } && !isOfAll
    }

    /// What names a hero but matters to everybody.
    private var isOfAll: Bool {
        switch self {
        case .bossDefeated, .lastStand: true
        default: false
        }
    }
}
