internal import GameLogic

/// Cards that begin by push: what apps do that are woken by one.
extension PartyPlay {
    /// Gives the awake bots a card, and the sleeping ones a phone on which one can begin.
    func addPhones(to group: inout Group) {
        group.phones = group.bots.map { $0.isAsleep ? nil : addPhone($0) }
        group.devices = group.bots.map { $0.isAsleep ? addDevice($0) : nil }
    }

    private func addDevice(_ bot: Bot) -> PhoneBook.DeviceNumber? {
        guard let token = bot.startToken else { return nil }
        return phones?.add(
            StartableDevice(
                name: "\(bot.heroName)'s phone", osVersion: bot.osVersion, activity: bot.activity,
                pushToken: bot.pushToken),
            startToken: token)
    }

    /// Each app that a start has woken tells the server of its card.
    func answerStarts(_ group: inout Group) async throws {
        guard let phones else { return }
        for number in group.bots.indices where group.phones[number] == nil {
            guard let phone = group.devices[number].flatMap({ phones.cardBegun(on: $0) }) else {
                continue
            }
            group.phones[number] = phone
            let bot = group.bots[number]
            try await persistence.insist {
                try await bot.api.put(bot.registration, id: bot.activity)
            }
            // What has happened up to here was for others: its alerts were not for this card.
            let state = try await look(group)
            group.reportedAfter[number] = state.events.last?.sequence ?? group.record.last
        }
    }
}
