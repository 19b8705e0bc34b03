import APNsClient
import GameLogic
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// A store that is away, rows that are corrupt, parties that everybody wants at once.
@Suite("Faults of the store stay small", .timeLimit(.minutes(2)), .simulated)
struct StoreFaultTests {
    @Test("PR9: while the store refuses writes, the server is not ready for traffic")
    func readiness() async throws {
        let stage = try await Stage.make()
        #expect(await stage.server.send(.get, "/readyz").status == 200)
        stage.store.failWrites(.unavailable("the disk is full"))
        let answer = await stage.server.send(.get, "/readyz")
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"] != nil)
        stage.store.failWrites(nil)
        #expect(await stage.server.send(.get, "/readyz").status == 200)
        await stage.server.server.drain()
    }

    @Test("PR9: while the store is away players get 503 with Retry-After, and reads go on")
    func unavailable() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        stage.store.failWrites(.unavailable("the disk is full"))
        let attempts = [
            await stage.panda.watch("activity-2"),
            await stage.server.send(.post, "/v1/players"),
        ]
        for answer in attempts {
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "1")
        }
        #expect(await stage.panda.send(.get, "/v1/parties/\(stage.party)").status == 200)
        stage.store.failWrites(nil)
        await stage.server.server.drain()
    }

    @Test("PR9: a party that somebody has changed, and that does not read then, goes on by itself")
    func changedAndAway() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        #expect(await stage.server.step(until: { stage.apns.pushes.count > 3 }))
        stage.store.failWrites(.staleVersion(PartyID(stage.party)))
        stage.store.failReads(.unavailable("away"))
        await stage.server.step(forSeconds: 10)
        stage.store.failWrites(nil)
        stage.store.failReads(nil)
        // Nobody asks for it.
        let hasEnded = await stage.server.step {
            stage.apns.pushes.contains { $0.aps["event"].string == "end" }
        }
        #expect(hasEnded)
        try await stage.requireWholeStory()
        await stage.server.server.drain()
    }

    @Test("PR9: a party that a start has found needs no read of a request any more")
    func foundWhileRead() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        await stage.server.server.drain()
        // The request's read begins before all parties are found, and fails after.
        let (hasBegun, mayEnd) = (Locked(false), Locked(false))
        let made = Locked<FaultyStore?>(nil)
        let server = try await TestServer(
            file: stage.server.file, clock: stage.server.clock, apns: stage.apns,
            wrapping: { sqlite in
                let store = FaultyStore(sqlite)
                store.failReads(.unavailable("away"))
                store.beforeReading { party in
                    if party != nil { hasBegun.withLock { $0 = true } }
                    await TestServer.until { (party == nil ? hasBegun : mayEnd).withLock { $0 } }
                }
                made.withLock { $0 = store }
                return store
            })
        async let watched = stage.panda.moved(to: server).watch("activity-2")
        await TestServer.until { server.logged.withLock { $0.contains("the parties are loaded") } }
        #expect(await watched.status == 204)
        mayEnd.withLock { $0 = true }
        made.withLock { $0 }?.failReads(nil)
        // Nobody asks for it.
        let hasEnded = await server.step {
            stage.apns.pushes.contains { $0.aps["event"].string == "end" }
        }
        #expect(hasEnded)
        await server.server.drain()
    }

    @Test("PR9: ticks pause while the store is unavailable, and resume by themselves")
    func resumes() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        #expect(await stage.server.step(until: { stage.apns.pushes.count > 3 }))
        stage.store.failWrites(.unavailable("the disk is full"))
        let told = await stage.events().count
        let pushed = stage.apns.pushes.count
        for _ in 0..<40 { await stage.server.step() }
        #expect(await stage.events().count == told)
        #expect(stage.apns.pushes.count <= pushed + 1)
        stage.store.failWrites(nil)
        #expect(await stage.untilEnded())
        try await stage.requireWholeStory()
        await stage.server.server.drain()
        #expect(await Replay.report(file: stage.server.file, party: nil).differences == [])
    }

    private static let lost = StoreError.unavailable("the connection is gone")

    @Test("PR9: an adventure whose start was written, but not acknowledged, goes on by itself")
    func startInDoubt() async throws {
        let stage = try await Stage.make()
        stage.store.failAnswers(Self.lost)
        let answer = await stage.panda.send(.post, "/v1/parties/\(stage.party)/adventure")
        #expect(answer.status == 503)
        stage.store.failAnswers(nil)
        #expect(await stage.untilEnded())
        await stage.server.server.drain()
        #expect(await Replay.report(file: stage.server.file, party: nil).differences == [])
    }

    @Test(
        "PR9: a change that was written, but not acknowledged, is soon seen by all",
        arguments: [true, false])
    func joinInDoubt(isWatched: Bool) async throws {
        let stage = try await Stage.make()
        let leader =
            isWatched ? stage.panda : try await TestPlayer.make("Spouty", at: stage.server)
        let party = isWatched ? stage.party : try await leader.found().id
        let (path, egghead) = (
            "/v1/parties/\(party)", try await TestPlayer.make("Egghead", at: stage.server)
        )
        let code = await leader.send(.get, path).body["inviteCode"].string
        stage.store.failAnswers(Self.lost)
        #expect(await egghead.join(try #require(code)).status == 503)
        stage.store.failAnswers(nil)
        let failedAt = stage.server.clock.now
        let isSeen = await stage.server.step {
            let answer = await leader.send(.get, path)
            return answer.text.contains("Egghead")
        }
        #expect(isSeen)
        // The row is written again after a second: nobody waits for the party's next change.
        #expect(stage.server.clock.now <= failedAt.adding(seconds: 3))
        #expect(await egghead.send(.get, path).status == 200)
        await stage.server.server.drain()
    }

    @Test("PR9: a store that is away for an hour freezes no party")
    func awayForLong() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        stage.store.failWrites(.unavailable("the disk is full"))
        let back = stage.server.clock.now.adding(seconds: 3600)
        // Nobody moves the clock in smaller steps than the retry's second.
        for second in 1...3600 {
            stage.server.clock.advance(
                to: back.adding(seconds: Int64(second) - 3600))
            if second.isMultiple(of: 60) { await stage.server.clock.untilAsleep(4) }
        }
        stage.store.failWrites(nil)
        #expect(await stage.untilEnded())
        #expect(stage.server.metrics.value(.partiesFrozen) == 0)
        await stage.server.server.drain()
    }

    @Test("PR19: a corrupt party is frozen after five ticks, the others go on")
    func corrupt() async throws {
        let stage = try await Stage.make()
        let egghead = try await TestPlayer.make("Egghead", at: stage.server)
        let sick = try await egghead.found().id
        _ = await egghead.send(.post, "/v1/parties/\(sick)/adventure")
        stage.store.corrupt(PartyID(sick))
        try await stage.start()
        #expect(await stage.untilEnded())
        try await stage.requireWholeStory()
        #expect(await stage.server.step { stage.server.metrics.value(.partiesFrozen) == 1 })
        #expect(stage.server.metrics.value(.failedTicks) >= 5)
        let logged = stage.server.logged.withLock { $0 }
        #expect(logged.contains("the party is frozen"))
        let answer = await egghead.send(.get, "/v1/parties/\(sick)")
        #expect(answer.status == 503)
        let act = await egghead.send(
            .post, "/v1/parties/\(sick)/actions", #"{"hero":"\#(egghead.hero)","action":"leave"}"#)
        #expect(act.status == 503)
        await stage.server.server.drain()
    }

    @Test("PR10, PR19: a damaged row in the file is reported, and freezes only its party")
    func damagedFile() async throws {
        let stage = try await Stage.make()
        let sick = try await TestPlayer.make("Zick Panda", at: stage.server)
        let party = try await sick.found().id
        _ = await sick.send(.post, "/v1/parties/\(party)/adventure")
        try await stage.start()
        await stage.server.server.drain()
        let file = stage.server.file
        let count = try FileBytes.replace("Zick Panda", with: "Sick Panda", in: file)
        #expect(count > 0)
        let back = try await TestServer(
            file: file, clock: VirtualClock(now: stage.server.clock.now))
        let moved = stage.moved(to: back)
        #expect(await moved.untilEnded())
        try await moved.requireWholeStory()
        let answer = await back.send(.get, "/v1/parties/\(party)", as: sick.token)
        #expect(answer.status == 503)
        #expect(back.logged.withLock { $0 }.contains("a party's row is corrupt"))
        await back.server.drain()
    }

    @Test("PR10, PR19: parties that a start finds damaged count as frozen, on every loop")
    func damagedParties() async throws {
        let stage = try await Stage.make()
        for number in 1...4 {
            let sick = try await TestPlayer.make("Zick Panda \(number)", at: stage.server)
            let party = try await sick.found().id
            _ = await sick.send(.post, "/v1/parties/\(party)/adventure")
        }
        await stage.server.server.drain()
        let file = stage.server.file
        #expect(try FileBytes.replace("Zick Panda", with: "Sick Panda", in: file) > 0)
        let back = try await TestServer(
            file: file, clock: VirtualClock(now: stage.server.clock.now), loops: 2)
        #expect(await back.step(until: { back.metrics.value(.partiesFrozen) == 4 }))
        #expect(back.logged.withLock { $0 }.contains("the party is frozen"))
        await back.server.drain()
    }

    @Test("L11: a put that waited behind the report of a dismissal does not undo it")
    func lateReport() async throws {
        let stage = try await Stage.make()
        stage.store.hold()
        let reads = stage.store.activityReads
        async let report = stage.panda.send(
            .post, "/v1/activities/activity-1/state", #"{"state":"dismissed"}"#)
        await stage.store.untilHolding()
        async let put = stage.panda.watch("activity-1", token: "ef01")
        await TestServer.until { stage.store.activityReads == reads + 2 }
        stage.store.release()
        #expect(await report.status == 204)
        #expect(await put.status == 409)
        let stored = try await stage.store.activity(ActivityID("activity-1"))
        #expect(stored?.state == .dismissed)
        await stage.server.server.drain()
    }

    @Test("PR19: a frozen party is not written any more, even when its row reads well again")
    func staysFrozen() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        stage.store.corrupt(PartyID(stage.party))
        let isFrozen = await stage.server.step(until: {
            stage.server.metrics.value(.partiesFrozen) == 1
        })
        #expect(isFrozen)
        stage.store.repair(PartyID(stage.party))
        let written = stage.store.written.count
        #expect(await stage.panda.watch("activity-2").status == 503)
        #expect(stage.store.written.count == written)
        await stage.server.server.drain()
    }

    @Test("of too many changes of one party at once the last ones get 503, the others are made")
    func busy() async throws {
        let stage = try await Stage.make()
        stage.store.hold()
        let extra = 10
        let answers = await withTaskGroup(of: TestServer.Answer.self) { group in
            group.addTask { await stage.panda.watch("activity-1", token: "00ff") }
            await stage.store.untilHolding()
            for number in 0..<(Shard.waitingMax + extra) {
                group.addTask {
                    await stage.panda.watch("activity-1", token: String(1000 + number))
                }
            }
            var answers: [TestServer.Answer] = []
            // The refused ones answer while the others still wait for their turn.
            for _ in 0..<extra {
                if let answer = await group.next() { answers.append(answer) }
            }
            #expect(answers.allSatisfy { $0.status == 503 })
            #expect(answers.allSatisfy { $0.headers["retry-after"] == "1" })
            stage.store.release()
            for await answer in group { answers.append(answer) }
            return answers
        }
        #expect(answers.count { $0.status == 503 } == extra)
        #expect(answers.count { $0.status == 204 } == Shard.waitingMax + 1)
        await stage.server.server.drain()
    }

    @Test("PR19: requests that the store refuses freeze no party")
    func refusalsAreNoFault() async throws {
        let stage = try await Stage.make()
        let egghead = try await TestPlayer.make("Egghead", at: stage.server)
        let own = await egghead.send(.post, "/v1/parties", #"{"hero":"\#(egghead.hero)"}"#)
        #expect(own.status == 201)
        let party = await stage.panda.send(.get, "/v1/parties/\(stage.party)")
        let code = try #require(party.body["inviteCode"].string)
        for _ in 0..<(2 * PartyFailures.countMax) {
            #expect(await egghead.join(code).status == 409)
        }
        #expect(stage.server.metrics.value(.failedTicks) == 0)
        #expect(await stage.panda.watch("activity-1", token: "00ff").status == 204)
        await stage.server.server.drain()
    }

    @Test("PR19: a party that refuses requests because too many wait is not frozen for it")
    func busyIsNoFault() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        stage.store.hold()
        let refused = 2 * PartyFailures.countMax
        let statuses = await withTaskGroup(of: Int.self) { group in
            group.addTask { await stage.panda.watch("activity-1", token: "00ff").status }
            await stage.store.untilHolding()
            for number in 0..<(Shard.waitingMax + refused) {
                group.addTask {
                    await stage.panda.watch("activity-1", token: String(1000 + number)).status
                }
            }
            // While the store holds the first, only refused requests get a response.
            var statuses: [Int] = []
            while statuses.count < refused, let status = await group.next() {
                statuses.append(status)
            }
            stage.store.release()
            return await group.reduce(into: statuses) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 503 } == refused)
        #expect(statuses.count { $0 == 204 } == Shard.waitingMax + 1)
        #expect(await stage.untilEnded())
        #expect(stage.server.metrics.value(.failedTicks) == 0)
        await stage.server.server.drain()
    }

    /// A party in life's own time, so that nothing else happens to it, with one push in flight.
    private func onePushSent() async throws -> Stage {
        let stage = try await Stage.make(speed: 1000)
        stage.apns.answer(.later)
        try await stage.start()
        await stage.apns.untilSent(1)
        return stage
    }

    private func acceptPush(at stage: Stage) async {
        stage.apns.release(.accepted(apnsUniqueID: nil))
        await TestServer.until { stage.server.metrics.value(.pushesInFlight) == 0 }
    }

    @Test(
        "PR4: an acceptance that arrives while the store is unavailable is written once it is back")
    func lateAcknowledgement() async throws {
        let stage = try await onePushSent()
        stage.store.failWrites(.unavailable("the disk is full"))
        await acceptPush(at: stage)
        for _ in 0..<4 { await stage.server.step() }
        #expect(await !stage.storeKnowsOfAcceptance())
        stage.store.failWrites(nil)
        #expect(await stage.isAcceptanceWrittenAlone())
        await stage.server.server.drain()
    }

    @Test("PR4: an outcome that arrives while its party is being written is not lost")
    func outcomeDuringCommit() async throws {
        let stage = try await onePushSent()
        stage.store.hold()
        async let put = stage.panda.watch("activity-2", token: nil)
        await stage.store.untilHolding()
        await acceptPush(at: stage)
        stage.store.release()
        #expect(await put.status == 204)
        #expect(await stage.isAcceptanceWrittenAlone())
        await stage.server.server.drain()
    }
}
