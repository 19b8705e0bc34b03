import GameLogic
import HTTPServer
import Playtest
import PushPolicy
import RangersServer
import Testing

@testable import PartyStore

/// PR10, PR19: frozen parties are shown, repaired and given up while the server runs.
@Suite("Frozen parties", .timeLimit(.minutes(2)), .simulated)
struct FrozenPartyTests {
    private static let path = "/v1/admin/frozen-parties"

    /// A server that starts on a file in which the party's row has been changed by `sql`, in the
    /// middle of an adventure.
    private func damaged(by sql: String) async throws -> Stage {
        let stage = try await Stage.make()
        try await stage.start()
        #expect(await stage.server.step(until: { stage.apns.pushes.count > 3 }))
        await stage.server.server.drain()
        try Database(path: stage.server.file, access: .readWrite).execute(sql)
        let back = try await TestServer(
            file: stage.server.file, clock: VirtualClock(now: stage.server.clock.now),
            apns: stage.apns)
        #expect(await back.step(until: { back.metrics.value(.partiesFrozen) == 1 }))
        return stage.moved(to: back)
    }

    private func frozen(_ stage: Stage) async -> [Value] {
        await stage.server.admin(.get, Self.path).body["parties"].array
    }

    @Test("PR19: a creation that the store cannot write leaves no party behind")
    func phantom() async throws {
        let stage = try await Stage.make()
        let egghead = try await TestPlayer.make("Egghead", at: stage.server)
        for error in [StoreError.corrupt(PartyID("x"), detail: "a page"), .broken("a page")] {
            stage.store.failWrites(error)
            let body = #"{"hero":"\#(egghead.hero)"}"#
            #expect(await egghead.send(.post, "/v1/parties", body).status >= 500)
            #expect(stage.server.metrics.value(.failedTicks) == 0)
        }
        stage.store.failWrites(nil)
        await stage.server.step(forSeconds: 10)
        #expect(await frozen(stage).isEmpty)
        #expect(stage.server.metrics.value(.failedTicks) == 0)
        _ = try await egghead.found()
        await stage.server.server.drain()
    }

    @Test("PR19: a command for all skips a frozen party, in the dry run too")
    func commands() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        let egghead = try await TestPlayer.make("Egghead", at: stage.server)
        let other = try await egghead.found().id
        let started = await egghead.send(.post, "/v1/parties/\(other)/adventure")
        try #require(started.status == 201)
        stage.store.corrupt(PartyID(stage.party))
        #expect(await stage.server.step { stage.server.metrics.value(.partiesFrozen) == 1 })
        let path = "/v1/admin/commands"
        let command = #""command":{"name":"loot","potions":1}"#
        let planned = await stage.server.admin(
            .post, path, #"{\#(command),"cohort":{},"dryRun":true}"#)
        #expect(planned.status == 200, "\(planned.text)")
        #expect(planned.body["plans"].array.compactMap { $0["party"].string } == [other])
        #expect(planned.body["skipped"].number == 1)
        let plan = try #require(planned.body["plan"].string)
        let made = await stage.server.admin(.post, path, #"{\#(command),"plan":"\#(plan)"}"#)
        let job = try #require(made.body["id"].string, "\(made.text)")
        let isDone = await stage.server.step {
            await stage.server.admin(.get, "/v1/admin/jobs/\(job)").body["status"].string == "done"
        }
        #expect(isDone)
        let result = await stage.server.admin(.get, "/v1/admin/jobs/\(job)").body
        #expect(result["done"].number == 1)
        #expect(result["skipped"].number == 1)
        await stage.server.server.drain()
    }

    @Test("PR19: a frozen party is listed with its first fault, and goes on once it reads well")
    func sound() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        stage.store.corrupt(PartyID(stage.party))
        #expect(await stage.server.step { stage.server.metrics.value(.partiesFrozen) == 1 })
        let listed = await frozen(stage)
        #expect(listed.count == 1)
        #expect(listed.first?["party"].string == stage.party)
        #expect(listed.first?["failures"].number == 5)
        #expect(listed.first?["fault"].string?.contains("its checksum is another") == true)
        let one = await stage.server.admin(.get, "\(Self.path)/\(stage.party)")
        #expect(one.body["fault"].string == listed.first?["fault"].string)
        stage.store.repair(PartyID(stage.party))
        let repaired = await stage.server.admin(.post, "\(Self.path)/\(stage.party)/repair", "{}")
        #expect(repaired.body["repair"].string == "sound")
        #expect(await frozen(stage).isEmpty)
        #expect(stage.server.metrics.value(.partiesFrozen) == 0)
        #expect(await stage.untilEnded())
        try await stage.requireWholeStory()
        let again = await stage.server.admin(.post, "\(Self.path)/\(stage.party)/repair", "{}")
        #expect(again.status == 404)
        let calls = await stage.server.admin(.get, "/v1/admin/audit").body["calls"].array
        let repair = calls.first {
            $0["action"].string?.hasSuffix("/repair") == true && $0["status"].number == 200
        }
        #expect(repair?["before"]["party"].string == stage.party)
        await stage.server.server.drain()
    }

