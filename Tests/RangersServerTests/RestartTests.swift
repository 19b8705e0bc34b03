import APNsClient
import HTTPServer
import PartyStore
import Playtest
import RangersServer
import Testing

@testable import PushPolicy

/// What a restart, a crash and a second server do to a story that is being told.
@Suite("Adventures survive a restart", .timeLimit(.minutes(2)), .simulated)
struct RestartTests {
    enum Stop: CaseIterable {
        case drained, crashed
    }

    /// A second server on the first one's file, with the time that the first one had reached.
    private func restart(_ stage: Stage, _ stop: Stop, apns: FakeAPNs) async throws -> Stage {
        if stop == .drained { await stage.server.server.drain() }
        let clock = VirtualClock(now: stage.server.clock.now.adding(seconds: 1))
        let server = try await TestServer(file: stage.server.file, clock: clock, apns: apns)
        return stage.moved(to: server)
    }

    @Test(
        "PR1, PR2: the story goes on after a restart, no event twice, none missing",
        arguments: Stop.allCases)
    func goesOn(stop: Stop) async throws {
        let first = try await Stage.make()
        try await first.start()
        #expect(await first.server.step(until: { first.apns.pushes.count > 5 }))
        let told = await first.events()
        let second = try await restart(first, stop, apns: FakeAPNs())
        #expect(await second.untilEnded())
        try await second.requireWholeStory()
        let whole = await second.events()
        #expect(whole.count > told.count)
        for (early, late) in zip(told, whole) {
            #expect(early["kind"].string == late["kind"].string)
            #expect(early["at"].number == late["at"].number)
        }
        await second.server.server.drain()
        if stop == .crashed { await first.server.server.drain() }
        let report = await Replay.report(file: first.server.file, party: nil)
        #expect(report.differences == [])
        #expect(report.events == whole.count)
    }

    @Test("PR3: the content is current after a restart", arguments: Stop.allCases)
    func cardIsCurrent(stop: Stop) async throws {
        let first = try await Stage.make()
        try await first.start()
        #expect(await first.server.step(until: { first.apns.pushes.count > 5 }))
        let second = try await restart(first, stop, apns: FakeAPNs())
        #expect(await second.untilEnded())
        let state = await second.panda.send(.get, "/v1/parties/\(second.party)")
        let card = state.body["heroes"][0]["card"]
        let shown = try #require(second.apns.pushes.last).aps["content-state"]
        #expect(shown["eventDescription"].string == card["eventDescription"].string)
        #expect(shown["currentHealthLevel"].number == card["currentHealthLevel"].number)
        let before = try #require(first.timestamps.last)
        #expect(!second.timestamps.isEmpty && second.timestamps.allSatisfy { $0 > before })
        await second.server.server.drain()
        if stop == .crashed { await first.server.server.drain() }
    }

    @Test("PR4: a push in flight at a crash goes again, newest state, larger timestamp")
    func inFlight() async throws {
        let first = try await Stage.make()
        first.apns.answer(.later)
        try await first.start()
        await first.apns.untilSent(1)
        let second = try await restart(first, .crashed, apns: FakeAPNs())
        await second.apns.untilSent(1)
        let before = try #require(first.timestamps.last)
        let after = try #require(second.timestamps.first)
        #expect(after > before)
        let state = await second.panda.send(.get, "/v1/parties/\(second.party)")
        let words = second.apns.pushes[0].aps["content-state"]["eventDescription"].string
        #expect(words == state.body["heroes"][0]["card"]["eventDescription"].string)
        await second.server.server.drain()
        await first.server.server.drain()
    }

    @Test("PR4: after a clean restart nothing that was accepted is sent again")
    func noDuplicates() async throws {
        let first = try await Stage.make()
        try await first.start()
        #expect(await first.server.step(until: { first.apns.pushes.count > 5 }))
        let second = try await restart(first, .drained, apns: FakeAPNs())
        #expect(await second.untilEnded())
        let names = (first.apns.pushes + second.apns.pushes).map(\.request.id)
        #expect(Set(names).count == names.count)
        await second.server.server.drain()
    }

