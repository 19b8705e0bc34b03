import APNsClient
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// What game masters find of players, and what they can take away.
@Suite("E3: one player, for game masters", .timeLimit(.minutes(2)))
struct PlayerCareTests {
    private static func key(_ role: Role, at server: TestServer) async throws -> String {
        let answer = await server.admin(
            .post, "/v1/admin/keys", #"{"name":"\#(role.rawValue)","role":"\#(role.rawValue)"}"#)
        return try #require(answer.body["key"].string)
    }

    private static func found(_ answer: TestServer.Answer) -> [String] {
        answer.body["players"].array.compactMap { $0["id"].string }
    }

    private static func putWidget(_ player: TestPlayer, token: String) async -> Int {
        await player.send(
            .put, "/v1/players/me/widgets/phone",
            #"{"pushToken":"\#(token)","environment":"sandbox"}"#
        ).status
    }

    // MARK: Finding

    @Test("a player is found by id, hero, activity, code, name and device, and by nothing else")
    func finds() async throws {
        let stage = try await Stage.make()
        let server = stage.server
        let other = try await TestPlayer.make("Egghead", at: server)
        #expect(await stage.panda.watch("activity-2", device: "ipad").status == 204)
        try await stage.start()
        let code = await stage.panda.send(.get, "/v1/parties/\(stage.party)").body["inviteCode"]
        for text in [
            stage.panda.id, stage.panda.hero, "activity-2", code.string?.lowercased() ?? "",
            "Power Panda", "ipad",
        ] {
            let answer = await server.send(
                Request(
                    method: .get, path: "/v1/admin/players", query: ["find": text],
                    headers: ["authorization": "Bearer \(TestServer.adminKey)"]))
            #expect(Self.found(answer) == [stage.panda.id], "\(text)")
        }
        #expect(Self.found(await server.admin(.get, "/v1/admin/players?find=Panda")) == [])
        // Not in a party with work ahead.
        #expect(Self.found(await server.admin(.get, "/v1/admin/players?find=Egghead")) == [])
        let own = await server.admin(.get, "/v1/admin/players?find=\(other.hero)")
        #expect(Self.found(own) == [other.id])
        await server.server.drain()
    }

    @Test("a push token of a card, a start or a widget finds its player, and is in no response")
    func tokens() async throws {
        let stage = try await Stage.make()
        let server = stage.server
        let other = try await TestPlayer.make("Egghead", at: server)
        #expect(await stage.panda.watch("activity-1", token: "c0ffee01").status == 204)
        #expect(await stage.panda.offer("phone", token: "c0ffee02").status == 204)
        #expect(await Self.putWidget(stage.panda, token: "c0ffee03") == 204)
        #expect(await other.offer("phone", token: "decade").status == 204)
        for token in ["c0ffee01", "c0ffee02", "c0ffee03", "C0FFEE01"] {
            let answer = await server.admin(
                .post, "/v1/admin/players/find", #"{"token":"\#(token)"}"#)
            #expect(Self.found(answer) == [stage.panda.id], "\(token)")
            #expect(!answer.text.lowercased().contains("c0ffee"))
        }
        for token in ["c0ffee", "c0ffee0102"] {
            let answer = await server.admin(
                .post, "/v1/admin/players/find", #"{"token":"\#(token)"}"#)
            #expect(answer.status == 200 && Self.found(answer) == [])
        }
        let shown = await server.admin(.get, "/v1/admin/players/\(stage.panda.id)")
        let log = await server.admin(.get, "/v1/admin/audit")
        for text in [shown.text, log.text, server.logged.withLock { $0 }] {
            #expect(!text.lowercased().contains("c0ffee"))
        }
        await server.server.drain()
    }

    @Test(
        "a body without a whole token is refused",
        arguments: [
            "", "{}", "[]", #"{"token":""}"#, #"{"token":"xyz"}"#, #"{"token":"abc"}"#,
            #"{"token":12}"#, #"{"token":null}"#, #"{"token":"aa","player":"x"}"#,
            #"{"token":"aa","token":"bb"}"#,
        ])
    func garbage(body: String) async throws {
        let server = try await TestServer()
        let answer = await server.admin(.post, "/v1/admin/players/find", body)
        #expect(answer.status == 400, "\(answer.text)")
        let long = String(repeating: "ab", count: 513)
        let longer = await server.admin(.post, "/v1/admin/players/find", #"{"token":"\#(long)"}"#)
        #expect(longer.status == 400)
        await server.server.drain()
    }

    @Test("a player's page has heroes, cards and devices, and no token")
    func page() async throws {
        let stage = try await Stage.make()
        let server = stage.server
        #expect(await stage.panda.offer("phone", token: "c0ffee02").status == 204)
        #expect(
            await stage.panda.send(.post, "/v1/me/devices", #"{"device":"ipad"}"#).status == 201)
        let shown = await server.admin(.get, "/v1/admin/players/\(stage.panda.id)")
        #expect(shown.body["id"].string == stage.panda.id)
        #expect(shown.body["heroes"][0]["party"].string == stage.party)
        #expect(shown.body["activities"][0]["id"].string == "activity-1")
        #expect(shown.body["devices"][0]["device"].string == "phone")
        let signedIn = shown.body["signedIn"].array
        #expect(signedIn.compactMap { $0["device"].string } == ["default", "ipad"])
        #expect(!shown.text.contains("c0ffee") && !shown.text.contains(stage.panda.token))
        #expect(await server.admin(.get, "/v1/admin/players/nobody").status == 404)
        await server.server.drain()
    }

    // MARK: Signing out

    @Test("a player who is signed out loses every token and stream at once, and the cards go on")
    func signedOut() async throws {
        let stage = try await Stage.make()
        let server = stage.server
        let other = try await TestPlayer.make("Egghead", at: server)
        let code = await stage.panda.send(.get, "/v1/parties/\(stage.party)").body["inviteCode"]
        #expect(await other.join(try #require(code.string)).status == 200)
        let added = await stage.panda.send(.post, "/v1/me/devices", #"{"device":"ipad"}"#)
        let tablet = try #require(added.body["token"].string)
        let recovery = await stage.panda.send(.post, "/v1/me/recovery-code").body["recoveryCode"]
        #expect(await stage.panda.offer("phone", token: "c0ffee02").status == 204)
        let stream = StreamClient(to: server)
        #expect(await stream.open(stage.party, as: stage.panda) == 200)
        let path = "/v1/parties/\(stage.party)"
        let read = Request(
            method: .get, path: path, headers: ["authorization": "Bearer \(stage.panda.token)"])
        #expect(read.withHead { server.server.immediateResponse(to: $0) }?.status == 200)
        let out = await server.admin(.delete, "/v1/admin/players/\(stage.panda.id)/token")
        #expect(out.status == 204)
        #expect(read.withHead { server.server.immediateResponse(to: $0) } == nil)
        for token in [stage.panda.token, tablet] {
            #expect(await server.send(.get, path, as: token).status == 401)
        }
        #expect(await stream.messages { _ in false }.last?.data == #"{"reason":"token"}"#)
        #expect(await other.send(.get, path).status == 200)
        let find = await server.admin(.post, "/v1/admin/players/find", #"{"token":"c0ffee02"}"#)
        #expect(Self.found(find) == [])
        let start = await server.admin(.get, "/v1/admin/parties/\(stage.party)").body["activities"]
        #expect(start[0]["state"].string == "active" && start[0]["hasPushToken"].bool == true)
        let back = await server.send(
            .post, "/v1/players/recover",
            #"{"recoveryCode":"\#(recovery.string ?? "")","device":"new-phone"}"#)
        #expect(back.status == 201 && back.body["player"].string == stage.panda.id)
        await server.server.drain()
    }

    @Test("signing a player out is one row of the audit log, whoever is told of it")
    func signOutAudit() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let path = "/v1/admin/players/\(panda.id)/token"
        let director = try await Self.key(.director, at: server)
        #expect(await server.send(.delete, path, as: director).status == 403)
        #expect(await panda.send(.delete, path).status == 401)
        #expect(await panda.send(.get, "/v1/me").status == 200)
        #expect(await server.admin(.delete, "/v1/admin/players/nobody/token").status == 404)
        #expect(await server.admin(.delete, path).status == 204)
        let rows = await server.admin(.get, "/v1/admin/audit").body["calls"].array
            .filter { $0["action"].string == "DELETE /v1/admin/players/{player}/token" }
        #expect(rows.compactMap { $0["status"].number } == [204, 404, 401, 403])
        #expect(rows.map { $0["target"].string } == [panda.id, "nobody", panda.id, panda.id])
        await server.server.drain()
    }

    @Test("a request that is under way while its player is signed out brings no token back")
    func signOutMeanwhile() async throws {
        for _ in 0..<10 {
            let server = try await TestServer()
            let panda = try await TestPlayer.make("Power Panda", at: server)
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        if number == 10 {
                            _ = await server.admin(.delete, "/v1/admin/players/\(panda.id)/token")
                        } else if number.isMultiple(of: 2) {
                            _ = await panda.send(.post, "/v1/me/token")
                        } else {
                            _ = await panda.send(
                                .post, "/v1/me/devices", #"{"device":"phone-\#(number)"}"#)
                        }
                    }
                }
            }
            #expect(await panda.send(.get, "/v1/me").status == 401)
            let shown = await server.admin(.get, "/v1/admin/players/\(panda.id)").body
            #expect(shown["signedIn"].array.isEmpty)
            await server.server.drain()
        }
    }

    // MARK: Ending a card

    @Test("a card that a game master ends gets a last push, and no app brings it back")
    func ended() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        await stage.apns.untilSent(1)
        #expect(await stage.panda.watch("activity-2").status == 204)
        let server = stage.server
        let key = try await Self.key(.gameMaster, at: server)
        let path = "/v1/admin/activities/activity-1"
        #expect(await server.send(.delete, path, as: key).status == 204)
        #expect(
            await server.step(until: {
                stage.apns.pushes.contains { $0.aps["event"].string == "end" }
            }))
        func pushes(_ activity: String) -> [FakeAPNs.Push] {
            stage.apns.pushes.filter { $0.request.token.hex == TestPlayer.token(of: activity) }
        }
        let count = pushes("activity-1").count
        let end = try #require(pushes("activity-1").last)
        #expect(end.aps["event"].string == "end" && end.aps["alert"].isNull)
        // The adventure and the other card go on.
        let others = pushes("activity-2").count
        #expect(await server.step(until: { pushes("activity-2").count > others + 1 }))
        #expect(pushes("activity-1").count == count)
        #expect(await !stage.isOver())
        #expect(await stage.panda.watch("activity-1", token: "dada").status == 409)
        let cards = await server.admin(.get, "/v1/admin/parties/\(stage.party)/cards").body["cards"]
        let shown = cards.array.first { $0["activity"].string == "activity-1" }
        #expect(shown?["shown"]["form"].string == "end" && shown?["state"].string == "ended")
        await server.server.drain()
    }

    @Test("the row of an ended card has the card, its party, and what has changed")
    func endAudit() async throws {
        let stage = try await Stage.make()
        let server = stage.server
        let path = "/v1/admin/activities/activity-1"
        let moderator = try await Self.key(.moderator, at: server)
        #expect(await server.send(.delete, path, as: moderator).status == 403)
        #expect(await stage.panda.send(.delete, path).status == 401)
        #expect(await server.admin(.delete, "/v1/admin/activities/nothing").status == 404)
        #expect(await server.admin(.delete, path).status == 204)
        let rows = await server.admin(.get, "/v1/admin/audit").body["calls"].array
            .filter { $0["action"].string == "DELETE /v1/admin/activities/{activity}" }
        #expect(rows.compactMap { $0["status"].number } == [204, 404, 401, 403])
        #expect(rows[0]["target"].string == "activity-1")
        #expect(rows[0]["before"]["party"].string == stage.party)
        #expect(rows[0]["before"]["ends"].bool == false && rows[0]["after"]["ends"].bool == true)
        #expect(rows[1]["before"].isNull)
        await server.server.drain()
    }

    @Test("of 200 requests to end a card each is right, and one push ends it")
    func endedAtOnce() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        await stage.apns.untilSent(1)
        let (statuses, _) = await FairLimitTests.storm { _ in
            await FairLimitTests.patiently {
                await stage.server.admin(.delete, "/v1/admin/activities/activity-1")
            }
        }
        #expect(statuses == [204: 200])
        await stage.server.step(forSeconds: 20)
        #expect(stage.apns.pushes.count { $0.aps["event"].string == "end" } == 1)
        await stage.server.server.drain()
    }

    @Test("a card without a push token gets its end with the app's next token")
    func endedWithoutToken() async throws {
        let stage = try await Stage.make()
        #expect(await stage.panda.watch("activity-2", token: nil).status == 204)
        try await stage.start()
        #expect(
            await stage.server.admin(.delete, "/v1/admin/activities/activity-2").status == 204)
        await stage.server.step(forSeconds: 2)
        #expect(await stage.panda.watch("activity-2", token: "dada").status == 204)
        #expect(
            await stage.server.step(until: {
                stage.apns.pushes.contains {
                    $0.request.token.hex == "dada" && $0.aps["event"].string == "end"
                }
            }))
        #expect(stage.apns.pushes.count { $0.request.token.hex == "dada" } == 1)
        await stage.server.server.drain()
    }
}
