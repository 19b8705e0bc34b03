import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("Letters to other parties, on one server", .timeLimit(.minutes(2)))
struct InboxTests {
    /// A player with the activity "gone" on a phone.
    private static func stage() async throws -> Stage {
        let stage = try await Stage.make()
        #expect(await stage.panda.watch("gone", device: "phone").status == 204)
        return stage
    }

    /// Tells the party that the phone has the activity no longer.
    private static func dismiss(_ stage: Stage) async throws {
        let letter = PartyLetter(
            to: PartyID(stage.party), ActivityID("gone"), .isInState(.dismissed), number: 1)
        try await stage.server.server.game.shards.send([letter])
    }

    private static func state(_ stage: Stage) async -> String? {
        await stage.panda.send(.get, "/v1/activities/gone").body["state"].string
    }

    private static func letters(_ stage: Stage) async throws -> Int {
        try await stage.store.letters(of: Epoch(number: 0), limit: 9).count
    }

    @Test(
        "PR1: a letter that a killed server has not delivered, the next one delivers at its start")
    func killed() async throws {
        let first = try await Self.stage()
        // Parties cannot be written, letters can.
        first.store.failWrites(.unavailable("the disk is full"))
        try await Self.dismiss(first)
        #expect(try await Self.letters(first) == 1)
        let clock = VirtualClock(now: first.server.clock.now.adding(seconds: 1))
        let server = try await TestServer(file: first.server.file, clock: clock)
        let second = first.moved(to: server)
        await TestServer.until { await Self.state(second) == "dismissed" }
        #expect(try await Self.letters(first) == 0)
        await server.server.drain()
        await first.server.server.drain()
    }

    @Test("a letter whose commit has no answer is carried out once, and the party goes on")
    func withoutAnswer() async throws {
        let stage = try await Self.stage()
        stage.store.failAnswers(.unavailable("the answer is lost"))
        try await Self.dismiss(stage)
        #expect(try await Self.letters(stage) == 0)
        stage.store.failAnswers(nil)
        await stage.server.step(forSeconds: 3)
        #expect(await Self.state(stage) == "dismissed")
        let frozen = await stage.server.admin(.get, "/v1/admin/frozen-parties")
        #expect(frozen.body["parties"].array.count == 0)
        #expect(await stage.panda.watch("new", device: "phone").status == 204)
        await stage.server.server.drain()
    }

    @Test("a letter waits while its party cannot be written, and is carried out when it can")
    func waits() async throws {
        let stage = try await Self.stage()
        stage.store.failWrites(.unavailable("the disk is full"))
        try await Self.dismiss(stage)
        await stage.server.step(forSeconds: 10)
        #expect(await Self.state(stage) == "active")
        stage.store.failWrites(nil)
        #expect(await stage.server.step { await Self.state(stage) == "dismissed" })
        #expect(try await Self.letters(stage) == 0)
        await stage.server.server.drain()
    }

    @Test("a party without scheduled work is read for its letter, and leaves memory again")
    func asleep() async throws {
        let stage = try await Self.stage()
        await stage.server.step(forSeconds: 10)
        let reads = stage.store.partyReads
        try await Self.dismiss(stage)
        #expect(await Self.state(stage) == "dismissed")
        #expect(stage.store.partyReads > reads)
        await stage.server.server.drain()
    }
}
