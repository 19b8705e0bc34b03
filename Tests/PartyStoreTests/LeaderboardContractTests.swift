import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

@Suite("The leaderboard in the store")
struct LeaderboardContractTests {
    typealias Board = BoardFixture

    @Test(
        "a result is written with the change that ends the adventure, and never twice",
        arguments: StoreKind.allCases)
    func once(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 2) { board in
            let ended = try await board.end("p", [1, 2], points: 230)
            #expect(try await board.store.results(of: Board.player(1)).map(\.points) == [230])
            // A server that was killed after the commit tries again, and its version is stale.
            await #expect(throws: StoreError.staleVersion(PartyID("p"))) {
                try await board.store.commit(ended, epoch: board.epoch)
            }
            #expect(try await board.store.results(of: Board.player(1)).map(\.points) == [230])
            #expect(try await board.place().heroes == 2)
            #expect(try await board.top().map(\.points) == [230, 230])
        }
    }

    @Test(
        "two hundred endings at once give each hero exactly one result",
        arguments: StoreKind.allCases)
    func crowd(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 200) { board in
            var batch = Batch()
            for number in 1...200 {
                let created = Fixture.newParty("p\(number)")
                try await board.store.commit(created, epoch: board.epoch)
                batch.add(Board.ending(created, [number], points: number))
            }
            let result = await board.store.write(batch, epoch: board.epoch)
            let written = result.parties.count { (try? $0.get()) != nil }
            #expect(written == 200)
            var points: [Int] = []
            for number in 1...200 {
                let results = try await board.store.results(of: Board.player(number))
                points += results.map(\.points)
            }
            #expect(points == Array(1...200))
            #expect(try await board.place().heroes == 200)
        }
    }

    @Test(
        "the board of all heroes ranks as the engine does, from any place",
        arguments: StoreKind.allCases)
    func world(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 130) { board in
            var random = SeededRandom(seed: 5)
            var standings: [Ranking.Standing] = []
            for number in 1...130 {
                let points = random.draw(in: 40...140)
                let at = Fixture.noon.adding(seconds: Int64(random.draw(in: 0...3)))
                try await board.end("p\(number)", [number], points: points, at: at)
                standings.append(
                    Ranking.Standing(
                        Fixture.hero(number).id, points: points, reachedAt: at.milliseconds))
            }
            let ranking = Ranking(standings)
            let top = try await board.top()
            #expect(top.map(\.hero.id) == ranking.top.map(\.standing.hero))
            #expect(top.map(\.rank) == ranking.top.map(\.rank))
            for number in [1, 40, 77, 130] {
                let around = ranking.around(Fixture.hero(number).id)
                let shown = try await board.place(of: number).around
                #expect(shown.map(\.hero.id) == around.map(\.standing.hero))
                #expect(shown.map(\.rank) == around.map(\.rank))
            }
        }
    }

    @Test("after any endings and deletions, each place is the one that counting all heroes gives")
    func counted() async throws {
        try await Board.withStore(players: 40) { board in
            var random = SeededRandom(seed: 11)
            var sums: [Int: (points: Int, at: Int64)] = [:]
            for step in 1...150 {
                let (number, points) = (random.draw(in: 1...40), random.draw(in: 1...120))
                let day = Int64(random.draw(in: 0...2))
                let at = WallTime(milliseconds: Board.season.start)
                    .adding(seconds: day * 24 * 3600 + Int64(step))
                try await board.end("p\(step)", [number], points: points, at: at)
                let results = try await board.store.results(of: Board.player(number)).map {
                    SeasonSum.Result(
                        day: Int($0.at.milliseconds / (24 * 3_600_000)), pack: $0.pack,
                        points: $0.points)
                }
                let sum = SeasonSum(of: results).points
                if sum != sums[number]?.points { sums[number] = (sum, at.milliseconds) }
            }
            for number in [3, 17] {
                try await board.erase(number)
                sums[number] = nil
            }
            let ranking = Ranking(
                sums.map {
                    Ranking.Standing(
                        Fixture.hero($0.key).id, points: $0.value.points, reachedAt: $0.value.at)
                })
            #expect(ranking.lines.count > 30)
            for number in 1...40 {
                let shown = try await board.place(of: number)
                let around = ranking.around(Fixture.hero(number).id)
                #expect(shown.heroes == ranking.lines.count)
                #expect(shown.around.map(\.hero.id) == around.map(\.standing.hero))
                #expect(shown.around.map(\.rank) == around.map(\.rank))
            }
            #expect(try await board.faults() == [])
        }
    }

    @Test(
        "equal sums share a rank, and the one reached first comes first",
        arguments: StoreKind.allCases)
    func ties(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 4) { board in
            let later = Fixture.noon.adding(seconds: 60)
            try await board.end("a", [1], points: 100, at: later)
            try await board.end("b", [2], points: 200)
            try await board.end("c", [3], points: 100)
            try await board.end("d", [4], points: 50)
            let top = try await board.top()
            #expect(top.map(\.rank) == [1, 2, 2, 4])
            #expect(top.map(\.hero.id) == [2, 3, 1, 4].map { Fixture.hero($0).id })
        }
    }

    @Test(
        "a day keeps four results of a pack, the best ones, and a sum never falls",
        arguments: StoreKind.allCases)
    func limits(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 1) { board in
            for (number, points) in [10, 50, 20, 40, 30, 5].enumerated() {
                try await board.end("p\(number)", [1], points: points)
            }
            let kept = try await board.store.results(of: Board.player(1)).map(\.points)
            #expect(kept.sorted() == [20, 30, 40, 50])
            #expect(try await board.top().map(\.points) == [140])
        }
    }

    @Test(
        "friends are those with whom a player has finished an adventure lately",
        arguments: StoreKind.allCases)
    func friends(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 4) { board in
            let old = Fixture.noon.adding(seconds: -61 * 24 * 3600)
            try await board.end("a", [1, 2], points: 100)
            try await board.end("b", [1, 3], points: 50, at: old)
            try await board.end("c", [3], points: 60)
            try await board.end("d", [4], points: 70)
            #expect(try await board.friends(of: 1) == [1, 2].map { Fixture.hero($0).id })
            #expect(try await board.friends(of: 4) == [Fixture.hero(4).id])
            let rank = try await board.store.rankAmongFriends(
                of: Board.season, for: Board.player(2),
                metSince: Leaderboard.friendsSince(Fixture.noon))
            #expect(rank == 1)
        }
    }

    @Test(
        "nobody is a friend who has blocked the player, or whom the player has blocked",
        arguments: StoreKind.allCases)
    func blocks(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 3) { board in
            try await board.end("a", [1, 2, 3], points: 100)
            try await board.block(1, by: 2)
            #expect(try await board.friends(of: 1) == [1, 3].map { Fixture.hero($0).id })
            #expect(try await board.friends(of: 2) == [2, 3].map { Fixture.hero($0).id })
        }
    }

    @Test("a board has at most fifty friends: those met last", arguments: StoreKind.allCases)
    func friendsMax(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 60) { board in
            for number in 2...60 {
                try await board.end(
                    "p\(number)", [1, number], points: 10,
                    at: Fixture.noon.adding(seconds: Int64(number)))
            }
            let friends = try await board.friends(of: 1)
            #expect(friends.count == 1 + Leaderboard.friendsMax)
            #expect(!friends.contains(Fixture.hero(10).id))
            #expect(friends.contains(Fixture.hero(11).id))
        }
    }

    @Test(
        "the best party of a pack and week stays until another is better",
        arguments: StoreKind.allCases)
    func parties(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 4) { board in
            try await board.end("a", [1, 2], points: 100)
            try await board.end("b", [3], points: 100)
            try await board.end("c", [4], points: 40, pack: "night-watch")
            let first = WallTime(milliseconds: Board.season.start)
            try await board.end("d", [3, 4], points: 90, at: first)
            let records = try await board.store.partyBoard(of: Board.season, pack: nil)
            #expect(records.map(\.pack) == ["forest-quest", "night-watch", "forest-quest"])
            #expect(records.map(\.points) == [100, 40, 90])
            #expect(records[0].heroes.map(\.id) == [1, 2].map { Fixture.hero($0).id })
            let night = try await board.store.partyBoard(of: Board.season, pack: "night-watch")
            #expect(night.map(\.points) == [40])
            try await board.end("e", [4], points: 101)
            let newer = try await board.store.partyBoard(of: Board.season, pack: "forest-quest")
            #expect(newer.map(\.points) == [101, 90])
        }
    }

    @Test(
        "a new season begins empty, and the last one is kept until the next",
        arguments: StoreKind.allCases)
    func seasons(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 2) { board in
            try await board.end("a", [1, 2], points: 100)
            let next = Board.season.next
            try await board.end(
                "b", [1], points: 30, at: WallTime(milliseconds: next.start))
            #expect(try await board.top().map(\.points) == [100, 100])
            let newer = try await board.store.worldTop(of: next)
            #expect(newer.map(\.points) == [30])
            let oldest = Leaderboard.oldestSeason(at: WallTime(milliseconds: next.start))
            #expect(oldest == Board.season)
            #expect(try await board.forget(before: oldest) == 0)
            #expect(try await board.place().heroes == 2)
            // One row at a time: a bucket, a count, two sums, two results, a record of two heroes.
            #expect(try await board.forget(before: next) == 9)
            #expect(try await board.place().heroes == 0)
            let left = try await board.store.results(of: Board.player(1)).map(\.points)
            #expect(left == [30])
        }
    }

    @Test("an account that is deleted leaves the boards", arguments: StoreKind.allCases)
    func erasure(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 2) { board in
            try await board.end("a", [1, 2], points: 100)
            try await board.put(1)
            try await board.erase(1)
            #expect(try await board.place(of: 2).heroes == 1)
            let top = try await board.top()
            #expect(top.map(\.hero.id) == [Fixture.hero(2).id])
            #expect(top.map(\.rank) == [1])
            #expect(try await board.friends(of: 2) == [Fixture.hero(2).id])
            let records = try await board.store.partyBoard(of: Board.season, pack: nil)
            #expect(records.first?.heroes.map(\.id) == [Fixture.hero(2).id])
            #expect(try await board.store.widgets(of: Board.player(1)).isEmpty)
        }
    }

    @Test("a board goes on without a hero whose row is damaged", arguments: StoreKind.allCases)
    func damagedHero(kind: StoreKind) async throws {
        try await Board.withStore(kind, players: 3) { board in
            try await board.end("a", [1, 2], points: 100)
            try await board.end("b", [3], points: 50)
            try await board.spoil("UPDATE heroes SET crc = crc + 1 WHERE id = 'hero-2'")
            let top = try await board.top()
            #expect(top.map(\.hero.id) == [1, 3].map { Fixture.hero($0).id })
            #expect(top.map(\.rank) == [1, 3])
            #expect(try await board.friends(of: 1) == [Fixture.hero(1).id])
        }
    }

    @Test("the check of all rows finds a sum and a count that are not what the results say")
    func damage() async throws {
        try await Board.withStore(players: 2) { board in
            try await board.end("a", [1], points: 100)
            try await board.end("b", [2], points: 20)
            #expect(try await board.faults() == [])
            try await board.spoil("UPDATE standings SET points = 101 WHERE points = 100")
            #expect(try await board.faults() == ["standings", "standing_counts"])
            try await board.spoil("UPDATE standings SET points = 170 WHERE points = 101")
            #expect(
                try await board.faults()
                    == ["standings", "standing_buckets", "standing_counts"])
            try await board.spoil("UPDATE standings SET points = 100 WHERE points = 170")
            try await board.spoil("UPDATE results SET points = 36 WHERE points = 20")
            #expect(try await board.faults() == ["standings"])
        }
    }
}
