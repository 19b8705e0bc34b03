import ByteCoding
import GameLogic
import Isolation
import PushPolicy

@testable import PartyStore

/// Values that the tests store: a player, heroes, a party of theirs.
enum Fixture {
    static let noon = WallTime(milliseconds: 1_800_000_000_000)
    static let player = PlayerID("player-1")

    static func record(of player: PlayerID = player, hash: UInt8 = 1) -> DeviceRecord {
        DeviceRecord(
            key: DeviceRecord.Key(player: player, device: .unnamed),
            tokenHash: [UInt8](repeating: hash, count: 32), createdAt: noon)
    }

    static func hero(_ number: Int, exp: Int = 0) -> Hero {
        Hero(
            id: HeroID("hero-\(number)"), owner: player, name: "Hero \(number)", avatar: "🐼",
            heroType: "Forest Dweller", exp: exp)
    }

    /// A party's first commit: nobody has joined.
    static func newParty(
        _ name: String, inviteCode: String? = nil, _ attention: Attention = .asleep
    ) -> PartyCommit {
        let stored = StoredParty(
            key: key(name), version: 1, party: Party(id: PartyID(name)),
            clock: PartyClock(beganAt: noon, millisecondsPerSecond: 1000),
            inviteCode: inviteCode ?? "code-\(name)", createdAt: noon)
        return PartyCommit(stored: stored, isAwake: attention == .awake, at: noon)
    }

    /// Whether something is ahead of a party.
    enum Attention { case awake, asleep }

    /// A party's key, the same one for the same name.
    static func key(_ name: String) -> PartyKey {
        let hash = name.utf8.reduce(UInt64(14_695_981_039_346_656_037)) {
            ($0 ^ UInt64($1)) &* 1_099_511_628_211
        }
        return PartyKey(number: Int64(hash >> 1) | 1)
    }

    /// The commit after `commit`, with a command applied and its events.
    static func next(
        _ commit: PartyCommit, _ command: Command, at time: GameTime = .zero,
        when: WallTime = noon
    ) throws -> PartyCommit {
        var stored = commit.stored
        stored.version += 1
        let events = try stored.party.apply(command, at: time)
        var next = PartyCommit(stored: stored, isAwake: commit.isAwake, at: when)
        next.events = events
        next.command = LoggedCommand(command: command, time: time)
        switch command {
        case .join(let hero): next.joined = [hero]
        case .leave(let hero), .kick(let hero): next.left = [hero]
        case .disband: next.left = commit.stored.party.members.map(\.hero.id)
        case .promote, .claimLead, .start, .usePotion, .summonBoss, .dropLoot, .raiseStorm, .end,
            .arrange, .answer, .change, .worldStage, .checkReadiness, .finishReadyCheck,
            .cancelReadyCheck, .follow:
            break
        }
        return next
    }

    /// The commit after `commit`, which changes the version, and the activities if some are
    /// given.
    static func touched(
        _ commit: PartyCommit, activities: [ActivityRegistration]? = nil,
        _ attention: Attention? = nil
    ) -> PartyCommit {
        var stored = commit.stored
        stored.version += 1
        if let activities {
            stored.activities = activities.map { LiveActivity(registration: $0, outbox: nil) }
        }
        let isAwake = attention.map { $0 == .awake } ?? commit.isAwake
        var next = PartyCommit(stored: stored, isAwake: isAwake, at: noon)
        next.activities = activities ?? []
        return next
    }

    /// The commit after `commit`, in which the party is told on up to `time`.
    static func advanced(
        _ commit: PartyCommit, to time: GameTime, when: WallTime = noon
    ) -> PartyCommit {
        var stored = commit.stored
        stored.version += 1
        let events = stored.party.advance(to: time)
        var next = PartyCommit(stored: stored, isAwake: commit.isAwake, at: when)
        next.events = events
        return next
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
            sequence: sequence, activity: ActivityID(activity), disposition: .sent,
            priority: .low, carriesAlert: false, notes: [])
    }

    static func loggedDecision(
        _ sequence: Int, _ activity: String = "activity-1", rule: String, at: WallTime = noon,
        kind: PartyEvent.Kind? = nil
    ) -> LoggedDecision {
        LoggedDecision(
            sequence: sequence, activity: ActivityID(activity), disposition: .sent,
            priority: .low, carriesAlert: false, rule: rule, at: at, kind: kind)
    }

    static func outcome(of party: PartyKey, _ timestamp: Int64 = 1_800_000_000) -> StoredOutcome {
        StoredOutcome(
            party: party, activity: ActivityID("activity-1"), timestamp: timestamp,
            outcome: .accepted)
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

extension Store {
    /// Adds a hero of a player who may have any number of them.
    func insert(_ hero: Hero, epoch: Epoch) async throws(StoreError) {
        try await insert(hero, amongAtMost: .max, keeping: nil, epoch: epoch)
    }

    /// Writes one party's change in a batch of its own.
    func commit(_ change: PartyCommit, epoch: Epoch) async throws(StoreError) {
        var batch = Batch()
        batch.add(change)
        let result = await write(batch, epoch: epoch)
        try result.parties[0].get()
    }

    /// Writes a batch, and waits for what became of it.
    func write(_ batch: Batch, epoch: Epoch) async -> BatchResult {
        await withCheckedContinuation { continuation in
            write(batch, epoch: epoch) { continuation.resume(returning: $0) }
        }
    }
}

extension StartDevice {
    /// The same one, whatever version the store has given to it.
    var unversioned: StartDevice {
        var same = self
        same.version = 0
        return same
    }
}

/// Returns what `write` appends.
func bytes(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter()
    write(&writer)
    return writer.bytes
}

/// A store that this test owns, in a file of its own, and what the store reports.
struct OwnedStore {
    let folder: TemporaryFolder
    let store: SQLiteStore
    let epoch: Epoch
    let events: Locked<[StoreEvent]>

    init() async throws {
        folder = try TemporaryFolder()
        let events = Locked<[StoreEvent]>([])
        self.events = events
        store = try await SQLiteStore.open(path: folder.file) { event in
            events.withLock { $0.append(event) }
        }
        epoch = try await store.takeOwnership()
    }
}
