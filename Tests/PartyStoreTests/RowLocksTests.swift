import GameLogic
import Isolation
import PushPolicy
import Testing

@testable import PartyStore

@Suite("What changes keep each other from", .timeLimit(.minutes(2)))
struct RowLocksTests {
    private static let one = PlayerID("one")
    private static let two = PlayerID("two")

    private static func hero(_ number: Int, of player: PlayerID = one) -> Hero {
        Hero(
            id: HeroID("hero-\(number)"), owner: player, name: "Panda", avatar: "🐼",
            heroType: "Forest Dweller")
    }

    // MARK: Which locks

    @Test("a tick takes no locks, a join those of its players, and a game master the turn")
    func kinds() throws {
        let party = Fixture.newParty("p")
        #expect(FurtherRows(Fixture.touched(party)) == nil)
        let joined = try Fixture.next(party, .join(Self.hero(1)))
        let second = try Fixture.next(joined, .join(Self.hero(2, of: Self.two)))
        let locks = RowLocks(try #require(FurtherRows(second)))
        #expect(locks == .players([Self.one, Self.two]))
        let left = try Fixture.next(second, .leave(Self.hero(2).id))
        #expect(RowLocks(try #require(FurtherRows(left))).heroes == [Self.hero(2).id])
        var commanded = Fixture.touched(party)
        commanded.calls = [FormatSample.call]
        #expect(RowLocks(try #require(FurtherRows(commanded))) == .turn)
        let home = RowLocks(.buy(potions: 1), of: Self.hero(1).id)
        #expect(!home.takesTurn && home.heroes == [Self.hero(1).id])
        let reward = HomeChange.worldReward(event: 1, exp: 1, crystals: 1)
        #expect(RowLocks(reward, of: Self.hero(1).id) == home + .turn)
    }

    @Test("changes of an account take the turn, and their player's lock")
    func accounts() {
        let key = DeviceRecord.Key(player: Self.one, device: .unnamed)
        let locked = RowLocks.turn + .players([Self.one])
        let changes: [AccountChange] = [
            .add(Fixture.record(of: Self.one), by: .unnamed), .revoke(key, by: .unnamed),
            .rotate(key, to: [1]), .setRecoveryCode([1], by: key),
            .signOut(Self.one, as: FormatSample.call), .beginErasure(Self.one, at: Fixture.noon),
            .finishErasure(Self.one),
        ]
        for change in changes { #expect(RowLocks(change) == locked) }
        #expect(RowLocks(.useNext([1])) == .turn)
        let recovery = AccountChange.recover(
            code: [1], .unnamed, tokenHash: [2], at: Fixture.noon)
        #expect(RowLocks(recovery) == .turn)
    }

    // MARK: What waits for which

    /// Two servers' stores, two players, and a party of the first server.
    private struct Servers {
        /// How many wait for a session that asks.
        static let waiting: StaticString = """
            SELECT count(*) FROM pg_locks
            WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
            """

        let folder: TemporaryFolder
        let stores: [PostgreSQLStore]
        let epochs: [Epoch]
        let party: PartyCommit

        init() async throws {
            folder = try TemporaryFolder()
            let stores = [
                try await PostgreSQLStore.open(folder.schema()),
                try await PostgreSQLStore.open(folder.schema()),
            ]
            epochs = [
                try await stores[0].join(NodePlace(name: "a", address: "127.0.0.1:1")),
                try await stores[1].join(NodePlace(name: "b", address: "127.0.0.1:2")),
            ]
            self.stores = stores
            party = Fixture.newParty("p")
            for (hash, player) in [one, two].enumerated() {
                try await stores[0].insert(
                    Fixture.record(of: player, hash: UInt8(hash + 1)), epoch: epochs[0])
            }
            try await stores[0].commit(party, epoch: epochs[0])
        }

        func insert(_ hero: Hero, at number: Int = 0) async throws {
            try await stores[number].insert(
                hero, amongAtMost: 8, keeping: nil, epoch: epochs[number])
        }

        /// Runs `body` while another transaction has `locks` and `change` waits for them.
        func whileWaiting(
            for locks: RowLocks, _ change: @escaping @Sendable () async throws -> Void,
            _ body: () async throws -> Void
        ) async throws {
            let other = try PostgreSQLSession(folder.schema())
            other.begin(.writing)
            _ = try other.run([], of: [], taking: locks)
            async let changed: Void = change()
            while try other.integer(Self.waiting) == 0 {
                try Task.checkCancellation()
                await Task.yield()
            }
            try await body()
            try other.commit()
            try await changed
        }

        /// Runs a change 200 times at once, by turns at both servers. Returns how many were made.
        func crowd(
            _ change:
                @escaping @Sendable (_ number: Int, PostgreSQLStore, Epoch) async throws -> Void
        ) async -> Int {
            await withTaskGroup(of: Bool.self) { group in
                for number in 0..<200 {
                    let (store, epoch) = (stores[number % 2], epochs[number % 2])
                    group.addTask {
                        do {
                            try await change(number, store, epoch)
                            return true
                        } catch {
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }

        func close() async {
            for store in stores { await store.close() }
        }
    }

    @Test("neither ticks nor players wait for a server that writes what is no player's")
    func turn() async throws {
        let servers = try await Servers()
        let (store, epoch) = (servers.stores[0], servers.epochs[0])
        try await servers.whileWaiting(for: .turn) {
            try await store.append([FormatSample.call], epoch: epoch)
        } _: {
            try await store.commit(Fixture.touched(servers.party), epoch: epoch)
            #expect(try await store.party(servers.party.stored.id)?.version == 2)
            try await servers.insert(Self.hero(1))
            #expect(try await store.auditLog(before: nil, limit: 8).calls.isEmpty)
        }
        #expect(try await store.auditLog(before: nil, limit: 8).calls.count == 1)
        await servers.close()
    }

    @Test("changes of one player wait for each other at all servers, and hold up no other player")
    func players() async throws {
        let servers = try await Servers()
        let store = servers.stores[0]
        try await servers.insert(Self.hero(1))
        for locks in [
            RowLocks.players([Self.one]), RowLocks(.buy(potions: 1), of: Self.hero(1).id),
        ] {
            let new = Self.hero(locks.heroes.isEmpty ? 2 : 3)
            let others = Self.hero(locks.heroes.isEmpty ? 4 : 5, of: Self.two)
            try await servers.whileWaiting(for: locks) {
                try await servers.insert(new)
            } _: {
                try await servers.insert(others, at: 1)
                #expect(try await store.hero(others.id) == others)
                #expect(try await store.hero(new.id) == nil)
            }
            #expect(try await store.hero(new.id) == new)
        }
        await servers.close()
    }

    @Test("a recovery waits for changes of the player whom its code names")
    func recovery() async throws {
        let servers = try await Servers()
        let (store, epoch) = (servers.stores[0], servers.epochs[0])
        let code = [UInt8](repeating: 9, count: 32)
        _ = try await store.change(
            .setRecoveryCode(code, by: Fixture.record(of: Self.one).key), keeping: nil,
            epoch: epoch)
        _ = try await store.put(
            Fixture.device(of: Self.one), by: .unnamed, amongAtMost: 8, epoch: epoch)
        try await servers.whileWaiting(for: .players([Self.one])) {
            _ = try await store.change(
                .recover(
                    code: code, DeviceID("new-phone"), tokenHash: [UInt8](repeating: 5, count: 32),
                    at: Fixture.noon), keeping: nil, epoch: epoch)
        } _: {
            let devices = try await store.startDevices(of: [Self.one])
            #expect(devices.count == 1)
        }
        #expect(try await store.startDevices(of: [Self.one]).isEmpty)
        await servers.close()
    }

    @Test("who blocks a player waits for the player's new hero, and knows it then")
    func blocking() async throws {
        let servers = try await Servers()
        let (store, epoch) = (servers.stores[0], servers.epochs[0])
        let block = Block(player: Self.one, blocked: Self.two, at: Fixture.noon)
        let hero = Self.hero(1, of: Self.two)
        let isBlocked = try await store.insert(hero, amongAtMost: 8, keeping: nil, epoch: epoch)
        #expect(!isBlocked)
        try await servers.whileWaiting(for: .players([Self.two])) {
            let put = try await store.put(block, epoch: epoch)
            #expect(put == .written)
        } _: {
            let blocks = try await store.blocks(of: Self.one)
            #expect(blocks.isEmpty)
        }
        #expect(try await store.heroesOfBlockedPlayers() == [hero])
        let isBlockedNow = try await store.insert(
            Self.hero(2, of: Self.two), amongAtMost: 8, keeping: nil, epoch: epoch)
        #expect(isBlockedNow)
        await servers.close()
    }

    @Test("a token that moves to another player brings a start that was just on its way")
    func movedToken() async throws {
        let servers = try await Servers()
        let (store, epoch) = (servers.stores[0], servers.epochs[0])
        _ = try await store.put(
            Fixture.device(of: Self.one), by: .unnamed, amongAtMost: 8, epoch: epoch)
        var device = try #require(try await store.startDevices(of: [Self.one]).first)
        device.starts = FormatSample.device.starts
        let other = try PostgreSQLSession(servers.folder.schema())
        other.begin(.writing)
        try StartDeviceTable(other).write(starts: StartDeviceRow(device))
        async let put = servers.stores[1].put(
            Fixture.device(of: Self.two), by: .unnamed, amongAtMost: 8, epoch: servers.epochs[1])
        while try other.integer(Servers.waiting) == 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
        try other.commit()
        #expect(try await put == .written)
        let moved = try await store.startDevices(of: [Self.one, Self.two])
        #expect(moved.map(\.key.player) == [Self.two])
        #expect(moved.first?.starts == device.starts)
        await servers.close()
    }

    @Test("a refused change costs those that share its transaction nothing")
    func refusedBeside() async throws {
        let servers = try await Servers()
        let (store, epoch) = (servers.stores[0], servers.epochs[0])
        var change = Fixture.touched(servers.party)
        change.calls = [FormatSample.call]
        var refused: Task<AccountOutcome, any Error>?
        var written: Task<Void, any Error>?
        // All that comes while one waits for the turn shares the next transaction.
        try await servers.whileWaiting(for: .turn) {
            try await store.append([FormatSample.call], epoch: epoch)
        } _: {
            refused = Task { try await store.change(.useNext([1]), keeping: nil, epoch: epoch) }
            let made = change
            written = Task { try await store.commit(made, epoch: epoch) }
            while store.writer.queue.withLock({ $0.count }) < 2 { await Task.yield() }
        }
        await #expect(throws: StoreError.account(.unknownDevice)) { _ = try await refused?.value }
        try await written?.value
        #expect(try await store.party(servers.party.stored.id)?.version == 2)
        await servers.close()
    }

    // MARK: 200 at once

    @Test("200 heroes that two servers add at once stay within the limit")
    func heroes() async throws {
        let servers = try await Servers()
        let added = await servers.crowd { number, store, epoch in
            try await store.insert(
                Self.hero(number), amongAtMost: 8, keeping: nil, epoch: epoch)
        }
        #expect(added == 8)
        #expect(try await servers.stores[0].heroes(of: Self.one).count == 8)
        await servers.close()
    }

    @Test("200 potions that two servers sell at once are as many as there is room for")
    func potions() async throws {
        let servers = try await Servers()
        var hero = Self.hero(1)
        hero.home.coins = Home.coinsMax
        try await servers.insert(hero)
        let sold = await servers.crowd { _, store, epoch in
            _ = try await store.change(
                HeroID("hero-1"), .buy(potions: 1), keeping: nil, epoch: epoch)
        }
        let home = try #require(try await servers.stores[0].hero(hero.id)).home
        #expect(sold == Home.potionsMax)
        #expect(home.potions == Home.potionsMax)
        #expect(home.coins == Home.coinsMax - Home.potionsMax * HomeChange.potionPrice)
        await servers.close()
    }

    @Test("200 parties that a player joins at two servers at once stay within the limit")
    func parties() async throws {
        let servers = try await Servers()
        try await servers.stores[0].give(
            Array(2048..<4096), of: servers.epochs[0], to: servers.epochs[1])
        for number in 0..<200 {
            try await servers.stores[0].insert(Self.hero(number), epoch: servers.epochs[0])
        }
        let joined = await servers.crowd { number, store, epoch in
            let half = number % 2 == 0 ? 0..<2048 : 2048..<4096
            let id = (0...).lazy.map { "\(number)-\($0)" }
                .first { half.contains(PartyShard.number(of: PartyID($0))) }
            let party = Fixture.newParty(id ?? "")
            try await store.commit(party, epoch: epoch)
            try await store.commit(
                Fixture.next(party, .join(Self.hero(number))), epoch: epoch)
        }
        #expect(joined == Party.partiesOfPlayerMax)
        await servers.close()
    }

    @Test("of 200 equal requests at two servers at once, one is kept")
    func requests() async throws {
        let servers = try await Servers()
        let kept = await servers.crowd { _, store, epoch in
            let request = KeptRequest(
                key: RequestKey(player: Self.one, key: "key", request: "r"), status: 200,
                object: .nothing,
                at: Fixture.noon)
            try await store.keep(request, epoch: epoch)
        }
        #expect(kept == 1)
        await servers.close()
    }
}
