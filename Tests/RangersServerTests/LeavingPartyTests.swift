import APNsClient
import GameLogic
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// What a server still does for a party whose shard goes to another node.
@Suite("Parties that leave", .timeLimit(.minutes(2)), .simulated)
struct LeavingPartyTests {
    /// A party of two whose first push is in flight; the second member has a phone that can be
    /// started.
    private func stage() async throws -> Stage {
        let stage = try await Stage.make()
        let egghead = try await TestPlayer.make("Egghead", at: stage.server)
        #expect(await egghead.offer("phone", token: "bb").status == 204)
        let state = await stage.panda.send(.get, "/v1/parties/\(stage.party)")
        let code = try #require(state.body["inviteCode"].string)
        stage.apns.answer(.later)
        #expect(await egghead.join(code).status == 200)
        await stage.apns.untilSent(1)
        return stage
    }

    /// Lets all parties leave, after the loops have taken what has arrived. They are leaving when
    /// this returns.
    private func leave(_ server: Server) async -> Task<Void, Never> {
        let loops = server.game.shards.all
        for loop in loops { await loop.takeMail() }
        // The callers wait for it. An actor's executor is a queue.
        let leaving = Task.immediate {
            for loop in loops { await loop.release(Set(0..<PartyShard.count)) }
        }
        _ = await server.game.shards.frozenParties()
        return leaving
    }

    private func partiesInMemory(_ stage: Stage) -> Double {
        stage.server.metrics.value(.partiesInMemory, labels: "loop=\"0\"")
    }

    @Test("a party that leaves notes what APNs has accepted; what is due its next owner sends")
    func due() async throws {
        let stage = try await stage()
        try await stage.start()
        let sent = stage.apns.pushes.count
        stage.store.hold()
        async let renewed = stage.panda.send(
            .post, "/v1/parties/\(stage.party)/code", #"{"rotate":true}"#)
        await stage.store.untilHolding()
        // Both come while the writer has the party: an outcome, and the time of many events.
        stage.apns.release(.accepted(apnsUniqueID: nil))
        stage.server.clock.advance(to: stage.server.clock.now.adding(seconds: 50))
        let leaving = await leave(stage.server.server)
        stage.store.release()
        await leaving.value
        #expect(await renewed.status == 200)
        #expect(stage.apns.pushes.count == sent)
        let stored = try #require(try await stage.store.party(PartyID(stage.party)))
        let outboxes = stored.activities.compactMap(\.outbox)
        #expect(outboxes.contains { $0.snapshot.accepted != nil })
        #expect(!outboxes.contains { $0.isInFlight })
        let now = stage.server.clock.now
        #expect(try #require(stored.pushDueAt(now: now)) <= now)
        #expect(partiesInMemory(stage) == 0)
        await stage.server.server.drain()
    }

    @Test("a party that leaves while the store is away is written once it is back")
    func storeAway() async throws {
        let stage = try await stage()
        stage.store.hold()
        async let renewed = stage.panda.send(
            .post, "/v1/parties/\(stage.party)/code", #"{"rotate":true}"#)
        await stage.store.untilHolding()
        stage.apns.release(.accepted(apnsUniqueID: nil))
        stage.store.failWrites(.unavailable("away"))
        let leaving = await leave(stage.server.server)
        stage.store.release()
        #expect(await renewed.status == 503)
        stage.store.failWrites(nil)
        #expect(await stage.server.step { partiesInMemory(stage) == 0 })
        await leaving.value
        let stored = try #require(try await stage.store.party(PartyID(stage.party)))
        #expect(stored.activities.contains { $0.outbox?.snapshot.accepted != nil })
        await stage.server.server.drain()
    }

    @Test("a party that leaves while a change reads devices makes the change first")
    func readingDevices() async throws {
        let stage = try await stage()
        let (hasBegun, mayEnd) = (Locked(false), Locked(false))
        stage.store.beforeReading { party in
            guard party == nil else { return }
            hasBegun.withLock { $0 = true }
            await TestServer.until { mayEnd.withLock { $0 } }
        }
        async let begun = stage.panda.send(.post, "/v1/parties/\(stage.party)/adventure")
        await TestServer.until { hasBegun.withLock { $0 } }
        stage.apns.release(.accepted(apnsUniqueID: nil))
        let leaving = await leave(stage.server.server)
        mayEnd.withLock { $0 = true }
        await leaving.value
        #expect(await begun.status == 201)
        let stored = try #require(try await stage.store.party(PartyID(stage.party)))
        #expect(stored.party.isOnAdventure)
        #expect(stored.activities.contains { $0.outbox?.snapshot.accepted != nil })
        // What comes with the start that the second phone gets is no push of the party's.
        #expect(!stored.activities.contains { $0.outbox?.isInFlight == true })
        #expect(partiesInMemory(stage) == 0)
        await stage.server.server.drain()
    }
}
