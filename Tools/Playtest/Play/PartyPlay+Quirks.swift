internal import GameLogic

/// Changes to phones during an adventure.
extension PartyPlay {
    /// How long a push may be in flight, in milliseconds: after that an acknowledged farewell is
    /// final.
    static let onItsWayMillisecondsMax: Int64 = 1000

    func makeQuirks(_ group: inout Group, _ dice: inout SeededRandom) async throws {
        let happened = group.record.events.count { $0.sequence > group.base }
        for number in group.bots.indices where !group.quirksDone.contains(number) {
            guard happened >= group.quirkMoments[number] else { continue }
            // Without an activity there is nothing to change.
            guard !group.bots[number].isAsleep || group.phones[number] != nil else { continue }
            group.quirksDone.insert(number)
            switch plan.quirks[number % plan.quirks.count] {
            case .none: break
            case .rotatesToken: try await rotate(number, &group, &dice)
            case .dismisses: try await dismiss(number, &group)
            }
        }
    }

    private func rotate(
        _ number: Int, _ group: inout Group, _ dice: inout SeededRandom
    ) async throws {
        let old = group.bots[number].pushToken
        group.bots[number].rotateToken(&dice)
        let bot = group.bots[number]
        let phone = group.phones[number]
        if let phone { phones?.give(token: bot.pushToken, to: phone) }
        try await persistence.insist { try await bot.api.put(bot.registration, id: bot.activity) }
        guard let phone else { return }
        phones?.change(phone) { $0.replace(token: old) }
        group.farewells.append(Group.Farewell(phone: phone, token: old, acknowledgedAt: now()))
    }

    private func dismiss(_ number: Int, _ group: inout Group) async throws {
        let bot = group.bots[number]
        try await persistence.insist { try await bot.api.report("dismissed", of: bot.activity) }
        group.dismissed.insert(number)
        guard let phone = group.phones[number] else { return }
        phones?.change(phone) { $0.dismiss() }
        group.farewells.append(Group.Farewell(phone: phone, token: nil, acknowledgedAt: now()))
    }

    /// Records on phones that pushes in flight have had time to arrive.
    func settleFarewells(_ group: inout Group) {
        let latest = now() - Self.onItsWayMillisecondsMax
        for farewell in group.farewells where farewell.acknowledgedAt <= latest {
            phones?.change(farewell.phone) { phone in
                if let token = farewell.token {
                    phone.retire(token: token)
                } else {
                    phone.close()
                }
            }
        }
        group.farewells.removeAll { $0.acknowledgedAt <= latest }
    }
}
