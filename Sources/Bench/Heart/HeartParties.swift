internal import GameLogic
internal import PartyStore
internal import PushLoad
internal import PushPolicy

/// Parties of four heroes on an adventure, with a Live Activity each, as a server would have
/// stored them.
struct HeartParties: Sendable {
    static let heroes = 4
    /// Beats lie 30 to 60 seconds apart: so parties are spread over the time between two.
    private static let spreadMilliseconds = 39_000
    private static let perBatch = 256

    let count: Int
    let now: WallTime

    /// Writes them all.
    func write(to store: any Store, epoch: Epoch) async throws {
        for start in stride(from: 0, to: count, by: Self.perBatch) {
            var batch = Batch()
            for number in start..<min(start + Self.perBatch, count) {
                batch.add(try commit(number))
            }
            let full = batch
            let result = await withCheckedContinuation { continuation in
                store.write(full, epoch: epoch) { continuation.resume(returning: $0) }
            }
            if let failure = result.failure { throw failure }
            for party in result.parties { try party.get() }
        }
    }

    static func id(_ number: Int) -> PartyID { PartyID("party-\(digits(number, of: "p"))") }

    private func commit(_ number: Int) throws -> PartyCommit {
        var dice = SeededRandom(seed: UInt64(number))
        var party = Party(id: Self.id(number))
        let heroes = (0..<Self.heroes).map { Self.hero(number * Self.heroes + $0) }
        for hero in heroes { _ = try party.apply(.join(hero), at: .zero) }
        _ = try party.apply(.start(seed: UInt64(number)), at: .zero)
        let began = now.adding(
            milliseconds: -Int64(dice.draw(in: 0...Self.spreadMilliseconds)))
        let activities = heroes.enumerated().map { offset, hero in
            activity(number * Self.heroes + offset, of: hero, in: party.id)
        }
        let stored = StoredParty(
            key: PartyKey(number: Int64(number + 1)), version: 1, party: party,
            clock: PartyClock(beganAt: began, millisecondsPerSecond: 1000),
            activities: activities, inviteCode: Self.digits(number, of: "i"), createdAt: began)
        var commit = PartyCommit(stored: stored, isAwake: true, at: now)
        commit.activities = activities.map(\.registration)
        return commit
    }

    private static let avatars = ["🐼", "🥚", "🐳", "🦊"]

    private static func hero(_ number: Int) -> Hero {
        Hero(
            id: HeroID("hero-\(digits(number, of: "h"))"),
            owner: PlayerID("player-\(digits(number, of: "o"))"),
            name: ["Power Panda", "Egghead", "Spouty", "Foxy"][number % heroes],
            avatar: avatars[number % heroes], heroType: "Forest Dweller")
    }

    private func activity(_ number: Int, of hero: Hero, in party: PartyID) -> LiveActivity {
        let hex = String(UInt64(number), radix: 16)
        let tail = String(repeating: "0", count: 12 - hex.count) + hex
        let id = ActivityID("5C2A0B3E-9D41-4F6A-8E77-\(tail.uppercased())")
        let token = PushToken(hex: String(repeating: "a7c3", count: 13) + tail)
        let registration = ActivityRegistration(
            id: id, player: hero.owner, hero: hero.id, party: party, pushToken: token,
            tokenRegisteredAt: now, environment: .sandbox, frequentPushesEnabled: true,
            language: .english, osVersion: "18.1", state: .active, createdAt: now)
        return LiveActivity(
            registration: registration,
            outbox: ActivityOutbox(activity: id, hero: hero.id, startedAt: now))
    }

    /// Sixteen characters, as the API's names have.
    private static func digits(_ number: Int, of kind: String) -> String {
        let text = kind + String(number)
        return text + String(repeating: "x", count: 16 - text.count)
    }
}
