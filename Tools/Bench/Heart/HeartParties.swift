internal import Content
package import GameLogic
package import PartyStore
internal import PushLoad
package import PushPolicy

/// Parties of four heroes on an adventure, with a Live Activity each, as a server stores them.
package struct HeartParties: Sendable {
    package static let heroes = 4
    /// Steps are 30 to 60 seconds apart, so parties are spread over that time.
    private static let spreadMilliseconds = 39_000
    private static let perBatch = 256

    /// What the journal holds of how the parties came together.
    package enum Past: Sendable {
        /// Nothing: a replay of these parties would differ.
        case unknown
        /// Every command, a row each.
        case journaled
    }

    let count: Int
    let now: WallTime
    let past: Past
    let pack: Pack

    package init(
        count: Int, now: WallTime, past: Past, pack: Pack = EmbeddedPacks.classic
    ) {
        self.count = count
        self.now = now
        self.past = past
        self.pack = pack
    }

    /// Writes all parties.
    package func write(to store: any Store, epoch: Epoch) async throws {
        for start in stride(from: 0, to: count, by: Self.perBatch) {
            let numbers = start..<min(start + Self.perBatch, count)
            for number in numbers { try await writeAccounts(number, to: store, epoch: epoch) }
            let parties = try numbers.map(commits)
            for step in 0..<(parties.first?.count ?? 0) {
                var batch = Batch()
                for commits in parties { batch.add(commits[step]) }
                let full = batch
                let result = await withCheckedContinuation { continuation in
                    store.write(full, epoch: epoch) { continuation.resume(returning: $0) }
                }
                if let failure = result.failure { throw failure }
                for party in result.parties { try party.get() }
            }
        }
    }

    /// Writes the accounts of a party's players.
    private func writeAccounts(_ number: Int, to store: any Store, epoch: Epoch) async throws {
        for seat in 0..<Self.heroes {
            let player = Self.hero(number * Self.heroes + seat).owner
            // Nobody has a token: the players send no requests.
            let hash = Array(player.rawValue.utf8) + [UInt8](repeating: 0, count: 32)
            try await store.insert(
                DeviceRecord(
                    key: DeviceRecord.Key(player: player, device: .unnamed),
                    tokenHash: Array(hash.prefix(32)), createdAt: now),
                epoch: epoch)
        }
    }

    /// Returns those of one of several nodes.
    static func numbers(_ count: Int, node: Int, of nodes: Int) -> [Int] {
        (0..<count).filter { PartyShard.number(of: id($0)) % nodes == node }
    }

    static func id(_ number: Int) -> PartyID { PartyID("party-\(digits(number, of: "p"))") }

    /// A party's changes until it is on its adventure, with its Live Activities in the last one.
    private func commits(_ number: Int) throws -> [PartyCommit] {
        var dice = SeededRandom(seed: UInt64(number))
        let began = now.adding(
            milliseconds: -Int64(dice.draw(in: 0...Self.spreadMilliseconds)))
        let heroes = (0..<Self.heroes).map { Self.hero(number * Self.heroes + $0) }
        let activities = heroes.enumerated().map { offset, hero in
            activity(number * Self.heroes + offset, of: hero, in: Self.id(number))
        }
        let commands =
            heroes.map(Command.join) + [.start(seed: UInt64(number), pack)]
        var party = Party(id: Self.id(number))
        var commits: [PartyCommit] = []
        for (step, command) in commands.enumerated() {
            let events = try party.apply(command, at: .zero)
            let isLast = step == commands.count - 1
            guard past == .journaled || isLast else { continue }
            let stored = StoredParty(
                key: PartyKey(number: Int64(number + 1)), version: Int64(commits.count + 1),
                party: party, clock: PartyClock(beganAt: began, millisecondsPerSecond: 1000),
                activities: isLast ? activities : [], inviteCode: Self.digits(number, of: "i"),
                createdAt: began)
            var commit = PartyCommit(stored: stored, isAwake: isLast, at: now)
            if past == .journaled {
                commit.command = LoggedCommand(command: command, time: .zero)
                commit.events = events
            }
            if isLast { commit.activities = activities.map(\.registration) }
            commits.append(commit)
        }
        return commits
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

    /// Returns sixteen characters, as in the API's ids.
    private static func digits(_ number: Int, of kind: String) -> String {
        let text = kind + String(number)
        return text + String(repeating: "x", count: 16 - text.count)
    }
}
