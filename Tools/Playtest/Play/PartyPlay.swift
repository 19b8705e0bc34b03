internal import GameLogic

/// Plays one party through one adventure over the HTTP API, and checks the invariants.
struct PartyPlay: Sendable {
    let plan: PlayPlan
    let api: GameAPI
    let admin: GameAPI
    /// The phones, if the playtest simulates APNs; otherwise `nil`.
    let phones: PhoneBook?
    let retries: RetryPolicy
    /// Called with the party before its adventure, so that a later run can resume it.
    let onAssembled: @Sendable (SavedParty) -> Void
    /// Called with the new events of each poll, often none, and when the poll began, in milliseconds
    /// since 1970.
    let onEvents: @Sendable ([EventState], PartyState, Int64) -> Void
    /// Called with a hero's name and the button that its player has tapped.
    var onAnswer: @Sendable (String, String) -> Void = { _, _ in }
    let now: @Sendable () -> Int64

    /// The result of a party's play.
    struct Result: Sendable {
        var party = ""
        var events = 0
        var potions = 0
        var outcome = ""
        /// The number of the ledger's decisions, by disposition.
        var dispositions: [String: Int] = [:]
        var violations: [String] = []
    }

    /// Plays the party. Throws when the server wrongly refuses a request, or is permanently gone.
    ///
    /// `saved` is a party of an earlier run, which resumes its adventure or begins another one.
    func run(_ saved: SavedParty? = nil) async throws -> Result {
        var dice = SeededRandom(seed: plan.seed)
        let party = try await assemble(saved, &dice)
        onAssembled(SavedParty(party: party.id, bots: party.bots))
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            for page in pages(of: party) {
                group.addTask {
                    await page.run()
                    return nil
                }
            }
            group.addTask { [dice] in try await play(party, dice) }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            return Result()
        }
    }

    private func play(_ assembled: BotParty, _ seeded: SeededRandom) async throws -> Result {
        var (party, dice) = (assembled, seeded)
        let started = try await SettingOut(self).begin(&party)
        try await addSpectator(to: &party)
        try await adventure(&party, started, &dice)
        try await settle(&party)
        var check = FinalCheck(of: party, pace: plan.pack == "titan-rush" ? .rush : .usual)
        return try await check.run(self)
    }

    /// The pages of the bots that have one.
    private func pages(of party: BotParty) -> [BrowserPhone] {
        guard let phones else { return [] }
        return party.bots.indices.filter { party.bots[$0].isPage }.compactMap { number in
            let bot = party.bots[number]
            return party.phones[number].flatMap {
                bot.api.browserPhone(
                    bot.activity, named: bot.pushToken, $0, in: phones, now: now)
            }
        }
    }

    // MARK: The party

    private func assemble(_ saved: SavedParty?, _ dice: inout SeededRandom) async throws -> BotParty
    {
        guard let saved else { return try await assembleNew(&dice) }
        var party = BotParty(id: saved.party, bots: saved.bots.map { $0.bot(api) })
        // The phones come first, because all pushes from now on must reach them.
        party.phones = party.bots.map(addPhone)
        party.devices = party.bots.map { _ in nil }
        var state = try await poll(party)
        while !party.see(state).isEmpty { state = try await poll(party) }
        party.base = party.record.last
        party.isResumed = !state.isReadyToStart
        if party.isResumed {
            // In the middle of an adventure no start is sent: the players open their apps.
            for number in party.bots.indices { party.bots[number].wakeUp() }
        } else {
            // Every run has the same seed, but activity names must be new. The last activities have
            // ended. Without them the new ones would count as late ones of the last adventure.
            dice = SeededRandom(seed: plan.seed &+ UInt64(party.base) &* 1_000_003)
            for number in party.bots.indices {
                party.bots[number].requestActivity(&dice)
            }
            addPhones(to: &party)
        }
        try await register(party)
        return party
    }

    private func assembleNew(_ dice: inout SeededRandom) async throws -> BotParty {
        var (bot, created) = try await createParty(&dice)
        var bots = [bot]
        for number in 1..<max(1, plan.size) {
            bot = try await makeBot(number, &dice)
            bot.isPage = phones != nil && plan.pages.contains(number)
            if phones != nil, plan.startedByPush.contains(number) {
                bot.fallAsleep(osVersion: Self.systems[number % Self.systems.count], &dice)
            }
            _ = try await retries.untilAnswered { [bot] in
                try await bot.api.join(inviteCode: created.inviteCode, hero: bot.hero)
            }
            bots.append(bot)
        }
        var party = BotParty(id: created.id, bots: bots)
        party.drinkers = plan.drinkers
        for (number, bot) in bots.enumerated() where plan.drinkers.contains(number) {
            try await retries.untilAnswered { try await bot.api.letDrink(bot.hero) }
        }
        addPhones(to: &party)
        try await register(party)
        return party
    }

    /// One version that supports `input-push-token`, and one that drops it.
    private static let systems = ["18.1", "17.5"]

    private func makeBot(_ number: Int, _ dice: inout SeededRandom) async throws -> Bot {
        try await Bot.make(
            HeroRole.of(member: number), language: plan.languages[number % plan.languages.count],
            api: api, retries: retries, dice: &dice)
    }

    /// Creates the party. A call with an unknown outcome may have created one already; then the
    /// hero is taken, and another one tries.
    private func createParty(_ dice: inout SeededRandom) async throws -> (Bot, PartyState) {
        var refusal: APIRefusal?
        for _ in 0..<Self.creatorsMax {
            let bot = try await makeBot(0, &dice)
            do {
                let party = try await retries.untilAnswered {
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
    private static let creatorsMax = 5

    /// Registers every bot's Live Activity, or its push-to-start token.
    private func register(_ party: BotParty) async throws {
        for bot in party.bots {
            try await retries.untilAnswered {
                if let token = bot.startRegistration {
                    try await bot.api.put(token, device: bot.device)
                } else {
                    try await bot.api.put(bot.registration, id: bot.activity)
                }
            }
        }
    }

    private func addPhone(_ bot: Bot) -> PhoneBook.Number? {
        phones?.add(
            Phone(
                name: "\(bot.heroName)'s phone", activity: bot.activity, startedAt: now(),
                late: plan.latePushes),
            token: bot.pushToken)
    }

    /// Opens the party's channel, as soon as its adventure has begun, and subscribes one phone. An
    /// adventure that is over by now, because the server was down, has no spectator.
    private func addSpectator(to party: inout BotParty) async throws {
        guard plan.audience == .playersAndSpectators, let phones, !party.isResumed else { return }
        let leader = party.bots[0]
        let open: ChannelState
        do {
            open = try await retries.untilAnswered { [id = party.id] in
                try await leader.api.openChannel(of: id, language: leader.language)
            }
        } catch let refusal as APIRefusal where refusal.status == 409 {
            guard try await poll(party).isOver else { throw refusal }
            return
        }
        party.spectator = phones.subscribe(
            Phone(
                name: "a spectator's phone", activity: open.channel, startedAt: now(),
                late: plan.latePushes),
            to: open.channel)
    }

    /// Gives running apps an activity, and the others a phone that supports push-to-start.
    private func addPhones(to party: inout BotParty) {
        party.phones = party.bots.map { $0.isAsleep ? nil : addPhone($0) }
        party.devices = party.bots.map { $0.isAsleep ? addDevice($0) : nil }
    }

    private func addDevice(_ bot: Bot) -> PhoneBook.DeviceNumber? {
        guard let token = bot.startToken else { return nil }
        return phones?.add(
            StartableDevice(
                name: "\(bot.heroName)'s phone", osVersion: bot.osVersion, activity: bot.activity,
                pushToken: bot.pushToken, late: plan.latePushes),
            startToken: token)
    }

    // MARK: The adventure

    private func adventure(
        _ party: inout BotParty, _ started: PartyState, _ dice: inout SeededRandom
    ) async throws {
        var (state, askedAt) = (started, now())
        party.drawChangeMoments(&dice)
        for _ in 0..<plan.pollsMax {
            let new = party.see(state)
            onEvents(new, state, askedAt)
            try await registerStarted(&party)
            if state.isOver && new.isEmpty { return }
            try await act(&party, state)
            try await runGameMaster(&party)
            try await changePhones(&party, &dice)
            settleRetirements(&party)
            try await Task.sleep(for: .milliseconds(plan.pollMilliseconds))
            askedAt = now()
            state = try await poll(party)
        }
        throw PlayError.endless(party: party.id)
    }

    /// Registers the activity of each app that a start has launched.
    private func registerStarted(_ party: inout BotParty) async throws {
        guard let phones else { return }
        for number in party.bots.indices where party.phones[number] == nil {
            guard let phone = party.devices[number].flatMap({ phones.activityStarted(on: $0) })
            else {
                continue
            }
            party.phones[number] = phone
            let bot = party.bots[number]
            do {
                try await retries.untilAnswered {
                    try await bot.api.put(bot.registration, id: bot.activity)
                }
            } catch let refusal as APIRefusal where refusal.status == 409 {
                // The adventure has ended meanwhile, and the activity with it.
                guard try await poll(party).isOver || party.isGone(number) else { throw refusal }
            }
            // Alerts for earlier events were not for this activity.
            let state = try await poll(party)
            party.reportedAfter[number] = state.events.last?.sequence ?? party.record.last
        }
    }

    /// Returns the party with the events that it has not seen, in that language.
    func poll(_ party: BotParty, language: String? = nil) async throws -> PartyState {
        try await retries.untilAnswered {
            try await party.bots[0].api.party(
                party.id, after: party.record.last, language: language)
        }
    }

    /// Lets each bot tap its card's button, once for each push.
    private func act(_ party: inout BotParty, _ state: PartyState) async throws {
        guard !state.isOver else { return }
        for number in party.bots.indices {
            guard let sight = party.sight(of: number, in: phones, else: state),
                sight.at != party.lastSeen[number]
            else { continue }
            let bot = party.bots[number]
            let tap = sight.button.flatMap { bot.tap($0, temper: plan.temper, place: number) }
            do {
                if let tap { try await perform(tap, by: bot, &party) }
                party.reacted(to: sight.at, of: number)
            } catch let refusal as APIRefusal where refusal.status == 409 {
                // The adventure has advanced meanwhile: a newer push will tell.
                party.reacted(to: sight.at, of: number)
            } catch let refusal as APIRefusal where refusal.status == 503 {
                // The server is down: the next poll tries again.
            } catch is HTTPClientError {
                // Unknown outcome: the next poll may repeat it.
            }
        }
    }

    private func perform(_ tap: Bot.Tap, by bot: Bot, _ party: inout BotParty) async throws {
        switch tap {
        case .usePotion(let target):
            party.acknowledged(
                potion: try await bot.api.usePotion(by: bot.hero, on: target, in: party.id))
        case .sayYes(let ask, let button):
            try await bot.api.answer(
                NewAnswer(hero: bot.hero, ask: ask, yes: true), in: party.id)
            onAnswer(bot.heroName, button)
        }
    }

    /// Runs the game master's due commands. A command that the adventure refuses now (the boss is
    /// already here) is dropped.
    private func runGameMaster(_ party: inout BotParty) async throws {
        guard party.gameMasterSteps < plan.gameMaster.count else { return }
        let next = plan.gameMaster[party.gameMasterSteps]
        guard party.record.adventure.count >= next.afterEvents else { return }
        party.gameMasterSteps += 1
        do {
            _ = try await admin.trigger(next.command, in: party.id)
        } catch is APIRefusal, is HTTPClientError {
            // Unknown outcome, or refused: the events will show.
        }
    }

    // MARK: The end

    /// Waits until every phone shows the end; later checks verify that it is the right one.
    private func settle(_ party: inout BotParty) async throws {
        guard let phones else { return }
        for _ in 0..<plan.settlePollsMax {
            try await registerStarted(&party)
            let waiting = party.watching.contains { number in
                party.phones[number].map { !phones[$0].hasEnded } ?? false
            }
            let isShowing = party.spectator.map { !phones[$0].hasEnded } ?? false
            guard waiting || isShowing else { return }
            try await Task.sleep(for: .milliseconds(plan.pollMilliseconds))
        }
    }
}

/// Why a party could not be played.
enum PlayError: Error, CustomStringConvertible {
    case endless(party: String)
    case noFolder(String, String)
    case noParty(String)
    case serverDied(String)

    var description: String {
        switch self {
        case .endless(let party): "the adventure of party \(party) does not end"
        case .noFolder(let path, let why): "the folder \(path) cannot be created: \(why)"
        case .noParty(let why): "no party could be created: \(why)"
        case .serverDied(let why): "the server has ended: \(why)"
        }
    }
}
