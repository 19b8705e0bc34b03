package import Content
internal import GameLogic
internal import PartyStore
package import PushPolicy

/// Tells a pack's story without a server: the same engine, policy and words, in virtual time, on
/// phones that receive every push at once. Nobody acts.
package struct Rehearsal {
    /// More than any story has, so that a fault of ours ends too.
    private static let changesMax = 100_000
    private static let began = WallTime(milliseconds: 1_700_000_000_000)
    private static let cast = [
        ("Power Panda", "🐼"), ("Egghead", "🥚"), ("Spouty", "🐳"), ("Foxy", "🦊"),
        ("Toad", "🐸"), ("Bear", "🐻"), ("Octo", "🐙"), ("Chick", "🐥"),
    ]
    package static let heroCounts = 1...Party.sizeMax

    private let words: Words
    private let language: Language
    private var stored: StoredParty
    private var now = Self.began
    private var phones: [ActivityID: Phone] = [:]
    private var lines: [String] = []

    /// What one phone has received.
    struct Phone {
        fileprivate(set) var pushes = 0
        fileprivate(set) var highPriority = 0
        fileprivate(set) var alerts = 0
        /// Alerts to a player whose hero has no potion when the push is planned.
        fileprivate(set) var alertsInVain = 0
        /// Events that the budget lowered to low priority.
        fileprivate(set) var lowered = 0
        /// How long its adventure took.
        fileprivate(set) var milliseconds: Int64 = 0
        /// What its card says.
        fileprivate var text: LocalizableText?
    }

    /// Returns the story with `seed` for its dice, a line for each event, the last words of each
    /// card, and what the phones of so many heroes (`heroCounts`) received.
    package static func lines(
        of document: PackDocument, seed: UInt64, heroes: Int, in language: Language
    ) throws -> [String] {
        let words = try Words.embedded()
        words.packs.add(document)
        var rehearsal = try Rehearsal(words, heroes: heroes, language)
        try rehearsal.play(document.pack, seed: seed)
        return rehearsal.lines
    }

    /// Returns what each phone of such a story receives.
    static func phones(
        of document: PackDocument, seed: UInt64, heroes: Int, frequentUpdates: Bool, _ words: Words
    ) throws -> [Phone] {
        var rehearsal = try Rehearsal(words, heroes: heroes, .english)
        for index in rehearsal.stored.activities.indices {
            rehearsal.stored.activities[index].registration.frequentPushesEnabled = frequentUpdates
        }
        try rehearsal.play(document.pack, seed: seed)
        return Array(rehearsal.phones.values)
    }

    private init(_ words: Words, heroes: Int, _ language: Language) throws {
        self.words = words
        self.language = language
        var party = Party(id: PartyID("rehearsal"))
        for hero in Self.heroes.prefix(heroes) { _ = try party.apply(.join(hero), at: .zero) }
        stored = StoredParty(
            key: PartyKey(number: 1), version: 1, party: party,
            clock: PartyClock(beganAt: Self.began, millisecondsPerSecond: 1000),
            activities: party.members.map { Self.activity(of: $0.hero, in: language) },
            inviteCode: "", createdAt: Self.began)
    }

    private static let heroes = cast.enumerated().map { number, hero in
        Hero(
            id: HeroID("hero-\(number)"), owner: PlayerID("player-\(number)"), name: hero.0,
            avatar: hero.1, heroType: "Forest Dweller")
    }

    private static func activity(of hero: Hero, in language: Language) -> LiveActivity {
        let id = ActivityID("activity of \(hero.id)")
        let registration = ActivityRegistration(
            id: id, player: hero.owner, hero: hero.id, party: PartyID("rehearsal"),
            pushToken: PushToken(hex: "00"), tokenRegisteredAt: began, environment: .sandbox,
            frequentPushesEnabled: false, language: language, osVersion: "18.1", state: .active,
            stateVersion: .second, createdAt: began)
        return LiveActivity(
            registration: registration,
            outbox: ActivityOutbox(activity: id, hero: hero.id, startedAt: began))
    }

    // MARK: The story

    private mutating func play(_ pack: Pack, seed: UInt64) throws {
        var change = PartyChange(stored, now: now)
        try change.start(seed: seed, in: pack, millisecondsPerSecond: 1000)
        tell(change)
        for _ in 0..<Self.changesMax {
            guard stored.activities.contains(where: { $0.outbox != nil }),
                let due = stored.dueAt(now: now)
            else { break }
            now = max(due, now.adding(milliseconds: 1))
            var change = PartyChange(stored, now: now)
            change.advance()
            tell(change)
        }
        sumUp()
    }

    /// Writes down what a change says and sends, and lets every push be accepted.
    private mutating func tell(_ change: PartyChange) {
        var change = change
        let finished = change.finish()
        stored = finished?.commit.stored ?? change.stored
        let pushes = finished?.pushes ?? []
        for event in finished?.commit.events ?? [] {
            line(at: event.time, words.text(EventTexts.text(for: event), in: language))
        }
        var notes: [String] = []
        for push in pushes { notes.append(note(push)) }
        for decision in finished?.commit.decisions ?? [] where decision.notes.contains(.overBudget)
        {
            phones[decision.activity, default: Phone()].lowered += 1
        }
        if !notes.isEmpty { lines.append("          " + notes.joined(separator: "  ")) }
        for push in pushes {
            guard case .activity(let id) = push.recipient else { continue }
            PushPlanner.settle(
                .accepted, of: id, timestamp: push.timestamp, activities: &stored.activities,
                now: now)
        }
    }

    /// Counts a push, and returns "🐼 5", "🐳 5 [Take cover!]" with the button of a question, or
    /// "🥚 10 🔔 Egghead is knocked down!".
    private mutating func note(_ push: PlannedPush) -> String {
        guard case .activity(let id) = push.recipient else { return "" }
        phones[id, default: Phone()].pushes += 1
        phones[id]?.text = push.content.text
        if push.priority == .high { phones[id]?.highPriority += 1 }
        let button = push.details?.question.map { " [\(words.text($0.button, in: language))]" }
        let short = "\(avatar(of: id)) \(push.priority.rawValue)\(button ?? "")"
        guard let alert = push.alert else { return short }
        phones[id]?.alerts += 1
        if hero(of: id)?.potions == 0 { phones[id]?.alertsInVain += 1 }
        let title = LocalizableText(
            key: alert.titleKey, arguments: alert.titleArguments.map { .name($0) })
        return short + " 🔔 " + words.text(title, in: language)
    }

    private func hero(of activity: ActivityID) -> Member? {
        stored.activities.first { $0.registration.id == activity }
            .flatMap { stored.party.member($0.registration.hero) }
    }

    private func avatar(of activity: ActivityID) -> String {
        hero(of: activity)?.hero.avatar ?? "?"
    }

    private mutating func line(at time: GameTime, _ text: String) {
        let seconds = time.milliseconds / 1000
        let stamp = "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
        let line = String(repeating: " ", count: max(0, 8 - stamp.count)) + stamp + "  " + text
        // An event for several heroes is told once.
        if line != lines.last { lines.append(line) }
    }

    private mutating func sumUp() {
        let length = stored.party.adventure?.advancedTo.milliseconds ?? 0
        for id in phones.keys { phones[id]?.milliseconds = length }
        let ends = stored.party.members.map { member in
            let phone = phones[ActivityID("activity of \(member.hero.id)")]
            return (member, phone ?? Phone())
        }
        lines.append("")
        for (member, phone) in ends {
            guard let text = phone.text else { continue }
            lines.append("\(member.hero.avatar) \(words.text(text, in: language))")
        }
        lines.append("")
        for (member, phone) in ends {
            lines.append(
                "\(member.hero.avatar) \(member.hero.name): \(phone.pushes) pushes, "
                    + "\(phone.highPriority) of them at priority 10, \(phone.alerts) alerts; "
                    + "health \(member.health.thousandths / 10)%, \(member.hero.exp) exp")
        }
    }
}