    @Test("PR4: outcomes written before a crash are not repeated after it")
    func writtenOutcomes() async throws {
        let first = try await Stage.make(speed: 1000)
        try await first.start()
        #expect(await first.server.step(until: { await first.storeKnowsOfAcceptance() }))
        #expect(try await !first.store.outcomes().isEmpty)
        let second = try await restart(first, .crashed, apns: FakeAPNs())
        #expect(await second.server.step(until: { second.apns.pushes.count > 3 }))
        let names = (first.apns.pushes + second.apns.pushes).map(\.request.id)
        #expect(Set(names).count == names.count)
        // The party's own row holds them now: theirs are needless.
        let store = try await SQLiteStore.open(path: second.server.file)
        let old = try await first.store.outcomes().map(\.row)
        let left = try await store.outcomes().map(\.row)
        #expect(Set(left).isDisjoint(with: old) || old.isEmpty)
        await store.close()
        await second.server.server.drain()
        await first.server.server.drain()
    }

    @Test("PR4: without faults no content is sent twice")
    func noDuplicatesAtAll() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        #expect(await stage.untilEnded())
        let names = stage.apns.pushes.map(\.request.id)
        #expect(Set(names).count == names.count)
        await stage.server.server.drain()
    }

    @Test("PR4: an acceptance is in the store within 250 milliseconds")
    func acknowledgements() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        await stage.apns.untilSent(1)
        let start = stage.server.clock.now
        let isWritten = await stage.server.step(until: {
            await stage.storeKnowsOfAcceptance()
        })
        #expect(isWritten)
        #expect(stage.server.clock.now <= start.adding(milliseconds: 250))
        await stage.server.server.drain()
    }

    @Test("PR2, PR20: of two servers on one file the older writes nothing, and the newer continues")
    func takeover() async throws {
        let old = try await Stage.make()
        try await old.start()
        let new = try await restart(old, .crashed, apns: FakeAPNs())
        let written = old.store.written.count
        let refused = await old.panda.send(
            .post, "/v1/parties/\(old.party)/actions",
            #"{"hero":"\#(old.panda.hero)","action":"leave"}"#)
        #expect(refused.status == 503)
        #expect(refused.headers["retry-after"] != nil)
        old.server.clock.advance(to: old.server.clock.now.adding(seconds: 3600))
        await TestServer.until { await old.server.send(.get, "/readyz").status == 503 }
        #expect(old.store.written.count == written)
        #expect(await new.untilEnded())
        try await new.requireWholeStory()
        await old.server.server.drain()
        await new.server.server.drain()
        #expect(old.store.written.count == written)
        let report = await Replay.report(file: old.server.file, party: nil)
        #expect(report.differences == [])
    }

    @Test("PR2: requests that wait for a write when the file is taken over all get a response")
    func waitingAtTakeover() async throws {
        let old = try await Stage.make()
        let egghead = try await TestPlayer.make("Egghead", at: old.server)
        let party = await egghead.send(.post, "/v1/parties", #"{"hero":"\#(egghead.hero)"}"#)
        #expect(party.status == 201)
        old.store.hold()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for player in [old.panda, egghead] {
                for number in 1...4 {
                    group.addTask {
                        await player.watch("\(player.hero)-\(number)", token: nil).status
                    }
                }
            }
            await old.store.untilHolding()
            let new = try await restart(old, .crashed, apns: FakeAPNs())
            await new.server.server.drain()
            old.store.release()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 503, count: 8))
        await old.server.server.drain()
    }

    @Test("PR2: a server whose file was taken over is not ready")
    func takenOverIsNotReady() async throws {
        let old = try await Stage.make()
        try await old.start()
        let new = try await restart(old, .crashed, apns: FakeAPNs())
        _ = await old.panda.send(
            .post, "/v1/parties/\(old.party)/actions",
            #"{"hero":"\#(old.panda.hero)","action":"leave"}"#)
        #expect(await old.server.send(.get, "/readyz").status == 503)
        #expect(await new.server.send(.get, "/readyz").status == 200)
        await old.server.server.drain()
        await new.server.server.drain()
    }
}
