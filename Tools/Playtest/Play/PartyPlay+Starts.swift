internal import GameLogic

/// Activities started by push, and the apps that the system launches for them.
extension PartyPlay {
    /// Gives running apps an activity, and the others a phone that supports push-to-start.
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

    /// Registers the activity of each app that a start has launched.
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
            // Alerts for earlier events were not for this activity.
            let state = try await look(group)
            group.reportedAfter[number] = state.events.last?.sequence ?? group.record.last
        }
    }
}
