@testable import GameLogic
@testable import PushPolicy
import Content

/// A whole party with its phones under chance: the real game, random answers, kills, new tokens.
/// Everything that must always hold is checked as it happens.
struct Chaos {
    enum Weather {
        /// Everything is accepted, soon.
        case fair
        /// Every answer there is, restarts, clock steps, tokens that come and go.
        case foul
    }

    private let seed: UInt64
    private let weather: Weather
    private var random: SeededRandom
    private let stage: Stage
    private var gameTime = GameTime.zero
    private var lastTimestamp: [ActivityID: Int64] = [:]
    private var ended: Set<ActivityID> = []
    /// By how many seconds the wall clock was set back in all.
    private var setBack: Int64 = 0
    private var highSinceSettled: Set<ActivityID> = []
    private(set) var falls: [HeroID: Int] = [:]
    /// Alerts of a fall.
    private(set) var alerts: [HeroID: Int] = [:]
    /// Alerts of a last stand, which may stand for that of the fall before it.
    private(set) var lastStands: [HeroID: Int] = [:]
    /// All alerts.
    private(set) var heard: [HeroID: Int] = [:]
    private(set) var pushes = 0
    private(set) var faults: [String] = []

    init(seed: UInt64, in weather: Weather) throws {
        self.seed = seed
        self.weather = weather
        random = SeededRandom(seed: seed)
        stage = try Stage()
        stage.party = Party(id: PartyID("party"))
        stage.activities = []
        for hero in [Samples.panda, Samples.egghead, Samples.spouty] {
            stage.plan(try stage.party.apply(.join(hero), at: .zero))
            stage.register(ActivityID("\(hero.id)'s card"), for: hero)
        }
        note(try stage.party.apply(.start(seed: seed, EmbeddedPacks.classic), at: .zero))
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps {
            act()
            release()
            answer()
            switch weather {
            case .fair: stage.wait(seconds: Int64(random.draw(in: 1...3)))
            case .foul: stage.now = stage.now.adding(milliseconds: Int64(random.draw(in: 0...4000)))
            }
        }
    }

    /// The faults end: everything is accepted until nothing is to be sent any more.
    mutating func settle() {
        for index in stage.activities.indices {
            let token = stage.activities[index].registration.pushToken
            stage.activities[index].registration.pushToken = token ?? PushToken(hex: "70a9")
            stage.activities[index].registration.tokenRegisteredAt = stage.now.adding(
                milliseconds: 1)
        }
        for _ in 0..<1000 {
            for push in stage.inFlight.values { stage.settle(push, .accepted) }
            release()
            guard stage.inFlight.isEmpty else { continue }
            guard let next = stage.nextReleaseAt, next < stage.now.adding(seconds: 7000) else {
                break
            }
            stage.now = next
        }
        checkContents()
    }

    // MARK: The game

    private mutating func act() {
        switch random.draw(in: 0...9) {
        case 0...5:
            gameTime = gameTime + .seconds(Int64(random.draw(in: 5...40)))
            note(stage.party.advance(to: gameTime))
        case 6: command(.usePotion(by: Samples.panda.id, on: Samples.egghead.id))
        case 7: command(.raiseStorm)
        case 8: command(.summonBoss)
        default: disturb()
        }
    }

    private mutating func command(_ command: Command) {
        guard let events = try? stage.party.apply(command, at: gameTime) else { return }
        note(events)
    }

    private mutating func note(_ events: [PartyEvent]) {
        let decisions = stage.plan(events)
        let expected = events.count * stage.entries.count
        if decisions.count != expected {
            fault("\(decisions.count) decisions instead of \(expected)")
        }
        for event in events {
            let isHigh = Policy.rule(for: event.kind).priority == .high
            if isHigh { highSinceSettled.formUnion(stage.entries.map(\.activity)) }
        }
        // A fall that was healed at once, that ended the story, or that nobody can mend, is not to be
        // heard.
        for member in stage.party.members
        where member.isKnockedDown && member.potions > 0 && stage.party.isOnAdventure {
            let fall = PartyEvent.Kind.knockedDown(member.hero.tag)
            if events.contains(where: { $0.kind == fall }) {
                falls[member.hero.id, default: 0] += 1
            }
        }
    }

