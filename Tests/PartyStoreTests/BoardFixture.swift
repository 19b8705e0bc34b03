import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

/// Players 1 to n with a hero each, whose adventures end as a test says.
struct BoardFixture {
    static let season = Season(at: Fixture.noon.milliseconds)

    let store: any TableStore
    let epoch: Epoch

    static func withStore(
        _ kind: StoreKind = .sqlite, players: Int,
        _ body: (BoardFixture) async throws -> Void
    ) async throws {
        try await kind.withStore { store, epoch in
            let board = BoardFixture(store: store, epoch: epoch)
            try await board.add(players: players)
            try await body(board)
        }
    }

    private func add(players: Int) async throws {
        for number in 1...players {
            var record = Fixture.record(of: Self.player(number))
            record = DeviceRecord(
                key: record.key, tokenHash: Self.hash(number), createdAt: Fixture.noon)
            try await store.insert(record, epoch: epoch)
            let hero = Fixture.hero(number)
            try await store.insert(
                Hero(
                    id: hero.id, owner: Self.player(number), name: hero.name, avatar: hero.avatar,
                    heroType: hero.heroType), epoch: epoch)
        }
    }

    static func player(_ number: Int) -> PlayerID { PlayerID("player-\(number)") }

    private static func hash(_ number: Int) -> [UInt8] {
        (0..<32).map { $0 == 0 ? UInt8(number >> 8) : UInt8(number & 255) }
    }

    /// The commit after `commit`, which ends an adventure of these players' heroes.
    static func ending(
        _ commit: PartyCommit, _ players: [Int], points: Int, pack: String = "forest-quest",
        at time: WallTime = Fixture.noon
    ) -> PartyCommit {
        var ended = Fixture.touched(commit)
        ended.result = AdventureResult(
            entries: players.map {
                AdventureResult.Entry(hero: Fixture.hero($0).id, points: points)
            }, players: players.map(player), pack: pack, partyPoints: points, at: time)
        return ended
    }

    /// Ends an adventure of a new party. Returns the commit.
    @discardableResult
    func end(
        _ party: String, _ players: [Int], points: Int, pack: String = "forest-quest",
        at time: WallTime = Fixture.noon
    ) async throws -> PartyCommit {
        let created = Fixture.newParty(party)
        try await store.commit(created, epoch: epoch)
        let ended = Self.ending(created, players, points: points, pack: pack, at: time)
        try await store.commit(ended, epoch: epoch)
        return ended
    }

    func top() async throws -> [BoardLine] { try await store.worldTop(of: Self.season) }

    func place(of player: Int = 1) async throws -> WorldPlace {
        try await store.worldPlace(of: Self.season, for: Self.player(player))
    }

    /// The heroes on a player's board of friends.
    func friends(of player: Int) async throws -> [HeroID] {
        try await store.friendsBoard(
            of: Self.season, for: Self.player(player),
            metSince: Leaderboard.friendsSince(Fixture.noon)
        ).map(\.hero.id)
    }

    func block(_ blocked: Int, by player: Int) async throws {
        _ = try await store.put(
            Block(
                player: Self.player(player), blocked: Self.player(blocked), at: Fixture.noon),
            epoch: epoch)
    }

    /// Deletes a player's account.
    func erase(_ number: Int) async throws {
        let player = Self.player(number)
        for change in [
            AccountChange.beginErasure(player, at: Fixture.noon), .finishErasure(player),
        ] {
            _ = try await store.change(change, keeping: nil, epoch: epoch)
        }
    }

    /// Forgets row by row. Returns how many calls said that more was left.
    func forget(before season: Season) async throws -> Int {
        var calls = 0
        while try await store.forgetResults(
            before: season, metBefore: Leaderboard.friendsSince(Fixture.noon), limit: 1,
            epoch: epoch)
        {
            calls += 1
        }
        return calls
    }

    // MARK: Damage

    func spoil(_ sql: StaticString) async throws {
        _ = try await store.asOwner(epoch) { database in Int64(try database.run(sql)) }
    }

    /// The tables in which the check of all rows finds faults.
    func faults() async throws -> [String] {
        let store = try #require(store as? SQLiteStore)
        return try await store.readFile { database in
            var check = RowCheck()
            var tables: [String] = []
            while let faults = try check.next(on: database) { tables += faults.map(\.table) }
            return tables
        }
    }

    // MARK: Widgets

    /// Puts the token of a player's phone.
    @discardableResult
    func put(
        _ player: Int, token: String? = nil, at time: WallTime = Fixture.noon, limit: Int = 8,
        device: String = "phone"
    ) async throws -> WidgetPut {
        try await store.put(
            WidgetToken(
                player: Self.player(player), device: DeviceID(device), environment: .sandbox,
                token: PushToken(hex: token ?? "aa0\(player)"), confirmedAt: time),
            by: .unnamed, amongAtMost: limit, epoch: epoch)
    }

    func remove(_ player: Int) async throws {
        let removed = try await store.removeWidget(
            of: DeviceID("phone"), player: Self.player(player), epoch: epoch)
        #expect(removed == 1)
    }

    /// How many devices and tokens have limits that are kept for them.
    func rests() async throws -> Int64 {
        try await store.read { try $0.integer("SELECT count(*) FROM widget_rests") }
    }

    /// The players whose widgets are due.
    func due(by time: WallTime = Fixture.noon) async throws -> [StoredWidget] {
        try await store.dueWidgets(by: time, limit: 10)
    }
}
