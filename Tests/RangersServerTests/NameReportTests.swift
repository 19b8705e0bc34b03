import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import RangersServer
import Testing

/// C2: names that players report, and what moderators do about them.
@Suite("Reported names", .timeLimit(.minutes(2)), .simulated)
struct NameReportTests {
    /// Egghead and four others who have been on an adventure together.
    private struct Scene {
        let server: TestServer
        let egghead: TestPlayer
        let others: [TestPlayer]
        let party: String

        static func make() async throws -> Scene {
            let server = try await TestServer()
            var others: [TestPlayer] = []
            for name in ["Power Panda", "Foxy", "Spouty", "Bear"] {
                others.append(try await TestPlayer.make(name, at: server))
            }
            let (party, code) = try await others[0].found()
            let egghead = try await TestPlayer.make("Egghead", at: server)
            for player in others.dropFirst() + [egghead] {
                try #require(await player.join(code).status == 200)
            }
            let scene = Scene(server: server, egghead: egghead, others: others, party: party)
            try #require(await others[0].send(.post, scene.path + "/adventure").status == 201)
            return scene
        }

        var path: String { "/v1/parties/\(party)" }

        func report(by player: TestPlayer, in party: String? = nil) async -> TestServer.Answer {
            await player.send(
                .post, "/v1/heroes/\(egghead.hero)/reports",
                #"{"party":"\#(party ?? self.party)"}"#)
        }

        func decide(_ body: String) async -> TestServer.Answer {
            await server.admin(.put, "/v1/admin/heroes/\(egghead.hero)/name", body)
        }

        func isNameSeen() async -> Bool {
            await others[0].send(.get, path).text.contains("Egghead")
        }
    }

