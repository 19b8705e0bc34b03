import HTTPServer
import Playtest
import PushPolicy
import Testing

/// E1: commands of game masters for parties of several nodes.
@Suite("Jobs of several servers", .timeLimit(.minutes(3)), .serialized)
struct NodeJobTests {
    @Test("E1: a command for all reaches the parties of all nodes once, and in time")
    func all() async throws {
        let nodes = try await TwoNodes.make()
        var parties: [(player: TestPlayer, id: String)] = []
        for (number, server) in [nodes.one, nodes.two, nodes.one, nodes.two].enumerated() {
            let player = try await TestPlayer.make("Hero \(number)", at: server)
            let party = try await player.found().id
            let started = await player.send(.post, "/v1/parties/\(party)/adventure")
            try #require(started.status == 201)
            parties.append((player, party))
        }
        let path = "/v1/admin/commands"
        let command = #""command":{"name":"loot","potions":1}"#
        // Neither the dry run nor the job is where it is asked for.
        let planned = await nodes.two.admin(
            .post, path, #"{\#(command),"cohort":{},"dryRun":true}"#)
        #expect(planned.status == 200, "\(planned.text)")
        #expect(planned.body["planned"].number == 4)
        #expect(planned.body["skipped"].number == 0)
        let plan = try #require(planned.body["plan"].string)
        let made = await nodes.one.admin(.post, path, #"{\#(command),"plan":"\#(plan)"}"#)
        #expect(made.status == 200, "\(made.text)")
        // With this the other node looks at its jobs before it would by itself.
        #expect(try await nodes.query("SELECT number FROM news WHERE kind = 6") == "1\n")
        let job = try #require(made.body["id"].string)
        let isDone = await nodes.step {
            let job = await nodes.two.admin(.get, "/v1/admin/jobs/\(job)").body
            return job["status"].string == "done"
        }
        #expect(isDone)
        for (player, party) in parties {
            let events = await player.send(.get, "/v1/parties/\(party)?after=0").body["events"]
            #expect(events.array.count { $0["kind"].string == "potionsFound" } == 1)
        }
        let began = made.body["startsAt"].number ?? 0
        let now = Double(nodes.two.clock.now.milliseconds)
        #expect(now - began < 60_000, "the other node has looked at its jobs late")
        try await nodes.end()
    }

    @Test("E1: a dry run skips a party of another node that is about to end")
    func ending() async throws {
        let nodes = try await TwoNodes.make()
        let panda = try await TestPlayer.make("Panda", at: nodes.two)
        let party = try await panda.found().id
        try #require(await panda.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        let path = "/v1/admin/commands"
        let ending = await nodes.two.admin(
            .post, path,
            #"{"command":{"name":"end"},"party":"\#(party)"}"#)
        try #require(ending.status == 200, "\(ending.text)")
        func dryRun() async -> TestServer.Answer {
            await nodes.one.admin(
                .post, path,
                #"{"command":{"name":"loot","potions":1},"cohort":{},"dryRun":true}"#)
        }
        #expect(await dryRun().body["skipped"].number == 0)
        // Its owner stands still.
        await nodes.one.step(forSeconds: 70)
        let planned = await dryRun()
        #expect(planned.status == 200, "\(planned.text)")
        #expect(planned.body["planned"].number == 1)
        #expect(planned.body["skipped"].number == 1)
        try await nodes.end()
    }
}
