internal import GameLogic

/// Changes to phones during an adventure.
extension PartyPlay {
    /// How long a push may be in flight, in milliseconds: after that an acknowledged retirement is
    /// final.
    static let inFlightMillisecondsMax: Int64 = 1000

    func changePhones(_ party: inout BotParty, _ dice: inout SeededRandom) async throws {
        let happened = party.record.events.count { $0.sequence > party.base }
        for number in party.bots.indices where !party.changesDone.contains(number) {
            guard happened >= party.changeMoments[number] else { continue }
            // Without an activity there is nothing to change.
            guard !party.bots[number].isAsleep || party.phones[number] != nil,
                !party.atInn.contains(number)
            else { continue }
            party.changesDone.insert(number)
            switch plan.phoneChanges[number % plan.phoneChanges.count] {
            case .none: break
            case .rotatesToken: try await rotate(number, &party, &dice)
            case .dismisses: try await dismiss(number, &party)
            }
        }
    }

    private func rotate(
        _ number: Int, _ party: inout BotParty, _ dice: inout SeededRandom
    ) async throws {
        let old = party.bots[number].pushToken
        party.bots[number].rotateToken(&dice)
        let bot = party.bots[number]
        let phone = party.phones[number]
        if let phone { phones?.give(token: bot.pushToken, to: phone) }
        do {
            try await retries.untilAnswered {
                try await bot.api.put(bot.registration, id: bot.activity)
            }
        } catch let refusal as APIRefusal where refusal.status == 409 {
            // The adventure has ended meanwhile, and the activity with it.
            guard try await poll(party).isOver else { throw refusal }
            party.bots[number].keep(token: old)
            return
        }
        guard let phone else { return }
        phones?.change(phone) { $0.replace(token: old) }
        party.retirements.append(
            BotParty.Retirement(phone: phone, token: old, acknowledgedAt: now()))
    }

    private func dismiss(_ number: Int, _ party: inout BotParty) async throws {
        let bot = party.bots[number]
        try await retries.untilAnswered { try await bot.api.report("dismissed", of: bot.activity) }
        party.dismissed.insert(number)
        guard let phone = party.phones[number] else { return }
        phones?.change(phone) { $0.dismiss() }
        party.retirements.append(
            BotParty.Retirement(phone: phone, token: nil, acknowledgedAt: now()))
    }

    /// Records on phones that pushes in flight have had time to arrive.
    func settleRetirements(_ party: inout BotParty) {
        let latest = now() - Self.inFlightMillisecondsMax
        for retirement in party.retirements where retirement.acknowledgedAt <= latest {
            phones?.change(retirement.phone) { phone in
                if let token = retirement.token {
                    phone.retire(token: token)
                } else {
                    phone.close()
                }
            }
        }
        party.retirements.removeAll { $0.acknowledgedAt <= latest }
    }
}
