import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import RangersServer
import Testing

@Suite("The clock of several servers' database", .timeLimit(.minutes(3)), .serialized)
struct NodeClockTests {
    /// How far the servers' clocks may drift apart, in milliseconds: while one waits for the database
    /// its clock is stepped on.
    private static let driftMax: Int64 = 600_000

    @Test(
        "PR20: a step of the database's clock removes no node that lives",
        arguments: [-3600, -10, 10, 3600] as [Int64])
    func step(seconds: Int64) async throws {
        let nodes = try await TwoNodes.make()
        await nodes.one.step(forSeconds: 7)
        try await nodes.setDatabaseClock(to: VirtualClock().now.adding(seconds: seconds))
        await nodes.one.step(forSeconds: 4)
        try #require(try await nodes.query("SELECT count(*) FROM node") == "2\n")
        await nodes.two.step(forSeconds: 3)
        await nodes.one.step(forSeconds: 10)
        #expect(try await nodes.query("SELECT count(*) FROM node") == "2\n")
        #expect(nodes.one.metrics.value(.shardsOwned) == 2048)
        try await nodes.end()
    }

    @Test("PR20: a node that died before the database's clock was set back is replaced soon")
    func setBack() async throws {
        let nodes = try await TwoNodes.make()
        let one = nodes.one
        await one.step(forSeconds: 7)
        for seconds in [0, 3, 6, 9] as [Int64] {
            try await nodes.setDatabaseClock(to: VirtualClock().now.adding(seconds: seconds - 3600))
            await one.step(forSeconds: 3)
        }
        await TestServer.until { one.metrics.value(.shardsOwned) == 4096 }
        try await nodes.end()
    }

    @Test("a server starts soon after one that died before the database's clock was set back")
    func startAfterSetBack() async throws {
        let nodes = try await TwoNodes.make()
        let clock = VirtualClock()
        try await nodes.query("UPDATE node SET until = until + 86400000, address = ''")
        async let starting = nodes.another("three", clock: clock)
        for seconds in [0, 3, 6, 9] as [Int64] {
            await clock.untilAsleep(1)
            try await nodes.setDatabaseClock(to: VirtualClock().now.adding(seconds: seconds))
            clock.advance(to: clock.now.adding(seconds: 1))
        }
        let three = try await starting
        #expect(await three.step { three.metrics.value(.shardsOwned) == 4096 })
        await three.leave()
        for server in [nodes.one, nodes.two] {
            server.clock.advance(to: server.clock.now.adding(seconds: 3))
            await server.server.untilReplaced()
        }
        try await nodes.end()
    }

    @Test(
        "PR20: a node that joins after a step of the database's clock has the time of the others",
        arguments: [-3600, 3600] as [Int64])
    func joinAfterStep(step: Int64) async throws {
        let nodes = try await TwoNodes.make()
        let panda = try await TestPlayer.make("Panda", at: nodes.one)
        let party = try await panda.found().id
        #expect(await panda.watch("activity-1").status == 204)
        let (one, two) = (nodes.one, nodes.two)
        // Both see the step, and store what it means for their time.
        try await nodes.setDatabaseClock(to: one.clock.now.adding(seconds: step))
        for _ in 1...5 {
            for server in [one, two] { await server.step(forSeconds: 3) }
        }
        try await nodes.setDatabaseClock(to: one.clock.now.adding(seconds: step))
        for server in [one, two] { await server.step(forSeconds: 3) }
        #expect(await panda.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        // The time that they have stored is not after it.
        try await nodes.setDatabaseClock(
            to: max(one.clock.now, two.clock.now).adding(seconds: step))
        let three = try await nodes.another("three")
        await three.step(forSeconds: 7)
        #expect(try await nodes.storedDifference() < Self.driftMax)
        try await nodes.query("UPDATE node SET until = 0 WHERE name <> 'three'")
        try #require(await three.step { three.metrics.value(.shardsOwned) == 4096 })
        let end = three.clock.now.adding(milliseconds: Self.driftMax)
        let moved = panda.moved(to: three)
        let isOver = await three.step {
            await moved.send(.get, "/v1/parties/\(party)").body["adventure"]["phase"].string
                == "over"
        }
        #expect(isOver)
        #expect(three.clock.now < end)
        for server in [one, two] {
            server.clock.advance(to: server.clock.now.adding(seconds: 3))
            await server.server.untilReplaced()
        }
        await three.leave()
        try await nodes.end()
    }

    @Test("PR12: a node that joins waits until running ones have stored their time")
    func joinBeforeTimeIsStored() async throws {
        let nodes = try await TwoNodes.make()
        // No time was stored for hours.
        let later = VirtualClock().now.adding(seconds: 5 * 3600)
        try await nodes.setDatabaseClock(to: later)
        try await nodes.query("UPDATE node SET until = \(later.milliseconds + 6000)")
        let clock = VirtualClock()
        async let starting = nodes.another("three", clock: clock)
        await clock.untilAsleep(1)
        // It has guessed nothing.
        #expect(try await nodes.storedDifference() < Self.driftMax)
        for _ in 1...5 {
            for server in [nodes.one, nodes.two] { await server.step(forSeconds: 3) }
        }
        try await nodes.setDatabaseClock(to: later.adding(seconds: 5))
        clock.advance(to: clock.now.adding(seconds: 1))
        let three = try await starting
        #expect(try await nodes.storedDifference() < Self.driftMax)
        await three.leave()
        try await nodes.end()
    }

    @Test("a node whose wall clock differs from the database's says so once a minute")
    func clockAlarm() async throws {
        let nodes = try await TwoNodes.make()
        let alarm = "the clock of this node differs from the database's"
        func count() -> Int { nodes.one.logged.withLock { $0.ranges(of: alarm).count } }
        let before = count()
        #expect(await nodes.one.step { count() > before })
        await nodes.one.step(forSeconds: 50)
        #expect(count() == before + 1)
        #expect(nodes.one.metrics.value(.nodeClockDifference) > 2)
        try await nodes.end()
    }
}