    private mutating func disturb() {
        guard weather == .foul else { return }
        let index = random.draw(in: 0...2)
        switch random.draw(in: 0...4) {
        case 0: stage.restart()
        case 1: stage.activities[index].registration.pushToken = nil
        case 2:
            stage.activities[index].registration.pushToken = PushToken(hex: "70a2")
            stage.activities[index].registration.tokenRegisteredAt = stage.now
            PushPlanner.refresh(
                stage.activities[index].id, party: stage.party, version: stage.version + 1,
                activities: &stage.activities, now: stage.now)
            stage.version += 1
        case 3: step(bySeconds: Int64(random.draw(in: -20...60)))
        default: command(.leave(Samples.spouty.id))
        }
    }

    /// Time passes, or the wall clock is set back.
    private mutating func step(bySeconds seconds: Int64) {
        stage.wait(seconds: max(0, seconds))
        guard seconds < 0 else { return }
        stage.wallOffset += seconds * 1000
        setBack -= seconds
    }

    // MARK: Apple

    private mutating func release() {
        for entry in stage.entries
        where stage.inFlight[entry.activity] != nil && !entry.isInFlight {
            fault("\(entry.activity) forgot what is in flight")
        }
        for push in stage.release() { check(push) }
    }

    private mutating func check(_ push: PlannedPush) {
        pushes += 1
        let lead = push.timestamp - stage.wall.seconds
        if lead > 5 + setBack { fault("a timestamp leads by \(lead) s") }
        if push.timestamp <= lastTimestamp[push.activity] ?? 0 { fault("timestamps stand still") }
        lastTimestamp[push.activity] = push.timestamp
        if ended.contains(push.activity) { fault("a push after the end of \(push.activity)") }
        if let alert = push.alert,
            let entry = stage.entries.first(where: { $0.activity == push.activity })
        {
            check(alert, on: push, to: entry.hero)
        }
        let isLoud = push.alert != nil || push.event != .update
        if push.priority == .high, !isLoud, !highSinceSettled.contains(push.activity) {
            fault("a high push that no event asked for")
        }
        if push.alert != nil, push.priority == .low { fault("an alert at low priority") }
    }

    /// Each alert asks its player for what the player can do: drink, drink in time, or help.
    private mutating func check(_ alert: Alert, on push: PlannedPush, to hero: HeroID) {
        heard[hero, default: 0] += 1
        if push.event != .update { fault("an alert with an end") }
        guard stage.party.isOnAdventure, let member = stage.party.member(hero),
            member.potions > 0
        else { return fault("an alert without a need") }
        switch alert.bodyKey {
        case "Use a potion to heal %@!":
            if !member.isKnockedDown { fault("an alert without a need") }
            if push.content.health != .none { fault("an alert on a card of a standing hero") }
            if alert.titleKey == "%@ is knocked down!" {
                alerts[hero, default: 0] += 1
            } else {
                lastStands[hero, default: 0] += 1
            }
        case "Open the app and use a potion to heal %@":
            if !member.isStanding { fault("a fallen hero is asked to drink in time") }
        default:
            let friends = stage.party.members.filter { $0.hero.id != hero }
            if !friends.contains(where: \.isKnockedDown) { fault("nobody is to be helped") }
        }
    }

    private mutating func answer() {
        for activity in stage.inFlight.keys.sorted() {
            guard let push = stage.inFlight[activity] else { continue }
            let result = weather == .fair ? .accepted : randomResult()
            guard let result else { continue }
            stage.settle(push, result)
            guard result == .accepted || result == .rejected else { continue }
            let isDone = stage.entries.contains { $0.activity == activity && $0.isDone }
            if push.event != .update && isDone { ended.insert(activity) }
            if stage.entries.allSatisfy(\.isSettled) { highSinceSettled = [] }
        }
    }

    private mutating func randomResult() -> PushOutcome? {
        switch random.draw(in: 0...11) {
        case 0...4: .accepted
        case 5: .unknown
        case 6: .retry(notBefore: stage.now.adding(seconds: 900))
        case 7: .pause(until: stage.now.adding(seconds: 20))
        case 8: .tokenIsDead
        default: nil
        }
    }

    // MARK: The end

    private mutating func checkContents() {
        for entry in stage.entries {
            let isMember = stage.party.member(entry.hero) != nil
            if stage.party.isOnAdventure && isMember {
                // Which news a card tells depends on what its pushes have covered.
                let shown = entry.accepted?.content
                let content = shown.flatMap {
                    CurrentParty(of: stage.party).content(
                        on: Card(of: entry.hero), saying: $0.text)
                }
                if shown == nil || shown != content {
                    fault("\(entry.activity) shows an old card")
                }
                if !entry.isSettled { fault("\(entry.activity) never settles") }
            } else if !entry.isDone {
                fault("\(entry.activity) never ends")
            }
        }
    }

    private mutating func fault(_ words: String) { faults.append("seed \(seed): \(words)") }
}
