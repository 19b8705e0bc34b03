import GameLogic
import HTTPServer
import PartyStore
import Testing

@testable import RangersServer

@Suite("C3: the world boss of a server", .timeLimit(.minutes(2)), .simulated)
struct WorldBossServerTests {
    typealias Pair = FormerMemberTests.Pair
    private static let path = "/v1/admin/world"

    private static func open(
        _ pair: Pair, _ body: String = #"{"heroShifts":1}"#
    ) async throws {
        let opened = await pair.server.admin(.post, path, body)
        try #require(opened.status == 201, "\(opened.text)")
        let isOpen = await pair.server.step { await status(pair) == "open" }
        try #require(isOpen)
    }

    private static func status(_ pair: Pair) async -> String? {
        await pair.panda.send(.get, "/v1/world").body["status"].string
    }

    private static func start(_ pair: Pair) async -> TestServer.Answer {
        await pair.panda.send(
            .post, pair.path + "/adventure", #"{"pack":"kraken-tide","difficulty":"gentle"}"#)
    }

    private static func crystals(of player: TestPlayer) async -> Double? {
        await player.send(.get, "/v1/heroes/\(player.hero)/bag").body["gear"]["crystal"].number
    }

    private static func exp(of player: TestPlayer) async -> Double? {
        await player.send(.get, "/v1/heroes").body["heroes"].array
            .first { $0["id"].string == player.hero }?["exp"].number
    }

    @Test(
        "parties take the pool away; when it is empty all shifts are won, and heroes get a crystal")
    func fallen() async throws {
        let pair = try await Pair.make()
        try await Self.open(pair)
        let shown = await pair.panda.send(.get, "/v1/world").body
        #expect(shown["percent"].number == 100)
        #expect(shown["title"].string == "Kraken Tide")
        #expect(shown["heroes"].array.compactMap { $0["shiftsLeft"].number } == [3])
        #expect(await Self.start(pair).status == 201)
        let isWon = await pair.server.step {
            let party = await pair.panda.send(.get, pair.path).body
            return party["adventure"]["outcome"].string == "worldBossDefeated"
        }
        #expect(isWon)
        let events = await pair.panda.send(.get, pair.path + "?after=0").body["events"].array
        #expect(events.contains { $0["kind"].string == "worldHit" })
        let won = events.last { $0["kind"].string == "worldBossDefeated" }?["description"].string
        #expect(Sentences.of("kraken-tide/1.arm.world-0").contains(won ?? ""))
        await pair.server.step(forSeconds: 70)
        // One for each hero, plus those found on the way by either hero.
        let found = events.count {
            $0["kind"].string == "rareLootFound"
                && $0["description"].string?.contains("a crystal") == true
        }
        let (first, second) = (
            await Self.crystals(of: pair.panda), await Self.crystals(of: pair.egghead)
        )
        #expect([first, second].compactMap(\.self).reduce(0, +) == Double(2 + found))
        #expect(first ?? 0 >= 1 && second ?? 0 >= 1, "\(String(describing: (first, second)))")
        let over = await pair.panda.send(.get, "/v1/world").body
        #expect(over["status"].string == "fallen")
        #expect(over["percent"].number == 0)
        #expect(over["heroes"].array.compactMap { $0["shiftsLeft"].number } == [0])
        #expect(await Self.start(pair).status == 409)
        await pair.server.server.drain()
        #expect(await Replay.report(file: pair.server.file, party: nil).differences == [])
    }

    @Test("a boss that survives the last round leaves a third of the experience")
    func survived() async throws {
        let pair = try await Pair.make()
        try await Self.open(pair, #"{"heroShifts":100000,"roundMinutes":5}"#)
        #expect(await Self.start(pair).status == 201)
        _ = await pair.server.step {
            let party = await pair.panda.send(.get, pair.path).body
            return party["adventure"]["phase"].string == "over"
        }
        let before = try #require(await Self.exp(of: pair.panda))
        #expect(await pair.server.step { await Self.status(pair) == "survived" })
        #expect(await pair.server.step { await Self.exp(of: pair.panda) == before + 100 })
        #expect(await Self.crystals(of: pair.panda) == 0)
        #expect(await Self.start(pair).status == 409)
        await pair.server.server.drain()
        #expect(await Replay.report(file: pair.server.file, party: nil).differences == [])
    }

    @Test("a restart tells the shifts and gives the rewards that a stop has left")
    func restart() async throws {
        let pair = try await Pair.make()
        try await Self.open(pair)
        #expect(await Self.start(pair).status == 201)
        _ = await pair.server.step {
            await pair.panda.send(.get, "/v1/world").body["percent"].number == 0
        }
        let file = pair.server.file
        await pair.server.server.drain()
        let next = try await TestServer(file: file, clock: pair.server.clock)
        let panda = pair.panda.moved(to: next)
        #expect(await next.step { await Self.crystals(of: panda) == 1 })
        await next.step(forSeconds: 5)
        #expect(await Self.crystals(of: panda) == 1)
        let over = await panda.send(.get, pair.path).body
        #expect(over["adventure"]["outcome"].string == "worldBossDefeated")
        await next.server.drain()
        #expect(await Replay.report(file: file, party: nil).differences == [])
    }

    @Test("a hero plays three shifts in a round")
    func three() async throws {
        let pair = try await Pair.make()
        try await Self.open(pair, #"{"heroShifts":100000}"#)
        for number in 1...4 {
            let begun = await Self.start(pair)
            #expect(begun.status == (number < 4 ? 201 : 409), "\(begun.text)")
            if number == 4 {
                #expect(begun.body["detail"].string?.contains("3 shifts") == true)
            } else {
                try await pair.end()
            }
        }
        // The refusal has changed nothing: the party plays what it likes.
        #expect(await pair.panda.send(.post, pair.path + "/adventure").status == 201)
        await pair.server.server.drain()
    }

    @Test("200 starts at once begin one shift, and count one")
    func startsAtOnce() async throws {
        let pair = try await Pair.make(speed: 1000)
        try await Self.open(pair, #"{"heroShifts":100000}"#)
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { await Self.start(pair).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count == 200)
        #expect(statuses.count { $0 == 201 } == 1)
        // Those that found the party busy may be sent again.
        #expect(statuses.count { [409, 503].contains($0) } == 199, "\(Set(statuses))")
        for player in [pair.panda, pair.egghead] {
            let left = await player.send(.get, "/v1/world").body["heroes"].array
            #expect(left.compactMap { $0["shiftsLeft"].number } == [2])
        }
        await pair.server.server.drain()
    }

    @Test("a director opens one event at a time, and closes it; the audit log has both")
    func director() async throws {
        let pair = try await Pair.make()
        #expect(await pair.panda.send(.get, "/v1/world").status == 404)
        #expect(await Self.start(pair).status == 409)
        for body in [
            #"{"heroShifts":0}"#, #"{"heroShifts":1,"rounds":5}"#,
            #"{"heroShifts":1,"roundMinutes":361}"#, #"{"heroShifts":1,"breakMinutes":-1}"#,
            #"{"heroShifts":1,"startsAt":1}"#, "{}",
        ] {
            #expect(await pair.server.admin(.post, Self.path, body).status == 400, "\(body)")
        }
        let forest = await pair.server.admin(
            .post, Self.path, #"{"heroShifts":1,"pack":"forest-quest"}"#)
        #expect(forest.status == 404)
        try await Self.open(
            pair, #"{"heroShifts":10,"rounds":4,"roundMinutes":5,"breakMinutes":1}"#)
        let again = await pair.server.admin(.post, Self.path, #"{"heroShifts":1}"#)
        #expect(again.status == 409)
        let events = await pair.server.admin(.get, Self.path).body["events"].array
        #expect(events.compactMap { $0["pool"].number } == [12_000])
        #expect(await pair.server.admin(.delete, Self.path + "/1").status == 204)
        #expect(await pair.server.admin(.delete, Self.path + "/1").status == 409)
        #expect(await pair.server.admin(.delete, Self.path + "/2").status == 404)
        #expect(await Self.status(pair) == "closed")
        let audit = await pair.server.admin(.get, "/v1/admin/audit")
        #expect(audit.text.contains("POST /v1/admin/world"))
        #expect(audit.text.contains("DELETE /v1/admin/world/{event}"))
        await pair.server.server.drain()
    }
}
