import GameLogic
import PartyStore
import PushPolicy

/// Values that the tests store: a player, heroes, a party of theirs.
enum Fixture {
    static let noon = WallTime(milliseconds: 1_800_000_000_000)
    static let player = PlayerID("player-1")

    static func record(of player: PlayerID = player, hash: UInt8 = 1) -> PlayerRecord {
        PlayerRecord(id: player, tokenHash: [UInt8](repeating: hash, count: 32), createdAt: noon)
    }

    static func hero(_ number: Int, exp: Int = 0) -> Hero {
        Hero(
            id: HeroID("hero-\(number)"), owner: player, name: "Hero \(number)", avatar: "🐼",
            heroType: "Forest Dweller", exp: exp)
    }

    /// A party's first commit: nobody has joined.
    static func newParty(_ name: String, due: WallTime? = nil) -> PartyCommit {
        let id = PartyID(name)
        let record = PartyRecord(
            id: id, version: 1, party: Party(id: id), outbox: [],
            clock: PartyClock(beganAt: noon, millisecondsPerSecond: 1000),
            inviteCode: "code-\(name)", createdAt: noon, nextDueAt: due)
        return PartyCommit(record: record, at: noon)
    }

    /// The commit after `commit`, with a command applied and its events.
    static func next(
        _ commit: PartyCommit, _ command: Command, at time: GameTime = .zero
    ) throws -> PartyCommit {
        var record = commit.record
        record.version += 1
        let events = try record.party.apply(command, at: time)
        var next = PartyCommit(record: record, at: noon)
        next.events = events
        next.command = LoggedCommand(command: command, time: time)
        switch command {
        case .join(let hero): next.joined = [hero]
        case .leave(let hero): next.left = [hero]
        case .start, .usePotion, .summonBoss, .dropLoot, .raiseStorm, .end: break
        }
        return next
    }

    static func touched(_ commit: PartyCommit) -> PartyCommit {
        var record = commit.record
        record.version += 1
        return PartyCommit(record: record, at: noon)
    }

    static func activity(
        _ name: String = "activity-1", party: String, token: String? = "00ff",
        registeredAt: WallTime = noon
    ) -> ActivityRegistration {
        ActivityRegistration(
            id: ActivityID(name), player: player, hero: hero(1).id, party: PartyID(party),
            pushToken: token.map(PushToken.init(hex:)), tokenRegisteredAt: registeredAt,
            environment: .sandbox, frequentPushesEnabled: true, language: .japanese,
            osVersion: "18.1", state: .active, createdAt: noon)
    }

    static func device(
        _ name: String = "phone-1", of player: PlayerID = player, token: String? = "0ddba11d",
        registeredAt: WallTime = noon, environment: PushEnvironment = .sandbox
    ) -> StartDevice {
        StartDevice(
            key: StartDevice.Key(
                player: player, environment: environment, device: DeviceID(name)),
            token: token.map(PushToken.init(hex:)),
            traits: StartDevice.Traits(
                tokenRegisteredAt: registeredAt, language: .japanese, osVersion: "18.1",
                frequentPushesEnabled: true))
    }

    static func channel(
        _ name: String = "c0ffee00", party: String, environment: PushEnvironment = .sandbox,
        overSince: WallTime? = nil
    ) -> ChannelRecord {
        ChannelRecord(
            id: ChannelName(name), environment: environment, party: PartyID(party),
            createdAt: noon, overSince: overSince)
    }

    static func decision(_ sequence: Int, _ activity: String = "activity-1") -> Decision {
        Decision(
            sequence: sequence, activity: ActivityID(activity), verdict: .sent, priority: .low,
            carriesAlert: false, rule: "common loot is low priority")
    }

    /// A stored player, heroes 1 to `heroes`, and a party that hero 1 has joined.
    static func party(
        _ name: String, in store: any Store, epoch: Epoch, heroes: Int = 1
    ) async throws -> PartyCommit {
        try await store.insert(record(), epoch: epoch)
        for number in 1...heroes { try await store.insert(hero(number), epoch: epoch) }
        let created = newParty(name)
        try await store.commit(created, epoch: epoch)
        let joined = try next(created, .join(hero(1)))
        try await store.commit(joined, epoch: epoch)
        return joined
    }
}
