import Content
import GameLogic
import PushPolicy

@testable import PartyStore

/// A party that plays by a seed, with activities whose pushes meet every fate: each of its changes
/// is what a store is given.
struct PlayedParty {
    static let noon = WallTime(milliseconds: 1_800_000_000_000)
    static let names = ["Power Panda", "Egghead", "Spouty", "Foxy", "Grüße 🐻", "日本の熊"]

    private(set) var stored: StoredParty
    private(set) var commits: [PartyCommit] = []
    private(set) var outcomes: [StoredOutcome] = []
    private var responses: [JournalResponse] = []
    private var dice: SeededRandom

    /// Plays for so many steps of a minute.
    init(seed: UInt64, steps: Int = 40) throws {
        dice = SeededRandom(seed: seed)
        stored = StoredParty(
            key: PartyKey(number: Int64(truncatingIfNeeded: dice.next() >> 1)), version: 1,
            party: Party(id: PartyID("party-\(seed)")),
            clock: PartyClock(beganAt: Self.noon, millisecondsPerSecond: 60_000),
            inviteCode: "CODE\(seed)", createdAt: Self.noon)
        commits = [PartyCommit(stored: stored, isAwake: false, at: Self.noon)]
        for hero in heroes() { try change(.join(hero)) }
        try change(.start(seed: seed, EmbeddedPacks.classic))
        for step in 1...steps { try play(step) }
    }

    private mutating func heroes() -> [Hero] {
        (1...dice.draw(in: 1...Party.sizeMax)).map { number in
            Hero(
                id: HeroID("hero-\(number)"), owner: PlayerID("player-\(number)"),
                name: Self.names[number % Self.names.count], avatar: "🐼",
                heroType: "Forest Dweller", healthLevel: Health(thousandths: 1000 - number),
                exp: dice.draw(in: 0...5000))
        }
    }

    private mutating func play(_ step: Int) throws {
        if dice.draw(in: 1...5) == 1 { register(at: step) }
        settle(at: step)
        let heroes = stored.party.members.map(\.hero.id)
        guard let first = heroes.first, let last = heroes.last else { return }
        let commands: [Command?] = [
            nil, nil, nil, nil, .usePotion(by: first, on: last), .dropLoot(nil),
            .dropLoot(last), .raiseStorm, .leave(last), .summonBoss,
            .start(seed: dice.next(), EmbeddedPacks.classic),
            .end, .kick(last), .promote(last), .claimLead(last), .disband,
        ]
        try change(commands[dice.draw(in: 0...commands.count - 1)], at: step)
    }

    private mutating func change(_ command: Command?, at step: Int = 0) throws {
        let now = Self.noon.adding(seconds: Int64(step))
        let time = stored.clock.gameTime(at: now)
        var party = stored.party
        var events = party.advance(to: time)
        var logged: LoggedCommand?
        if let command, let more = try? party.apply(command, at: time) {
            events += more
            logged = LoggedCommand(command: command, time: time)
            if case .start = command { stored.clock.beganAt = now }
        }
        stored.party = party
        stored.version += 1
        var activities = stored.activities
        let decisions = PushPlanner.plan(
            events, party: party, version: stored.version, activities: &activities, now: now)
        let pushes = PushPlanner.release(party: party, activities: &activities, now: now)
        stored.activities = activities
        var commit = PartyCommit(stored: stored, isAwake: party.isOnAdventure, at: now)
        commit.events = events
        commit.command = logged
        commit.decisions = decisions
        commit.pushes = pushes.map { JournalPush($0) }
        commit.responses = responses
        responses = []
        commits.append(commit)
    }

    // MARK: Activities

    private mutating func register(at step: Int) {
        guard let hero = stored.party.members.randomMember(&dice)?.hero else { return }
        let now = Self.noon.adding(seconds: Int64(step))
        let ids = [Self.uuid(&dice), Self.uuid(&dice).lowercased(), "card \(step) / ü"]
        let isSpectators = dice.draw(in: 1...6) == 1
        let channel = ChannelName("dHN0LXNyY2gtY2hubA==\(step)")
        var registration =
            isSpectators
            ? ActivityRegistration.spectators(
                on: channel, in: .sandbox, openedBy: hero.owner, through: hero.id,
                of: stored.id, language: .english, at: now)
            : ActivityRegistration(
                id: ActivityID(ids[dice.draw(in: 0...2)]), player: hero.owner, hero: hero.id,
                party: stored.id, pushToken: Self.token(&dice), tokenRegisteredAt: now,
                environment: .production, frequentPushesEnabled: true, language: .japanese,
                osVersion: "18.1", state: .active, device: DeviceID("phone-\(step)"),
                createdAt: now)
        if dice.draw(in: 1...5) == 1 { registration.state = .dismissed }
        var outbox = ActivityOutbox(activity: registration.id, hero: hero.id, startedAt: now)
        if dice.draw(in: 1...9) == 1 { outbox.end(in: stored.party, version: 1, now: now) }
        stored.activities.append(
            LiveActivity(
                registration: registration, outbox: dice.draw(in: 1...7) == 1 ? nil : outbox))
        PushPlanner.refresh(
            registration.id, party: stored.party, version: stored.version,
            activities: &stored.activities, now: now)
    }

    private mutating func settle(at step: Int) {
        let now = Self.noon.adding(seconds: Int64(step))
        for activity in stored.activities {
            guard let push = activity.outbox?.snapshot.inFlight else { continue }
            let fates: [PushOutcome] = [
                .accepted, .accepted, .tokenIsDead, .rejected, .unknown,
                .pause(until: now.adding(seconds: 3)), .retry(notBefore: now.adding(seconds: 2)),
            ]
            let fate = dice.draw(in: 0...fates.count - 1)
            let outcome = fates[fate]
            let (status, reason) = Self.responsesOfFates[fate]
            let response = PushResponse(
                status: status, reason: reason, at: now.adding(milliseconds: 120))
            outcomes.append(
                StoredOutcome(
                    party: stored.key, activity: activity.id, timestamp: push.timestamp,
                    outcome: outcome, response: response))
            responses.append(
                JournalResponse(
                    activity: activity.id, timestamp: push.timestamp, response: response))
            PushPlanner.settle(
                outcome, of: activity.id, timestamp: push.timestamp,
                activities: &stored.activities, now: now)
        }
    }

    private static let responsesOfFates = [
        (200, ""), (200, ""), (410, "Unregistered"), (400, "BadTopic"), (0, "outcome unknown"),
        (429, "TooManyRequests"), (500, "InternalServerError"),
    ]

    static func uuid(_ dice: inout SeededRandom) -> String {
        var digits = hex(dice.next()) + hex(dice.next())
        for place in [20, 16, 12, 8] {
            digits.insert("-", at: digits.index(digits.startIndex, offsetBy: place))
        }
        return digits.uppercased()
    }

    static func token(_ dice: inout SeededRandom) -> PushToken {
        PushToken(hex: (0..<4).map { _ in hex(dice.next()) }.joined())
    }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension [Member] {
    fileprivate func randomMember(_ dice: inout SeededRandom) -> Member? {
        isEmpty ? nil : self[dice.draw(in: 0...count - 1)]
    }
}
