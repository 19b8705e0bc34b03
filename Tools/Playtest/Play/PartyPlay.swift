internal import GameLogic

/// Plays one party through one adventure over the HTTP API, and checks the invariants.
struct PartyPlay: Sendable {
    /// What a playtest does to a phone during an adventure.
    enum Quirk: Hashable, Sendable {
        case none
        /// The system changes the push token in the middle of an adventure (T4, T5).
        case rotatesToken
        /// The player dismisses the activity (L11).
        case dismisses
    }

    enum Audience: Hashable, Sendable {
        case players, playersAndSpectators
    }

    struct Plan: Sendable {
        var size = 4
        var seed: UInt64 = 1
        var languages = ["en"]
        var quirks: [Quirk] = [.none]
        /// The bots whose apps are not running: their activities are started by push.
        var startedByPush: Set<Int> = []
        /// Whether the party has a spectator.
        var audience = Audience.players
        var temper = Bot.Temper.careful
        /// A game master's commands, and the number of events after which each is due (rule AC9).
        var gameMaster: [(afterEvents: Int, command: String)] = []
        /// The bots' polling interval, in milliseconds.
        var pollMilliseconds = 200
        /// The limit of polls before an adventure counts as endless.
        var looksMax = 20_000
        /// The limit of polls for the last pushes to arrive.
        var settleLooksMax = 600
        /// Faults caused by the playtest: each may repeat pushes in flight.
        var faults: @Sendable () -> Int = { 0 }
    }

    let plan: Plan
    let api: GameAPI
    let admin: GameAPI
    /// The phones, if the playtest simulates APNs; otherwise `nil`.
    let phones: PhoneBook?
    let persistence: Persistence
    /// Called with the party before its adventure, so that a later run can resume it.
    let onGathered: @Sendable (SavedParty) -> Void
    /// Called with the new events of each poll, often none.
    let onEvents: @Sendable ([EventState], PartyState) -> Void
    let now: @Sendable () -> Int64

    /// The result of a party's play.
    struct Result: Sendable {
        var party = ""
        var events = 0
        var potions = 0
        var outcome = ""
        /// The ledger's decisions, by disposition.
        var verdicts: [String: Int] = [:]
        var violations: [String] = []
    }

    /// Plays the party. Throws when the server wrongly refuses a request, or is permanently gone.
    ///
    /// `saved` is a party of an earlier run, which resumes its adventure or begins another one.
    func run(_ saved: SavedParty? = nil) async throws -> Result {
        var dice = SeededRandom(seed: plan.seed)
        var group = try await gather(saved, &dice)
        onGathered(SavedParty(party: group.party, bots: group.bots))
        try await seatSpectators(of: &group)
        let started = try await start(group)
        try await adventure(&group, started, &dice)
        try await settle(&group)
        try await group.judge(by: self)
        return group.result
    }

    // MARK: Gathering

    private func gather(_ saved: SavedParty?, _ dice: inout SeededRandom) async throws -> Group {
        guard let saved else { return try await gatherAnew(&dice) }
        var group = Group(party: saved.party, bots: saved.bots.map { $0.bot(api) })
        // The phones come first, because all pushes from now on must reach them.
        group.phones = group.bots.map(addPhone)
        group.devices = group.bots.map { _ in nil }
        var state = try await look(group)
        while !group.see(state).isEmpty { state = try await look(group) }
        group.base = group.record.last
        group.isResumed = !state.isReadyToStart
        if group.isResumed {
            // In the middle of an adventure no start is sent: the players open their apps.
            for number in group.bots.indices { group.bots[number].wakeUp() }
        } else {
            // Every run has the same seed, but activity names must be new.
            dice = SeededRandom(seed: plan.seed &+ UInt64(group.base) &* 1_000_003)
            for number in group.bots.indices {
                let last = group.bots[number]
                try await persistence.insist { try await last.api.delete(activity: last.activity) }
                group.bots[number].requestActivity(&dice)
            }
            addPhones(to: &group)
        }
        try await handOver(group)
        return group
    }

    private func gatherAnew(_ dice: inout SeededRandom) async throws -> Group {
        var (bot, party) = try await found(&dice)
        var bots = [bot]
        for number in 1..<max(1, plan.size) {
            bot = try await makeBot(number, &dice)
            if phones != nil, plan.startedByPush.contains(number) {
                bot.fallAsleep(osVersion: Self.systems[number % Self.systems.count], &dice)
            }
            _ = try await persistence.insist { [bot] in
                try await bot.api.join(inviteCode: party.inviteCode, hero: bot.hero)
            }
            bots.append(bot)
        }
        var group = Group(party: party.id, bots: bots)
        addPhones(to: &group)
        try await handOver(group)
        return group
    }

    /// One version that supports `input-push-token`, and one that drops it.
    private static let systems = ["18.1", "17.5"]

