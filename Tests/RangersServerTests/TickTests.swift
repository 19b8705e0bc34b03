import APNsClient
import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// One tick from end to end, as a guide to the parts that it passes through.
@Suite("One tick, from a due party to the outcome of its push", .timeLimit(.minutes(1)), .simulated)
struct TickTests {
    @Test("a due party is advanced, written, pushed and settled, in this order")
    func endToEnd() async throws {
        let stage = try await Stage.make(speed: 1000)
        try await stage.start()
        // The push of the beginning stays in flight for as long as nobody answers it.
        #expect(await stage.server.step(until: { !stage.apns.pushes.isEmpty }))
        let clock = stage.server.clock
        let before = try #require(await stage.store.party(PartyID(stage.party)))
        let due = try #require(before.adventureDueAt)

        // 1. The timer. The shard sleeps until the slot in which the party is due.
        await stage.server.untilAsleep()
        let wakesAt = try #require(clock.nextSleeper)
        #expect(wakesAt.milliseconds < due.milliseconds + Shard.slotMilliseconds)

        // 2. The writer has the batch: nobody has heard of it.
        stage.store.hold()
        stage.apns.answer(.later)
        let pushed = stage.apns.pushes.count
        while clock.now < due { clock.advance(to: min(due, try #require(clock.nextSleeper))) }
        clock.advance(to: due.adding(milliseconds: Shard.slotMilliseconds))
        await stage.store.untilHolding()
        #expect(stage.apns.pushes.count == pushed)
        #expect(try await stage.store.party(PartyID(stage.party))?.version == before.version)

        // 3. The commit: row and journal in one transaction. Then readers and phones hear of it.
        stage.store.release()
        await stage.apns.untilSent(pushed + 1)
        let after = try #require(await stage.store.party(PartyID(stage.party)))
        #expect(after.version == before.version + 1)
        #expect(after.party.nextSequence > before.party.nextSequence)
        let read = await stage.panda.send(.get, "/v1/parties/\(stage.party)")
        #expect(read.body["version"].number == Double(after.version))
        let outbox = try #require(after.activities.first?.outbox)
        #expect(outbox.isInFlight)

        // 4. The outcome: settled in memory, and written within 250 ms.
        stage.apns.release(.accepted(apnsUniqueID: nil))
        #expect(await stage.server.step(until: { await stage.storeKnowsOfAcceptance() }))
        await stage.server.server.drain()
        #expect(await Replay.report(file: stage.server.file, party: nil).differences == [])
    }

    @Test("a tick does not wait for changes that wait for other nodes, however many these are")
    func beside() async throws {
        let stage = try await Stage.make(speed: 1000)
        try await stage.start()
        #expect(await stage.server.step(until: { !stage.apns.pushes.isEmpty }))
        let party = PartyID(stage.party)
        let before = try #require(await stage.store.party(party))
        let due = try #require(before.adventureDueAt)
        let founders = try await withThrowingTaskGroup(of: TestPlayer.self) { group in
            for number in 0..<200 {
                group.addTask { try await TestPlayer.make("Hero \(number)", at: stage.server) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        await stage.server.untilAsleep()

        stage.store.hold(.shared)
        let founding = Task {
            await withTaskGroup(of: Int.self) { group in
                for founder in founders {
                    let body = #"{"hero":"\#(founder.hero)"}"#
                    group.addTask { await founder.send(.post, "/v1/parties", body).status }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        await stage.store.untilHolding()
        stage.server.clock.advance(to: due.adding(milliseconds: Shard.slotMilliseconds))
        await TestServer.until {
            (try? await stage.store.party(party)).map { $0.version > before.version } ?? false
        }

        stage.store.release()
        #expect(await founding.value == Array(repeating: 201, count: founders.count))
        await stage.server.server.drain()
        #expect(await Replay.report(file: stage.server.file, party: nil).differences == [])
    }

    @Test("players do not wait for changes that only one node makes at a time")
    func turns() async throws {
        let stage = try await Stage.make()
        var parties: [String] = []
        for number in 0..<5 {
            let founder = try await TestPlayer.make("Hero \(number)", at: stage.server)
            let party = try await founder.found().id
            #expect(await founder.send(.post, "/v1/parties/\(party)/adventure").status == 201)
            parties.append(party)
        }
        await stage.server.untilAsleep()
        stage.store.hold(.turns)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for (number, party) in parties.enumerated() {
                let path = "/v1/admin/parties/\(party)/storm"
                group.addTask {
                    await stage.server.admin(.post, path).status
                }
                await TestServer.until { stage.store.heldCount > number }
            }
            let player = try await TestPlayer.make("Panda", at: stage.server)
            #expect(try await player.found().id.isEmpty == false)
            stage.store.release()
            for try await status in group { #expect(status == 200) }
        }
        await stage.server.server.drain()
    }
}
