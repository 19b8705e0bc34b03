import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// E1: commands for cohorts, and for later.
@Suite("Jobs of game masters", .timeLimit(.minutes(2)), .simulated)
struct JobTests {
    /// Parties of one hero each, at a server.
    fileprivate struct Scene {
        let server: TestServer
        let players: [TestPlayer]
        let parties: [String]

        /// The first `count` parties are on an adventure, one more is not.
        static func make(_ count: Int) async throws -> Scene {
            let server = try await TestServer()
            var (players, parties): ([TestPlayer], [String]) = ([], [])
            for number in 0...count {
                let player = try await TestPlayer.make("Hero \(number)", at: server)
                let party = try await player.found().id
                if number < count {
                    let started = await player.send(.post, "/v1/parties/\(party)/adventure")
                    try #require(started.status == 201)
                }
                players.append(player)
                parties.append(party)
            }
            return Scene(server: server, players: players, parties: parties)
        }

        func moved(to server: TestServer) -> Scene {
            Scene(server: server, players: players.map { $0.moved(to: server) }, parties: parties)
        }

        func send(_ fields: String, as key: String = TestServer.adminKey) async
            -> TestServer.Answer
        {
            await server.send(
                .post, "/v1/admin/commands",
                #"{"command":{"name":"loot","potions":1},\#(fields)}"#, as: key)
        }

        func job(_ id: String) async -> Value {
            await server.admin(.get, "/v1/admin/jobs/\(id)").body
        }

        func until(_ id: String, is status: String) async -> Bool {
            await server.step { await job(id)["status"].string == status }
        }
    }

    private static func id(_ answer: TestServer.Answer) throws -> String {
        try #require(answer.status == 200)
        return try #require(answer.body["id"].string)
    }

    @Test("E1: a job that another server begins at the same moment runs here too, within seconds")
    func begunElsewhere() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        let clock = stage.server.clock
        let at = clock.wall.adding(seconds: 5).milliseconds
        let loot = #""command":{"name":"loot","potions":1},"party":"\#(stage.party)""#
        let made = await stage.server.admin(
            .post, "/v1/admin/commands", #"{\#(loot),"at":\#(at)}"#)
        let id = try Self.id(made)
        await stage.server.untilAsleep()
        stage.store.hold(.shared)
        clock.advance(to: clock.now.adding(seconds: 6))
        await stage.store.untilHolding()
        // This server has seen that the job waits; now the other one is first.
        let isFirst = try await stage.store.store.setStatus(
            of: id, to: .running, from: [.waiting], as: nil, epoch: Epoch(number: 1))
        try #require(isFirst)
        stage.store.release()
        await stage.server.step(forSeconds: 5)
        let job = await stage.server.admin(.get, "/v1/admin/jobs/\(id)").body
        #expect(job["status"].string == "done" && job["done"].number == 1)
        await stage.server.server.drain()
    }

    @Test("a job that was never made is forgotten after an hour, while the server runs")
    func unprepared() async throws {
        let stage = try await Stage.make()
        let (clock, store) = (stage.server.clock, stage.store.store)
        for (id, hours) in [("old", 0), ("new", 1)] as [(String, Int64)] {
            let now = clock.now.adding(seconds: hours * 3600)
            let job = CommandJob(
                id: id, command: .arrange(.resume), createdBy: "owner", createdAt: now,
                startsAt: now,
                spreadSeconds: 0, parties: 1)
            #expect(try await store.insert(job, epoch: Epoch(number: 1)))
        }
        clock.advance(to: clock.now.adding(seconds: 3700))
        await stage.server.untilAsleep()
        #expect(await stage.server.step { (try? await store.job("old")) == .some(nil) })
        #expect(try await store.job("new") != nil)
        await stage.server.server.drain()
    }

    @Test("E1: a command for all reaches each party on an adventure once")
    func all() async throws {
        let scene = try await Scene.make(5)
        let id = try Self.id(await scene.send(#""cohort":{}"#))
        #expect(await scene.until(id, is: "done"))
        #expect(try await scene.gifts() == [1, 1, 1, 1, 1, 0])
        let job = await scene.job(id)
        #expect(job["parties"].number == 5)
        #expect(job["done"].number == 5)
        #expect(job["skipped"].number == 0)
        #expect(job["createdBy"].string == "owner")
        await scene.server.server.drain()
        #expect(await Replay.report(file: scene.server.file, party: nil).differences == [])
    }

    @Test(
        "E1: a cohort is of a phase, a level, a size, a language or a share",
        arguments: [
            (#"{"phase":"quest"}"#, 2), (#"{"phase":"boss"}"#, 1), (#"{"level":[1,1]}"#, 3),
            (#"{"level":[2,9]}"#, 0), (#"{"size":[1,1]}"#, 3), (#"{"size":[2,8]}"#, 0),
            (#"{"language":"ja"}"#, 1), (#"{"percent":100}"#, 3),
        ])
    func cohort(cohort: String, count: Int) async throws {
        let scene = try await Scene.make(3)
        #expect(await scene.players[0].watch("card", language: "ja").status == 204)
        let boss = await scene.server.admin(
            .post, "/v1/admin/parties/\(scene.parties[1])/boss")
        #expect(boss.status == 200)
        let planned = await scene.send(#""cohort":\#(cohort),"dryRun":true"#)
        if count == 0 {
            #expect(planned.status == 409)
        } else {
            #expect(planned.body["parties"].number == Double(count), "\(planned.text)")
        }
        await scene.server.server.drain()
    }

    @Test("E1: a dry run of a cohort counts its pushes and changes nothing")
    func dryRun() async throws {
        let scene = try await Scene.make(3)
        for (index, player) in scene.players.prefix(2).enumerated() {
            #expect(await player.watch("card-\(index)").status == 204)
        }
        await scene.server.untilAsleep()
        let planned = await scene.send(#""cohort":{},"dryRun":true"#)
        #expect(planned.status == 200)
        #expect(planned.body["sum"]["pushes"].number == 2)
        #expect(planned.body["plans"].array.count == 3)
        #expect(planned.body["skipped"].number == 0)
        #expect(try await scene.gifts() == [0, 0, 0, 0])
        #expect(await scene.server.admin(.get, "/v1/admin/jobs").text == #"{"jobs":[]}"#)
        await scene.server.server.drain()
    }

    @Test("E1: a command runs on the parties of its dry run, without those that do not fit now")
    func plan() async throws {
        let scene = try await Scene.make(3)
        let planned = await scene.send(#""cohort":{"phase":"quest"},"dryRun":true"#)
        let plan = try #require(planned.body["plan"].string)
        let boss = await scene.server.admin(
            .post, "/v1/admin/parties/\(scene.parties[1])/boss")
        #expect(boss.status == 200)
        // This one is on the quest now, and was not in the dry run.
        let started = await scene.players[3].send(
            .post, "/v1/parties/\(scene.parties[3])/adventure")
        #expect(started.status == 201)
        _ = await scene.server.admin(.post, "/v1/admin/parties/\(scene.parties[2])/storm")
        let made = await scene.send(#""plan":"\#(plan)""#)
        #expect(made.body["parties"].number == 2)
        #expect(made.body["notFitting"].number == 1)
        #expect(made.body["movedOn"].number == 1)
        #expect(await scene.until(try Self.id(made), is: "done"))
        #expect(try await scene.gifts() == [1, 0, 1, 0])

        #expect(await scene.send(#""plan":"plan-none""#).status == 404)
        let other = await scene.server.admin(
            .post, "/v1/admin/commands", #"{"command":{"name":"storm"},"plan":"\#(plan)"}"#)
        #expect(other.status == 409)
        for more in [#","dryRun":true"#, #","cohort":{}"#] {
            #expect(await scene.send(#""plan":"\#(plan)"\#(more)"#).status == 400)
        }
        scene.server.clock.advance(
            to: scene.server.clock.now.adding(seconds: CohortPlans.keptSeconds))
        #expect(await scene.send(#""plan":"\#(plan)""#).status == 404)
        await scene.server.server.drain()
    }

    @Test("E1: plans are bounded, and the oldest goes first")
    func plans() {
        let plans = CohortPlans()
        let now = WallTime(milliseconds: 1_000_000)
        func keep(_ count: Int) -> String {
            let parties = (0..<count).map {
                CohortPlans.Party(id: PartyID("party-\($0)"), version: 1)
            }
            return plans.keep(.raiseStorm, on: parties, of: .all, sum: .init(), at: now)
        }
        let ids = (0...CohortPlans.countMax).map { _ in keep(1) }
        #expect(plans.plan(ids[0], at: now) == nil)
        #expect(plans.plan(ids[1], at: now) != nil)
        let large = keep(CohortPlans.partiesMax)
        #expect(plans.plan(large, at: now)?.parties.count == CohortPlans.partiesMax)
        #expect(plans.plan(ids[CohortPlans.countMax], at: now) == nil)
        #expect(plans.plan(large, at: now.adding(seconds: -1)) == nil)
    }

    @Test("E1: a command for more than ten parties needs a reason, which the audit log has")
    func reason() async throws {
        let scene = try await Scene.make(CommandJob.partiesWithoutReasonMax + 1)
        #expect(await scene.send(#""cohort":{},"dryRun":true"#).status == 200)
        let refused = await scene.send(#""cohort":{}"#)
        #expect(refused.status == 422)
        #expect(await scene.send(#""cohort":{},"reason":"""#).status == 400)
        #expect(await scene.send(#""cohort":{},"reason":"birthday""#).status == 200)
        let storm = #"{"command":{"name":"storm"},"party":"\#(scene.parties[0])","reason":"fun"}"#
        #expect(await scene.server.admin(.post, "/v1/admin/commands", storm).status == 200)
        let calls = await scene.server.admin(.get, "/v1/admin/audit").body["calls"].array
        #expect(calls.compactMap { $0["reason"].string } == ["fun", "birthday"])
        await scene.server.server.drain()
    }

    @Test("E1: a command that would take the reserve of many phones needs force")
    func reserve() async throws {
        let pair = try await FormerMemberTests.Pair.make(speed: 1000)
        let card = await pair.panda.watch("card", frequentPushes: false, more: CardTests.second)
        #expect(card.status == 204)
        try await pair.start()
        await pair.server.untilAsleep()
        func send(_ command: String, _ fields: String) async -> TestServer.Answer {
            await pair.server.admin(
                .post, "/v1/admin/commands", #"{"command":\#(command),\#(fields)}"#)
        }
        let (boss, dryRun) = (#"{"name":"boss"}"#, #""cohort":{},"dryRun":true"#)
        let party = #""party":"\#(pair.party)""#
        // Each knock-down costs a push of high priority.
        var planned = await send(boss, dryRun)
        for _ in 0..<40 where planned.body["sum"]["belowReserve"].number != 1 {
            _ = await send(#"{"name":"storm","strength":200}"#, party)
            for (hero, amount) in [(pair.egghead.hero, 1000), (pair.panda.hero, 1)] {
                _ = await send(
                    #"{"name":"heal","hero":"\#(hero)","amount":\#(amount),"wake":true}"#, party)
            }
            // Timestamps may lead the clock by 5 s only: let it pass them.
            pair.server.clock.advance(to: pair.server.clock.now.adding(seconds: 10))
            await pair.server.step()
            planned = await send(boss, dryRun)
        }
        #expect(["phones", "belowReserve"].map { planned.body["sum"][$0].number } == [1, 1])
        let plan = try #require(planned.body["plan"].string)
        for target in [#""cohort":{}"#, #""plan":"\#(plan)""#] {
            let refused = await send(boss, target)
            #expect(refused.status == 409)
            #expect(refused.body["detail"].string?.hasPrefix("1 of 1 phones") == true)
        }
        #expect(await send(boss, #""plan":"\#(plan)","force":true"#).status == 200)
        await pair.server.server.drain()
    }

    @Test("E1: a job waits for its time, over a restart, and runs once")
    func later() async throws {
        let scene = try await Scene.make(2)
        let at = scene.server.clock.now.adding(seconds: 600).milliseconds
        let id = try Self.id(await scene.send(#""party":"\#(scene.parties[0])","at":\#(at)"#))
        #expect(await scene.job(id)["status"].string == "waiting")
        await scene.server.server.drain()
        let clock = VirtualClock(now: scene.server.clock.now.adding(seconds: 1))
        let later = scene.moved(to: try await TestServer(file: scene.server.file, clock: clock))
        #expect(await later.job(id)["status"].string == "waiting")
        #expect(await later.until(id, is: "done"))
        #expect(clock.now.milliseconds >= at)
        let job = await later.job(id)
        // The adventure may have ended meanwhile.
        #expect(job["done"].number.map { $0 + (job["skipped"].number ?? 0) } == 1)
        await later.server.server.drain()
    }

    @Test("E1: a job that no server could begin in time is missed", arguments: [600, 90])
    func missed(late: Int64) async throws {
        let scene = try await Scene.make(1)
        let at = scene.server.clock.now.adding(seconds: 60).milliseconds
        let latestBy = late == 600 ? "" : #","latestBy":\#(at + late * 1000)"#
        #expect(await scene.send(#""cohort":{},"at":\#(at),"latestBy":\#(at - 1)"#).status == 400)
        let id = try Self.id(await scene.send(#""cohort":{},"at":\#(at)\#(latestBy)"#))
        #expect(await scene.job(id)["latestBy"].number == Double(at + late * 1000))
        await scene.server.server.drain()
        let clock = VirtualClock(now: scene.server.clock.now.adding(seconds: 61 + late))
        let later = scene.moved(to: try await TestServer(file: scene.server.file, clock: clock))
        #expect(await later.until(id, is: "missed"))
        #expect(await later.job(id)["done"].number == 0)
        let calls = await later.server.admin(.get, "/v1/admin/audit").body["calls"].array
        let missed = try #require(calls.first { $0["after"]["status"].string == "missed" })
        #expect(missed["target"].string == id)
        #expect(missed["status"].number == 503)
        await later.server.server.drain()
    }

    @Test("E1: a job spread over minutes goes on after a restart, and each party gets it once")
    func spread() async throws {
        let scene = try await Scene.make(6)
        let id = try Self.id(await scene.send(#""cohort":{},"overMinutes":1"#))
        #expect(
            await scene.server.step { (await scene.job(id)["done"].number ?? 0) >= 2 })
        #expect((await scene.job(id)["done"].number ?? 9) < 6)
        await scene.server.server.drain()
        let clock = VirtualClock(now: scene.server.clock.now.adding(seconds: 1))
        let later = scene.moved(to: try await TestServer(file: scene.server.file, clock: clock))
        #expect(await later.until(id, is: "done"))
        let job = await later.job(id)
        #expect((job["done"].number ?? 0) + (job["skipped"].number ?? 0) == 6)
        let gifts = try await later.gifts()
        #expect(gifts.allSatisfy { $0 <= 1 })
        #expect(gifts.count == 7)
        #expect(Double(gifts.reduce(0, +)) == job["done"].number)
        await later.server.server.drain()
        #expect(await Replay.report(file: later.server.file, party: nil).differences == [])
    }

    @Test("E1: a stopped job changes no further party")
    func stopped() async throws {
        let scene = try await Scene.make(6)
        let id = try Self.id(await scene.send(#""cohort":{},"overMinutes":10"#))
        #expect(await scene.server.step { (await scene.job(id)["done"].number ?? 0) >= 1 })
        for _ in 1...2 {
            #expect(await scene.server.admin(.delete, "/v1/admin/jobs/\(id)").status == 204)
        }
        let done = await scene.job(id)["done"].number
        await scene.server.step(forSeconds: 30)
        #expect(await scene.job(id)["status"].string == "stopped")
        #expect(await scene.job(id)["done"].number == done)
        #expect(await scene.server.admin(.delete, "/v1/admin/jobs/job-none").status == 404)
        await scene.server.server.drain()
    }

    @Test("E3: cohorts and later commands are for directors; all may look at them")
    func roles() async throws {
        let scene = try await Scene.make(1)
        let made = await scene.server.admin(
            .post, "/v1/admin/keys", #"{"name":"g","role":"gamemaster"}"#)
        let key = try #require(made.body["key"].string)
        #expect(await scene.send(#""cohort":{}"#, as: key).status == 403)
        #expect(await scene.send(#""cohort":{},"dryRun":true"#, as: key).status == 200)
        let later = scene.server.clock.now.adding(seconds: 60).milliseconds
        let scheduled = await scene.send(
            #""party":"\#(scene.parties[0])","at":\#(later)"#, as: key)
        #expect(scheduled.status == 403)
        #expect(await scene.server.send(.get, "/v1/admin/jobs", as: key).status == 200)
        let id = try Self.id(await scene.send(#""cohort":{}"#))
        #expect(
            await scene.server.send(.delete, "/v1/admin/jobs/\(id)", as: key).status == 403)
        let calls = await scene.server.admin(.get, "/v1/admin/audit").body["calls"].array
        #expect(calls.contains { $0["target"].string == id && $0["status"].number == 200 })
        await scene.server.server.drain()
    }

    @Test("E1: at most 100 jobs wait or run, whatever arrives at once")
    func limit() async throws {
        let scene = try await Scene.make(1)
        let at = scene.server.clock.now.adding(seconds: 3600).milliseconds
        let (statuses, details) = await FairLimitTests.storm { _ in
            await scene.send(#""cohort":{},"at":\#(at)"#)
        }
        #expect(statuses == [200: 100, 409: 100])
        #expect(details == ["At most 100 jobs can wait or run."])
        await scene.server.server.drain()
    }

    @Test(
        "E1: a job is refused with the field that is wrong",
        arguments: [
            (#""cohort":{"phase":"over"}"#, "phase"), (#""cohort":{"level":[3]}"#, "level"),
            (#""cohort":{"size":[0,2]}"#, "size"), (#""cohort":{"percent":0}"#, "percent"),
            (#""cohort":{"tribe":1}"#, "tribe"), (#""cohort":{},"party":"p""#, "party"),
            (#""dryRun":true"#, "party"), (#""cohort":{},"ifVersion":1"#, "ifVersion"),
            (#""cohort":{},"at":1"#, "at"), (#""cohort":{},"overMinutes":1441"#, "overMinutes"),
        ])
    func fields(fields: String, field: String) async throws {
        let server = try await TestServer()
        let answer = await Scene(server: server, players: [], parties: []).send(fields)
        #expect(answer.status == 400)
        #expect(answer.body["detail"].string?.contains(field) == true, "\(answer.text)")
        await server.server.drain()
    }
}

extension JobTests.Scene {
    /// How many gifts each party has got.
    fileprivate func gifts() async throws -> [Int] {
        var gifts: [Int] = []
        for (player, party) in zip(players, parties) {
            let events = await player.send(.get, "/v1/parties/\(party)?after=0").body["events"]
            gifts.append(events.array.count { $0["kind"].string == "potionsFound" })
        }
        return gifts
    }
}
