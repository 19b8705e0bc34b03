import GameLogic

@testable import Playtest

/// A party on an adventure, whose phones get their pushes from the simulator.
struct StagedParty: Sendable {
    let id, inviteCode: String
    let bots: [Bot]
    let phones: [PhoneBook.Number]

    /// Registers players with heroes and Live Activities, one for each language, and lets them set
    /// out.
    static func onAdventure(
        at site: Site, languages: [String] = ["en", "ja"], pack: String = "forest-quest"
    ) async throws -> StagedParty {
        var dice = SeededRandom(seed: 14)
        var bots: [Bot] = []
        for (member, language) in languages.enumerated() {
            bots.append(
                try await Bot.make(
                    .of(member: member), language: language, api: site.testbed.api,
                    retries: RetryPolicy(), dice: &dice))
        }
        let party = try await bots[0].api.createParty(hero: bots[0].hero)
        for bot in bots.dropFirst() {
            _ = try await bot.api.join(inviteCode: party.inviteCode, hero: bot.hero)
        }
        var phones: [PhoneBook.Number] = []
        for bot in bots {
            phones.append(
                site.testbed.phones.add(
                    Phone(name: bot.heroName, activity: bot.activity, startedAt: 0),
                    token: bot.pushToken))
            try await bot.api.put(bot.registration, id: bot.activity)
        }
        _ = try await bots[0].api.startAdventure(of: party.id, pack: pack)
        return StagedParty(id: party.id, inviteCode: party.inviteCode, bots: bots, phones: phones)
    }
}