    @Test("D4: the export has the player's reports, and nobody else's")
    func export() async throws {
        let scene = try await Scene.make()
        #expect(await scene.report(by: scene.others[0]).status == 204)
        for (player, count) in [(scene.others[0], 1), (scene.others[1], 0)] {
            let export = await player.send(.get, "/v1/me/export").body
            let reports = export["reports"].array
            #expect(reports.count == count)
            #expect(
                reports.map { $0["hero"].string }
                    == Array(repeating: scene.egghead.hero, count: count))
            #expect(
                reports.first.map { $0["reportedAt"].number }
                    ?? Double(scene.server.clock.now.milliseconds)
                    == Double(scene.server.clock.now.milliseconds))
        }
        await scene.server.server.drain()
    }

    @Test("C2: a hidden name is hidden in events older than those that are kept ready")
    func olderEvents() async throws {
        let scene = try await Scene.make()
        #expect(await scene.decide(#"{"decision":"hide"}"#).status == 200)
        let left = await scene.egghead.send(
            .post, scene.path + "/actions", #"{"hero":"\#(scene.egghead.hero)","action":"leave"}"#)
        #expect(left.status == 200)
        let gift = #"{"command":{"name":"loot","potions":1},"party":"\#(scene.party)"}"#
        for _ in 0..<26 {
            #expect(await scene.server.admin(.post, "/v1/admin/commands", gift).status == 200)
        }
        let newest = await scene.others[0].send(.get, scene.path).body["events"].array
        #expect(newest.count == 100)
        #expect(!newest.contains { $0["hero"].string == scene.egghead.hero })
        let oldest = await scene.others[0].send(.get, scene.path + "?after=0")
        #expect(oldest.body["events"].array.contains { $0["hero"].string == scene.egghead.hero })
        #expect(!oldest.text.contains("Egghead"))
        await scene.server.server.drain()
    }

    @Test("C2: three reporters hide a name from everybody, until a moderator decides")
    func hide() async throws {
        let scene = try await Scene.make()
        for _ in 1...3 { #expect(await scene.report(by: scene.others[0]).status == 204) }
        #expect(await scene.report(by: scene.others[1]).status == 204)
        #expect(await scene.isNameSeen())
        let pending = await scene.server.admin(.get, "/v1/admin/reports").body
        #expect(pending["heroes"][0]["reporters"].number == 2)
        #expect(pending["heroes"][0]["shown"].string == nil)
        #expect(await scene.report(by: scene.others[2]).status == 204)
        #expect(await !scene.isNameSeen())
        for path in [scene.path, "/v1/heroes", "/v1/me", scene.path + "?after=0"] {
            #expect(await !scene.egghead.send(.get, path).text.contains("Egghead"), "\(path)")
        }
        let listed = await scene.server.admin(.get, "/v1/admin/reports").body
        #expect(listed["heroes"][0]["name"].string == "Egghead")
        #expect(listed["heroes"][0]["shown"].string == "🐼 Forest Dweller")
        #expect(listed["heroes"][0]["because"].string == "reported")
        #expect(listed["next"].string == nil)
        #expect(await scene.decide(#"{"decision":"keep"}"#).status == 200)
        #expect(await scene.isNameSeen())
        #expect(await scene.server.admin(.get, "/v1/admin/reports").body["heroes"].array.isEmpty)
        // Who has reported it before a moderator kept it does not report it again.
        for player in scene.others.prefix(3) {
            #expect(await scene.report(by: player).status == 204)
        }
        #expect(await scene.isNameSeen())
        await scene.server.server.drain()
    }

    @Test("C2: a moderator hides a name, renames a hero, and takes it back, also after a restart")
    func decide() async throws {
        let scene = try await Scene.make()
        #expect(await scene.decide(#"{"decision":"hide"}"#).body["because"].string == "hidden")
        #expect(await !scene.isNameSeen())
        let renamed = await scene.decide(#"{"decision":"rename","name":"Humpty"}"#)
        #expect(renamed.body["shown"].string == "Humpty")
        #expect(renamed.body["name"].string == "Egghead")
        #expect(await scene.egghead.watch("egg", token: "ee").status == 204)
        await scene.server.server.drain()
        let second = try await TestServer(file: scene.server.file)
        let panda = scene.others[0].moved(to: second)
        #expect(await panda.send(.get, scene.path).text.contains("Humpty has joined the party!"))
        #expect(await !panda.send(.get, scene.path).text.contains("Egghead"))
        let kept = await second.admin(
            .put, "/v1/admin/heroes/\(scene.egghead.hero)/name", #"{"decision":"keep"}"#)
        #expect(kept.body["shown"].string == nil)
        #expect(await panda.send(.get, scene.path).text.contains("Egghead"))
        await second.server.drain()
        #expect(await Replay.report(file: second.file, party: nil).differences == [])
    }

    @Test("C2: a decision needs a name to rename, and only then")
    func decisionFields() async throws {
        let scene = try await Scene.make()
        for body in [
            #"{"decision":"rename"}"#, #"{"decision":"keep","name":"Humpty"}"#,
            #"{"decision":"forget"}"#, #"{"decision":"rename","name":"12345678901234567"}"#,
        ] { #expect(await scene.decide(body).status == 400, "\(body)") }
        let unknown = await scene.server.admin(
            .put, "/v1/admin/heroes/hero-nobody/name", #"{"decision":"hide"}"#)
        #expect(unknown.status == 404)
        await scene.server.server.drain()
    }

    @Test("C2: only who was on the adventure reports, and only who was on it is reported")
    func shared() async throws {
        let scene = try await Scene.make()
        let stranger = try await TestPlayer.make("Stranger", at: scene.server)
        #expect(await scene.report(by: stranger).status == 404)
        #expect(await scene.report(by: scene.others[0], in: "party-nobody").status == 404)
        let own = await scene.egghead.send(
            .post, "/v1/heroes/\(scene.egghead.hero)/reports", #"{"party":"\#(scene.party)"}"#)
        #expect(own.status == 409)
        // Both have left: they have been there nevertheless.
        for player in [scene.egghead, scene.others[3]] {
            let left = await player.send(
                .post, scene.path + "/actions", #"{"hero":"\#(player.hero)","action":"leave"}"#)
            #expect(left.status == 200)
        }
        #expect(await scene.report(by: scene.others[3]).status == 204)
        await scene.server.end(scene.party)
        let code = await scene.others[0].send(.get, scene.path).body["inviteCode"].string ?? ""
        #expect(await stranger.join(code).status == 200)
        // Who has joined since the end was not there.
        #expect(await scene.report(by: stranger).status == 404)
        let late = await scene.others[0].send(
            .post, "/v1/heroes/\(stranger.hero)/reports", #"{"party":"\#(scene.party)"}"#)
        #expect(late.status == 403)
        await scene.server.server.drain()
    }

    @Test("C2: before its first adventure nobody of a party is reported")
    func noAdventure() async throws {
        let pair = try await FormerMemberTests.Pair.make()
        let answer = await pair.panda.send(
            .post, "/v1/heroes/\(pair.egghead.hero)/reports", #"{"party":"\#(pair.party)"}"#)
        #expect(answer.status == 404)
        await pair.server.server.drain()
    }

    @Test("C2: of 200 reports at once of the same three players three count")
    func atOnce() async throws {
        let scene = try await Scene.make()
        let (statuses, _) = await FairLimitTests.storm { number in
            await scene.report(by: scene.others[number % 2])
        }
        #expect(statuses == [204: 200])
        #expect(await scene.isNameSeen())
        let (more, _) = await FairLimitTests.storm { number in
            await scene.report(by: scene.others[number % 3])
        }
        #expect(more == [204: 200])
        #expect(await !scene.isNameSeen())
        let listed = await scene.server.admin(.get, "/v1/admin/reports").body["heroes"]
        #expect(listed.array.count == 1)
        #expect(listed[0]["reporters"].number == 3)
        await scene.server.server.drain()
    }

    @Test("C2: reports of more than seven days ago do not hide a name")
    func window() async throws {
        let scene = try await Scene.make()
        for player in scene.others.prefix(2) {
            #expect(await scene.report(by: player).status == 204)
        }
        await scene.server.server.drain()
        let later = VirtualClock(now: scene.server.clock.now.adding(seconds: 8 * 24 * 3600))
        let second = try await TestServer(file: scene.server.file, clock: later)
        let report = await scene.others[2].moved(to: second).send(
            .post, "/v1/heroes/\(scene.egghead.hero)/reports", #"{"party":"\#(scene.party)"}"#)
        #expect(report.status == 204)
        let panda = scene.others[0].moved(to: second)
        #expect(await panda.send(.get, scene.path).text.contains("Egghead"))
        await second.server.drain()
    }
}