    private func makeBot(_ number: Int, _ dice: inout SeededRandom) async throws -> Bot {
        try await Bot.make(
            Cast.role(number), language: plan.languages[number % plan.languages.count],
            api: api, persistence: persistence, dice: &dice)
    }

    /// Creates the party. A call with an unknown outcome may have created one already; then the
    /// hero is taken, and another one tries.
    private func found(_ dice: inout SeededRandom) async throws -> (Bot, PartyState) {
        var refusal: APIRefusal?
        for _ in 0..<Self.foundersMax {
            let bot = try await makeBot(0, &dice)
            do {
                let party = try await persistence.insist {
                    try await bot.api.createParty(hero: bot.hero)
                }
                return (bot, party)
            } catch let error as APIRefusal where error.status == 409 {
                refusal = error
            }
        }
        throw PlayError.noParty("\(refusal?.description ?? "")")
    }

    /// The limit of players who may lose their party to a server that dies during the response.
    private static let foundersMax = 5

    /// Registers every bot's Live Activity, or its push-to-start token.
    private func handOver(_ group: Group) async throws {
        for bot in group.bots {
            try await persistence.insist {
                if let token = bot.startRegistration {
                    try await bot.api.put(token, device: bot.device)
                } else {
                    try await bot.api.put(bot.registration, id: bot.activity)
                }
            }
        }
    }

    func addPhone(_ bot: Bot) -> PhoneBook.Number? {
        phones?.add(
            Phone(name: "\(bot.heroName)'s phone", activity: bot.activity, startedAt: now()),
            token: bot.pushToken)
    }

    private func start(_ group: Group) async throws -> PartyState {
        let state = try await look(group)
        guard state.isReadyToStart else { return state }
        let leader = group.bots[0]
        do {
            return try await persistence.insist {
                try await leader.api.startAdventure(of: group.party)
            }
        } catch let refusal as APIRefusal where refusal.status == 409 {
            // An earlier call with an unknown outcome has started it.
            return try await look(group)
        }
    }

    // MARK: The adventure

    private func adventure(
        _ group: inout Group, _ started: PartyState, _ dice: inout SeededRandom
    ) async throws {
        var state = started
        group.drawQuirkMoments(&dice)
        for _ in 0..<plan.looksMax {
            let new = group.see(state)
            onEvents(new, state)
            try await answerStarts(&group)
            if state.isOver && new.isEmpty { return }
            try await act(&group, state)
            try await meddle(&group)
            try await makeQuirks(&group, &dice)
            settleFarewells(&group)
            try await Task.sleep(for: .milliseconds(plan.pollMilliseconds))
            state = try await look(group)
        }
        throw PlayError.endless(party: group.party)
    }

    func look(_ group: Group) async throws -> PartyState {
        try await persistence.insist {
            try await group.bots[0].api.party(group.party, after: group.record.last)
        }
    }

    private func act(_ group: inout Group, _ state: PartyState) async throws {
        guard !state.isOver else { return }
        for bot in group.bots {
            guard let target = bot.potionTarget(in: state, temper: plan.temper) else { continue }
            do {
                let after = try await bot.api.usePotion(
                    by: bot.hero, on: target, in: group.party)
                group.acknowledged(potion: after)
                // One potion per poll: the next bot must see this one's.
                return
            } catch let refusal as APIRefusal where refusal.status == 409 || refusal.status == 503 {
                // The adventure has advanced meanwhile, or the server is down: poll again.
            } catch is HTTPClientError {
                group.potionsOfUnknownFate += 1
            }
        }
    }

    /// Runs the game master's due commands. A command that the adventure refuses now (the boss is
    /// already here) is dropped.
    private func meddle(_ group: inout Group) async throws {
        guard group.meddled < plan.gameMaster.count else { return }
        let next = plan.gameMaster[group.meddled]
        guard group.record.adventure.count >= next.afterEvents else { return }
        group.meddled += 1
        do {
            _ = try await admin.trigger(next.command, in: group.party)
        } catch is APIRefusal, is HTTPClientError {
            // Unknown outcome, or refused: the events will show.
        }
    }

    // MARK: The end

    /// Waits until every phone shows the end; later checks verify that it is the right one.
    private func settle(_ group: inout Group) async throws {
        guard let phones else { return }
        for _ in 0..<plan.settleLooksMax {
            try await answerStarts(&group)
            let waiting = group.watching.contains { number in
                group.phones[number].map { !phones[$0].hasEnded } ?? false
            }
            let isShowing = group.spectator.map { !phones[$0].hasEnded } ?? false
            guard waiting || isShowing else { return }
            try await Task.sleep(for: .milliseconds(plan.pollMilliseconds))
        }
    }
}

/// Why a party could not be played.
enum PlayError: Error, CustomStringConvertible {
    case endless(party: String)
    case noParty(String)
    case serverDied(String)

    var description: String {
        switch self {
        case .endless(let party): "the adventure of party \(party) does not end"
        case .noParty(let why): "no party could be founded: \(why)"
        case .serverDied(let why): "the server has ended: \(why)"
        }
    }
}
