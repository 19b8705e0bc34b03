/// How a party's adventure begins: its leader starts it, or asks first who is ready.
struct SettingOut {
    /// Which of the two.
    enum Way: Hashable, Sendable {
        case atOnce
        /// Everybody says yes.
        case readyCheck
    }

    /// The limit of polls before a ready check counts as endless.
    private static let pollsMax = 2_000

    private let play: PartyPlay

    init(_ play: PartyPlay) { self.play = play }

    /// Begins the adventure, unless it runs. Returns the party after that.
    func begin(_ party: inout BotParty) async throws -> PartyState {
        let state = try await play.poll(party)
        guard state.isReadyToStart else { return state }
        switch play.plan.settingOut {
        case .atOnce: return try await start(party)
        case .readyCheck: return try await ask(&party)
        }
    }

    private func start(_ party: BotParty) async throws -> PartyState {
        do {
            return try await play.retries.untilAnswered {
                try await party.bots[0].api.startAdventure(of: party.id, pack: play.plan.pack)
            }
        } catch let refusal as APIRefusal where refusal.status == 409 {
            // An earlier call with an unknown outcome has started it.
            return try await play.poll(party)
        }
    }

    /// Asks, and lets each bot answer, until the adventure has begun.
    private func ask(_ party: inout BotParty) async throws -> PartyState {
        for _ in 0..<Self.pollsMax {
            let state = try await play.poll(party)
            // It may be over already, when the server was down.
            let hasBegun = state.events.contains { $0.kind == "adventureBegan" }
            if hasBegun || !state.isReadyToStart { return state }
            do {
                if let check = state.readyCheck {
                    try await answer(check, &party)
                } else {
                    try await party.bots[0].api.askWhoIsReady(in: party.id, for: play.plan.pack)
                }
            } catch let refusal as APIRefusal
                where refusal.status == 409 || refusal.status == 503
            {
                // The adventure has begun, or the server is down.
            } catch is HTTPClientError {
                // Unknown outcome: the next poll shows it.
            }
            try await Task.sleep(for: .milliseconds(play.plan.pollMilliseconds))
        }
        throw PlayError.endless(party: party.id)
    }

    private func answer(_ check: ReadyCheckState, _ party: inout BotParty) async throws {
        for (number, bot) in party.bots.enumerated() where !check.yes.contains(bot.hero) {
            try await bot.api.answer(
                NewAnswer(hero: bot.hero, ask: check.ask, yes: true), in: party.id)
            party.acknowledged(yes: check.ask, of: number)
        }
    }
}
