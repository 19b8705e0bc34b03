import Content
import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

@Suite("World bosses in the store")
struct WorldContractTests {
    private static func plan(
        pool: Int64 = 12_000, rounds: Int = 2
    ) -> WorldEvent.Plan {
        WorldEvent.Plan(
            pack: "kraken-tide", pool: pool, startsAt: Fixture.noon, rounds: rounds,
            roundSeconds: 3600, breakSeconds: 600)
    }

    private static let call = AuditRecord(
        caller: GameMaster(name: "lena", role: .director), action: "POST /v1/admin/world",
        target: nil, before: nil, after: nil, reason: nil, status: 201, at: Fixture.noon)

    /// Opens an event, and its first round.
    private static func open(
        _ store: any Store, _ epoch: Epoch, pool: Int64 = 12_000
    ) async throws -> WorldEvent {
        let opened = try await store.open(plan(pool: pool), by: "lena", as: call, epoch: epoch)
        let event = try #require(opened)
        let isOpen = try await store.set(
            event.number, to: .open, round: 1, from: .resting, as: nil, epoch: epoch)
        try #require(isOpen)
        return event
    }

    private static func start(_ commit: PartyCommit) throws -> PartyCommit {
        let pack = try #require(EmbeddedPacks.document(named: "kraken-tide")?.pack)
        return try Fixture.next(commit, .start(seed: 5, pack, Departure()))
    }

    private static func remaining(_ store: any Store) async throws -> Int64? {
        try await store.worldEvent(1)?.remaining
    }

