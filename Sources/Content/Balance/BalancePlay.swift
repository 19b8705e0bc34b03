package import GameLogic

/// One adventure of a pack, with players who are asleep or answer: pure, without a server.
package struct BalancePlay {
    /// How the players of a party behave.
    package enum Players: String, CaseIterable, Sendable {
        /// Every order is to ask, and nobody answers.
        case ask
        /// The default orders, and nobody answers.
        case asleep
        /// The default orders; the first hero's player answers most calls after a while.
        case one
        /// Everybody does.
        case awake
    }

    /// Which adventure is played.
    package struct Setting: Sendable {
        package var pack: Pack
        package var heroes: Int
        package var players: Players
        package var difficulty = Difficulty.normal
        package var exp = 0
        package var gear = Gear()
        package var health = 1000
        /// All of one class; `nil`: of all classes.
        package var heroClass: HeroClass?

        package init(_ pack: Pack, heroes: Int, _ players: Players) {
            self.pack = pack
            self.heroes = heroes
            self.players = players
        }
    }

    /// The percentage of the calls that a player answers, and of the warnings.
    private static let answers = 60
    private static let covers = 35
    private static let boldness = 50
    /// After how many seconds.
    private static let delay = 20...120
    private static let classes: [HeroClass] = [.guardian, .striker, .healer, .trickster]

    package private(set) var party = Party(id: PartyID("balance"))
    package private(set) var events: [PartyEvent] = []
    private let setting: Setting
    private var dice: SeededRandom
    private var plans: [Plan] = []

    private struct Plan {
        let at: GameTime
        let command: Command
    }

    /// Plays the adventure with this seed to its end.
    package init(_ setting: Setting, seed: UInt64) {
        self.setting = setting
        dice = SeededRandom(seed: seed ^ 0xABCDEF)
        for number in 0..<setting.heroes {
            obey(.join(Self.hero(number, seed, setting)), at: .zero)
        }
        obey(.start(seed: seed, setting.pack, Departure(setting.difficulty)), at: .zero)
        while let change = party.nextChangeAt {
            if let place = plans.indices.min(by: { plans[$0].at < plans[$1].at }),
                plans[place].at <= change
            {
                let plan = plans.remove(at: place)
                obey(plan.command, at: plan.at)
            } else {
                note(party.advance(to: change))
            }
        }
    }

    private static func hero(_ number: Int, _ seed: UInt64, _ setting: Setting) -> Hero {
        let heroClass = setting.heroClass ?? classes[(number + Int(seed % 4)) % classes.count]
        var home = Home()
        home.gear = setting.gear
        home.since = 0
        home.hardestWin = .heroic
        if setting.players == .ask {
            home.orders = StandingOrders(whenDown: .ask, whenFriendDown: .ask)
        }
        return Hero(
            id: HeroID("hero-\(number)"), owner: PlayerID("player-\(number)"), name: "H\(number)",
            avatar: "🐸", heroType: heroClass.heroType,
            healthLevel: Health(thousandths: setting.health), exp: setting.exp, home: home)
    }

    /// What a player asks may be too late: the engine refuses it then.
    private mutating func obey(_ command: Command, at time: GameTime) {
        if let new = try? party.apply(command, at: time) {
            note(new)
        } else if let now = party.adventure?.advancedTo, now < time {
            note(party.advance(to: time))
        }
    }

    // MARK: Players

    private mutating func note(_ new: [PartyEvent]) {
        events += new
        for event in new { react(to: event) }
    }

    private func isAwake(_ hero: HeroID) -> Bool {
        switch setting.players {
        case .ask, .asleep: false
        case .one: party.members.first?.hero.id == hero
        case .awake: true
        }
    }

    private mutating func react(to event: PartyEvent) {
        switch event.kind {
        case .knockedDown(let hero):
            if party.member(hero.id)?.potions ?? 0 > 0 { plan(hero.id, for: hero.id, at: event) }
        case .inDanger(let hero), .lastStand(let hero): plan(hero.id, for: hero.id, at: event)
        case .helpAsked(let fallen, of: let helper): plan(helper.id, for: fallen.id, at: event)
        case .bossGathers: answer(.brace, Self.covers, at: event)
        case .forkAsked(let fork): answer(.fork(fork), Self.boldness, at: event)
        // Nobody stops: a win is all six bosses.
        case .stopAsked: break
        default: break
        }
    }

    private mutating func plan(_ giver: HeroID, for taker: HeroID, at event: PartyEvent) {
        guard isAwake(giver), chance(Self.answers) else { return }
        plans.append(
            Plan(at: event.time + seconds(Self.delay), command: .usePotion(by: giver, on: taker)))
    }

    /// Everybody who is awake says yes with this probability, at once or soon.
    private mutating func answer(_ kind: Ask.Kind, _ percent: Int, at event: PartyEvent) {
        guard let ask = party.adventure?.course.asks.first(where: { $0.kind == kind }) else {
            return
        }
        for member in party.members where isAwake(member.hero.id) {
            let yes = chance(percent)
            guard yes || ask.endsAt != nil else { continue }
            let wait = ask.endsAt == nil ? GameTime.zero : seconds(Self.delay)
            plans.append(
                Plan(at: event.time + wait, command: .answer(member.hero.id, ask: ask.id, yes: yes))
            )
        }
    }

    private mutating func chance(_ percent: Int) -> Bool { dice.draw(in: 1...100) <= percent }

    private mutating func seconds(_ range: ClosedRange<Int>) -> GameTime {
        .seconds(Int64(dice.draw(in: range)))
    }
}

extension BalancePlay {
    package var isWon: Bool {
        if case .bossDefeated = party.adventure?.outcome { true } else { false }
    }

    package var isOverTime: Bool { party.adventure?.outcome == .timeLimit }

    package var minutes: Int { Int((party.adventure?.advancedTo.milliseconds ?? 0) / 60_000) }

    package var falls: Int {
        events.count { if case .knockedDown = $0.kind { true } else { false } }
    }
}