    @Test(
        "PR10: a damaged row is rebuilt from the journal, and every card becomes true",
        arguments: [
            "UPDATE parties SET state = zeroblob(40)", "UPDATE parties SET crc = crc + 1",
            "UPDATE parties SET version = version + 1000",
        ])
    func rebuilt(sql: String) async throws {
        let stage = try await damaged(by: sql)
        let events = stage.apns.pushes.count
        #expect(await frozen(stage).first?["failures"].number == 0)
        #expect(await stage.panda.send(.get, "/v1/parties/\(stage.party)").status == 503)
        let repaired = await stage.server.admin(.post, "\(Self.path)/\(stage.party)/repair", "{}")
        #expect(repaired.body["repair"].string == "rebuilt")
        #expect(await stage.untilEnded())
        try await stage.requireWholeStory()
        let timestamps = stage.timestamps
        #expect(timestamps.count > events)
        #expect(zip(timestamps, timestamps.dropFirst()).allSatisfy { $0 < $1 })
        await stage.server.server.drain()
        #expect(await Replay.report(file: stage.server.file, party: nil).differences == [])
    }

    @Test("PR10: an activity whose row is damaged goes, and its party goes on")
    func damagedActivity() async throws {
        let stage = try await damaged(by: "UPDATE activities SET data = zeroblob(40)")
        let repaired = await stage.server.admin(.post, "\(Self.path)/\(stage.party)/repair", "{}")
        #expect(repaired.body["repair"].string == "rebuilt")
        #expect(await stage.server.step(until: { await stage.isOver() }))
        try await stage.requireWholeStory()
        #expect(await stage.panda.watch("activity-2", token: "ef02").status == 204)
        await stage.server.server.drain()
    }

    @Test("PR10: a party whose journal is damaged too can only be given up, and frees its heroes")
    func abandoned() async throws {
        let stage = try await damaged(
            by: "UPDATE parties SET crc = crc + 1; UPDATE journal SET crc = crc + 1")
        let repaired = await stage.server.admin(.post, "\(Self.path)/\(stage.party)/repair", "{}")
        #expect(repaired.status == 409)
        #expect(await frozen(stage).count == 1)
        let given = await stage.server.admin(.post, "\(Self.path)/\(stage.party)/abandon", "{}")
        #expect(given.status == 204)
        #expect(await frozen(stage).isEmpty)
        #expect(stage.server.metrics.value(.partiesFrozen) == 0)
        #expect(await stage.panda.send(.get, "/v1/parties/\(stage.party)").status == 404)
        let (party, _) = try await stage.panda.found()
        #expect(party != stage.party)
        #expect(await stage.panda.watch("activity-1").status == 204)
        await stage.server.server.drain()
        let store = try await SQLiteStore.openReadOnly(path: stage.server.file) { _ in }
        #expect(try await store.check() == [])
        await store.close()
    }
}