    @Test(
        "blows are subtracted with the change that commits them, and never twice",
        arguments: StoreKind.allCases)
    func hits(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            _ = try await Self.open(store, epoch)
            let joined = try await Fixture.party("p", in: store, epoch: epoch)
            let started = try Self.start(joined)
            try await store.commit(started, epoch: epoch)
            let fought = Fixture.advanced(started, to: .minutes(10))
            let points = fought.events.reduce(0) { sum, event in
                if case .worldHit(points: let points) = event.kind { sum + points } else { sum }
            }
            #expect(points > 0)
            try await store.commit(fought, epoch: epoch)
            #expect(try await Self.remaining(store) == 12_000 - Int64(points))
            // A server that was killed after the commit tries again, and its version is stale.
            await #expect(throws: StoreError.staleVersion(PartyID("p"))) {
                try await store.commit(fought, epoch: epoch)
            }
            #expect(try await Self.remaining(store) == 12_000 - Int64(points))
        }
    }

    /// What of the pool a change takes.
    private static func points(of commit: PartyCommit) -> Int64 {
        commit.events.reduce(0) { sum, event in
            if case .worldHit(points: let points) = event.kind { sum + Int64(points) } else { sum }
        }
    }

    /// A hero of a player of its own.
    private static func newcomer(
        _ number: Int, _ store: any Store, _ epoch: Epoch
    ) async throws -> Hero {
        let (player, hero) = (PlayerID("player-\(number)"), Fixture.hero(number))
        let hash = (0..<32).map { $0 == 0 ? UInt8(number) : 7 }
        try await store.insert(
            DeviceRecord(
                key: Fixture.record(of: player).key, tokenHash: hash, createdAt: Fixture.noon),
            epoch: epoch)
        let own = Hero(
            id: hero.id, owner: player, name: hero.name, avatar: hero.avatar,
            heroType: hero.heroType)
        try await store.insert(own, epoch: epoch)
        return own
    }

    /// Commits all at once, in batches of their own. Returns those that the store has acknowledged.
    private static func strike(
        _ commits: [PartyCommit], _ store: any Store, _ epoch: Epoch
    ) async -> Set<PartyID> {
        await withTaskGroup(of: PartyID?.self) { group in
            for commit in commits {
                group.addTask {
                    do {
                        try await store.commit(commit, epoch: epoch)
                        return commit.stored.party.id
                    } catch {
                        return nil
                    }
                }
            }
            return await group.reduce(into: []) { if let id = $1 { $0.insert(id) } }
        }
    }

    @Test(
        "a server that goes down while 200 parties strike has lost no blow, and counts none twice")
    func killed() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(path: folder.file)
        let epoch = try await store.takeOwnership()
        let tide = try #require(EmbeddedPacks.document(named: "kraken-tide"))
        let packs = try await store.add(
            [PackRecord(tide, status: .published)], epoch: epoch)
        #expect(packs.isEmpty)
        let pool: Int64 = 1_000_000
        _ = try await Self.open(store, epoch, pool: pool)
        var blows: [PartyCommit] = []
        for number in 1...200 {
            let hero = try await Self.newcomer(number, store, epoch)
            let created = Fixture.newParty("p\(number)")
            try await store.commit(created, epoch: epoch)
            let joined = try Fixture.next(created, .join(hero))
            try await store.commit(joined, epoch: epoch)
            let started = try Self.start(joined)
            try await store.commit(started, epoch: epoch)
            blows.append(Fixture.advanced(started, to: .minutes(10)))
        }
        let waiting = blows
        let striking = Task { await Self.strike(waiting, store, epoch) }
        await store.close()
        let acknowledged = await striking.value
        let next = try await SQLiteStore.open(path: folder.file)
        let newer = try await next.takeOwnership()
        var struck: Int64 = 0
        for blow in blows {
            let known = try #require(try await next.party(blow.stored.party.id))
            let hasStruck = known.version == blow.stored.version
            #expect(hasStruck || !acknowledged.contains(blow.stored.party.id))
            if hasStruck { struck += Self.points(of: blow) }
        }
        #expect(try await Self.remaining(next) == pool - struck)
        // All try again: those that had struck are refused.
        _ = await Self.strike(blows, next, newer)
        let all = blows.reduce(0) { $0 + Self.points(of: $1) }
        #expect(all > 0)
        #expect(try await Self.remaining(next) == pool - all)
        await next.close()
    }

    @Test("the pool stops at nothing, and then no shift begins", arguments: StoreKind.allCases)
    func empty(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            _ = try await Self.open(store, epoch, pool: 1)
            let joined = try await Fixture.party("p", in: store, epoch: epoch)
            let started = try Self.start(joined)
            try await store.commit(started, epoch: epoch)
            try await store.commit(
                Fixture.advanced(started, to: .minutes(10)), epoch: epoch)
            #expect(try await Self.remaining(store) == 0)
            let moment = try await store.worldEvent(1)?.moment(at: Fixture.noon)
            #expect(moment?.status == .fallen)
        }
    }

    @Test(
        "a boss falls when its pool is empty, and in no other way is it over then",
        arguments: StoreKind.allCases)
    func over(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let event = try await Self.open(store, epoch, pool: 1)
            func set(_ status: WorldEvent.Status) async throws -> Bool {
                try await store.set(
                    event.number, to: status, round: 1, from: .open, as: Self.call, epoch: epoch)
            }
            #expect(try await !set(.fallen))
            let started = try Self.start(try await Fixture.party("p", in: store, epoch: epoch))
            try await store.commit(started, epoch: epoch)
            try await store.commit(
                Fixture.advanced(started, to: .minutes(10)), epoch: epoch)
            for status in [WorldEvent.Status.closed, .survived, .resting] {
                #expect(try await !set(status))
            }
            #expect(try await set(.fallen))
            // The calls that opened the event and let it fall.
            #expect(try await store.auditLog(before: nil, limit: 9).calls.count == 2)
        }
    }

    @Test("no shift begins without an open round", arguments: StoreKind.allCases)
    func closed(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let joined = try await Fixture.party("p", in: store, epoch: epoch)
            let started = try Self.start(joined)
            await #expect(throws: StoreError.rule(.noWorldBoss)) {
                try await store.commit(started, epoch: epoch)
            }
            #expect(try await store.party(PartyID("p")) == joined.stored)
            _ = try await store.open(Self.plan(), by: "lena", as: Self.call, epoch: epoch)
            await #expect(throws: StoreError.rule(.noWorldBoss)) {
                try await store.commit(started, epoch: epoch)
            }
        }
    }

    @Test(
        "a hero begins three shifts in a round, however many begin at once",
        arguments: StoreKind.allCases)
    func shifts(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let event = try await Self.open(store, epoch)
            var commit = try await Fixture.party("p", in: store, epoch: epoch)
            let hero = Fixture.hero(1).id
            for number in 1...4 {
                let started = try Self.start(commit)
                guard number < 4 else {
                    await #expect(throws: StoreError.rule(.noShiftLeft(hero, limit: 3))) {
                        try await store.commit(started, epoch: epoch)
                    }
                    break
                }
                try await store.commit(started, epoch: epoch)
                let counts = try await store.shifts(
                    of: Fixture.player, in: event.number, round: 1)
                #expect(counts == [hero: number])
                commit = try Fixture.next(started, .arrange(.end(.endedByGameMaster)))
                try await store.commit(commit, epoch: epoch)
            }
            // The next round counts anew.
            _ = try await store.set(
                event.number, to: .resting, round: 1, from: .open, as: nil, epoch: epoch)
            _ = try await store.set(
                event.number, to: .open, round: 2, from: .resting, as: nil, epoch: epoch)
            try await store.commit(try Self.start(commit), epoch: epoch)
        }
    }

    @Test(
        "a running shift receives each stage once, and none after its end",
        arguments: StoreKind.allCases)
    func stages(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let event = try await Self.open(store, epoch)
            let joined = try await Fixture.party("p", in: store, epoch: epoch)
            let started = try Self.start(joined)
            try await store.commit(started, epoch: epoch)
            func open(_ stage: WorldStage) async throws -> [PartyID] {
                try await store.shifts(
                    of: event.number, above: stage, after: nil, limit: 10
                ).map(\.party)
            }
            #expect(try await open(.threeQuarters) == [PartyID("p")])
            let told = try Fixture.next(started, .worldStage(.half))
            try await store.commit(told, epoch: epoch)
            #expect(try await open(.half) == [])
            #expect(try await open(.quarter) == [PartyID("p")])
            try await store.note(.quarter, of: [Fixture.key("p")], epoch: epoch)
            #expect(try await open(.quarter) == [])
            let over = try Fixture.next(told, .worldStage(.fallen))
            try await store.commit(over, epoch: epoch)
            #expect(try await open(.fallen) == [])
        }
    }

    @Test(
        "who was there for a whole shift gets one reward, in its party or at home",
        arguments: StoreKind.allCases)
    func rewards(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let event = try await Self.open(store, epoch)
            let joined = try await Fixture.party("p", in: store, epoch: epoch)
            let started = try Self.start(joined)
            try await store.commit(started, epoch: epoch)
            let hero = Fixture.hero(1).id
            func open() async throws -> [HeroID] {
                try await store.openRewards(of: event.number, after: nil, limit: 10)
            }
            #expect(try await open() == [])
            let over = try Fixture.next(started, .worldStage(.fallen))
            try await store.commit(over, epoch: epoch)
            #expect(try await open() == [hero])
            let reward = HomeChange.worldReward(event: event.number, exp: 300, crystals: 1)
            // In a party only the party's change gives it.
            #expect(try await store.change(hero, reward, keeping: nil, epoch: epoch) == nil)
            let given = try Fixture.next(over, .change(hero, reward))
            try await store.commit(given, epoch: epoch)
            #expect(try await open() == [])
            await #expect(throws: StoreError.self) {
                try await store.commit(try Fixture.next(given, .change(hero, reward)), epoch: epoch)
            }
            let left = try Fixture.next(given, .leave(hero))
            try await store.commit(left, epoch: epoch)
            await #expect(throws: StoreError.self) {
                _ = try await store.change(hero, reward, keeping: nil, epoch: epoch)
            }
            #expect(try await store.hero(hero)?.exp == Fixture.hero(1).exp)
        }
    }

    @Test("one event at a time; what is over stays over", arguments: StoreKind.allCases)
    func one(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let event = try await Self.open(store, epoch)
            let second = try await store.open(Self.plan(), by: "lena", as: Self.call, epoch: epoch)
            #expect(second == nil)
            let isClosed = try await store.set(
                event.number, to: .closed, round: 1, from: .open, as: nil, epoch: epoch)
            #expect(isClosed)
            let isOpened = try await store.set(
                event.number, to: .open, round: 2, from: .closed, as: nil, epoch: epoch)
            #expect(!isOpened)
            let third = try await store.open(Self.plan(), by: "lena", as: Self.call, epoch: epoch)
            #expect(third?.number == 2)
            #expect(try await store.worldEvents().map(\.number) == [2, 1])
        }
    }

    @Test(
        "rounds open and close by the clock, whatever was missed",
        arguments: [
            (-1, WorldEvent.Status.resting, 0), (0, .open, 1), (3599, .open, 1),
            (3600, .resting, 1), (4200, .open, 2), (7799, .open, 2), (7800, .survived, 2),
        ])
    func moments(seconds: Int, status: WorldEvent.Status, round: Int) {
        let event = WorldEvent(
            number: 1, plan: Self.plan(), createdBy: "lena", remaining: 1, status: .resting,
            round: 0)
        let moment = event.moment(at: Fixture.noon.adding(seconds: Int64(seconds)))
        #expect(moment.status == status)
        #expect(moment.round == round)
    }

    @Test(
        "a clock that is set back closes no round, and opens none that is over",
        arguments: [
            (WorldEvent.Status.open, 1, -1, WorldEvent.Status.open, 1), (.open, 2, 4199, .open, 2),
            (.open, 1, 3600, .resting, 1), (.open, 1, 4200, .open, 2),
            (.resting, 1, 3599, .resting, 1), (.resting, 1, 4200, .open, 2),
        ])
    func setBack(
        status: WorldEvent.Status, round: Int, seconds: Int, then: WorldEvent.Status, in next: Int
    ) {
        let event = WorldEvent(
            number: 1, plan: Self.plan(), createdBy: "lena", remaining: 1, status: status,
            round: round)
        let moment = event.moment(at: Fixture.noon.adding(seconds: Int64(seconds)))
        #expect(moment.status == then)
        #expect(moment.round == next)
    }
}
