import APNsClient
import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// What a registration omits stays as it is: silence erases nothing.
@Suite("T5: what a registration omits stays", .timeLimit(.minutes(1)), .simulated)
struct PartialRegistrationTests {
    private static let card = "activity-1"

    private func shown(_ stage: Stage) async -> Value {
        await stage.panda.send(.get, "/v1/activities/\(Self.card)").body
    }

    /// A card with everything that an app can say of it.
    private func fullStage() async throws -> Stage {
        let stage = try await Stage.make()
        let more =
            #","stateVersion":2,"utcOffsetMinutes":60,"quietHours":{"from":1,"to":5},"revision":1"#
        let put = await stage.panda.watch(Self.card, language: "ja", device: "phone", more: more)
        try #require(put.status == 204)
        return stage
    }

    @Test(
        "T5: an app reports one thing, and everything else stays",
        arguments: [
            (#""language":"de""#, "language"),
            (#""frequentPushesEnabled":false"#, "frequentPushesEnabled"),
            (#""osVersion":"18.2""#, "osVersion"), (#""stateVersion":1"#, "stateVersion"),
            (#""utcOffsetMinutes":120"#, "quietHours"), (#""quietHours":{"from":3}"#, "quietHours"),
            (#""device":"tablet""#, "device"), (#""revision":2"#, "revision"),
        ])
    func oneThing(report: String, field: String) async throws {
        let stage = try await fullStage()
        let before = await shown(stage)
        #expect(before["hasPushToken"].bool == true)
        #expect(await stage.panda.report(report, of: Self.card).status == 204)
        guard case .object(let old) = before, case .object(let new) = await shown(stage) else {
            Issue.record("an activity is an object")
            return
        }
        let changed = old.keys.filter { $0 != "rush" && old[$0] != new[$0] }
        #expect(old.count == new.count)
        #expect(changed == [field])
        await stage.server.server.drain()
    }

    @Test("T5: the card goes on with the token that a report of the language omits")
    func goesOn() async throws {
        let stage = try await Stage.make()
        #expect(await stage.panda.report(#""language":"de""#, of: Self.card).status == 204)
        let before = stage.apns.pushes.count
        try await stage.start()
        await stage.apns.untilSent(before + 1)
        let push = try #require(stage.apns.pushes.last)
        #expect(push.request.token.hex == TestPlayer.token(of: Self.card))
        await stage.server.server.drain()
    }

    @Test("the quiet hours keep what one of their parts omits")
    func quietHours() async throws {
        let stage = try await fullStage()
        #expect(await stage.panda.report(#""quietHours":{"to":6}"#, of: Self.card).status == 204)
        let hours = await shown(stage)["quietHours"]
        #expect(hours["utcOffsetMinutes"].number == 60)
        #expect(hours["from"].number == 1 && hours["to"].number == 6)
        await stage.server.server.drain()
    }

    @Test("A6: a report without the token does not confirm it: what APNs calls dead is retired")
    func confirmsNothing() async throws {
        let stage = try await Stage.make()
        stage.apns.answer(.later)
        try await stage.start()
        await stage.apns.untilSent(1)
        await stage.server.step(forSeconds: 5)
        #expect(await stage.panda.report(#""osVersion":"18.2""#, of: Self.card).status == 204)
        let dead = LedgerTests.refusal(410, "Unregistered")
        stage.apns.answer(.at(once: dead))
        stage.apns.release(dead)
        #expect(
            await stage.server.step(until: { await shown(stage)["hasPushToken"].bool == false }))
        #expect(stage.apns.pushes.count == 1)
        await stage.server.server.drain()
    }

    @Test("what the app has said of the state stays when it registers again")
    func state() async throws {
        let stage = try await Stage.make()
        _ = await stage.panda.send(
            .post, "/v1/activities/\(Self.card)/state", #"{"state":"stale"}"#)
        #expect(await stage.panda.watch(Self.card).status == 204)
        #expect(await shown(stage)["state"].string == "stale")
        await stage.server.server.drain()
    }

    // MARK: What is refused

    @Test(
        "no field may be null, and the refusal says what removes it",
        arguments: [
            ("hero", "Omit it"), ("pushToken", "DELETE /v1/activities/{activity}/push-token"),
            ("environment", "Omit it"), ("language", "Omit it"), ("device", "Omit it"),
            ("stateVersion", "Omit it"), ("revision", "Omit it"), ("page", "Omit it"),
            ("frequentPushesEnabled", "Omit it"), ("osVersion", "Omit it"),
            ("utcOffsetMinutes", "Omit it"), ("quietHours", "the same hour twice means none"),
        ])
    func null(field: String, advice: String) async throws {
        let stage = try await Stage.make()
        let path = "/v1/activities/\(Self.card)"
        let before = await stage.panda.send(.get, path).text
        let answer = await stage.panda.report(#""\#(field)":null"#, of: Self.card)
        #expect(answer.status == 400)
        let detail = try #require(answer.body["detail"].string)
        #expect(detail.hasPrefix(#"The field "\#(field)" is null. "#))
        #expect(detail.contains(advice))
        #expect(await stage.panda.send(.get, path).text == before)
        await stage.server.server.drain()
    }

    @Test("no PUT takes null for a field")
    func nullAnywhere() async throws {
        let stage = try await Stage.make()
        let names = [
            "activity": Self.card, "hero": stage.panda.hero, "party": stage.party,
            "device": "phone",
        ]
        var tried: Set<String> = []
        for route in Routes.all where route.method == .put {
            let path = names.reduce(route.template) {
                $0.replacing("{\($1.key)}", with: $1.value)
            }
            for field in route.described?.body?.properties ?? [] {
                let body = #"{"\#(field.name)":null}"#
                let answer =
                    route.access == .player
                    ? await stage.panda.send(.put, path, body)
                    : await stage.server.admin(.put, path, body)
                let refusal = #"The field "\#(field.name)" is null. "#
                #expect(answer.status == 400)
                #expect(answer.body["detail"].string?.hasPrefix(refusal) == true)
                tried.insert(route.template)
            }
        }
        #expect(
            tried == [
                "/v1/activities/{activity}", "/v1/players/me/push-to-start-tokens/{device}",
                "/v1/players/me/widgets/{device}", "/v1/heroes/{hero}/orders",
                "/v1/parties/{party}/leader", "/v1/parties/{party}/channel",
                "/v1/admin/heroes/{hero}/name",
            ])
        await stage.server.server.drain()
    }

    @Test(
        "the first registration needs what nobody knows yet",
        arguments: ["hero", "environment", "frequentPushesEnabled", "language", "osVersion"])
    func first(field: String) async throws {
        let stage = try await Stage.make()
        let all = [
            "hero": #""\#(stage.panda.hero)""#, "environment": #""sandbox""#,
            "frequentPushesEnabled": "true", "language": #""en""#, "osVersion": #""18.1""#,
        ]
        let given = all.filter { $0.key != field }.map { #""\#($0.key)":\#($0.value)"# }
        let answer = await stage.panda.report(given.joined(separator: ","), of: "activity-2")
        #expect(answer.status == 400)
        #expect(answer.body["detail"].string?.contains(#""\#(field)" is missing"#) == true)
        await stage.server.server.drain()
    }

    @Test("a token belongs to one environment: another one needs another token")
    func environment() async throws {
        let stage = try await Stage.make()
        let alone = await stage.panda.report(#""environment":"production""#, of: Self.card)
        #expect(alone.status == 409)
        #expect(alone.body["detail"].string?.contains("sandbox environment") == true)
        let both = #""environment":"production","pushToken":"ee""#
        #expect(await stage.panda.report(both, of: Self.card).status == 204)
        #expect(await shown(stage)["environment"].string == "production")
        await stage.server.server.drain()
    }

    @Test("a misspelt quiet hour is refused by its name")
    func misspelt() async throws {
        let stage = try await Stage.make()
        let answer = await stage.panda.report(
            #""utcOffsetMinutes":60,"quietHours":{"form":1}"#, of: Self.card)
        #expect(answer.status == 400)
        #expect(answer.body["detail"].string?.contains(#""quietHours.form""#) == true)
        await stage.server.server.drain()
    }

    // MARK: Taking the token away

    private static let token = "/v1/activities/\(card)/push-token"

    @Test("DELETE …/push-token removes the token: nothing is pushed until there is another")
    func removal() async throws {
        let stage = try await Stage.make()
        #expect(await stage.panda.send(.delete, Self.token).status == 204)
        #expect(await shown(stage)["hasPushToken"].bool == false)
        #expect(await stage.panda.send(.delete, Self.token).status == 404)
        let before = stage.apns.pushes.count
        try await stage.start()
        for _ in 0..<20 { await stage.server.step() }
        #expect(stage.apns.pushes.count == before)
        #expect(await stage.panda.report(#""pushToken":"ee""#, of: Self.card).status == 204)
        await stage.apns.untilSent(before + 1)
        #expect(stage.apns.pushes.last?.request.token.hex == "ee")
        await stage.server.server.drain()
    }

    @Test("PR15: nobody removes another player's token")
    func foreignRemoval() async throws {
        let stage = try await Stage.make()
        let thief = try await TestPlayer.make("Thief", at: stage.server)
        #expect(await thief.send(.delete, Self.token).status == 404)
        #expect(await shown(stage)["hasPushToken"].bool == true)
        await stage.server.server.drain()
    }

    @Test("a page has no token to remove, and keeps being a page when it says its language")
    func page() async throws {
        let scene = try await PageScene.make()
        let path = "/v1/activities/\(scene.activity)"
        #expect(await scene.panda.send(.delete, path + "/push-token").status == 409)
        #expect(await scene.panda.send(.put, path, #"{"language":"de"}"#).status == 204)
        let page = await scene.panda.send(.get, path).body
        #expect(page["page"].bool == true && page["language"].string == "de")
        await scene.server.server.drain()
    }

    @Test("a party on an adventure whose card has no token needs somebody; one at rest does not")
    func needsSomebody() async throws {
        let stage = try await Stage.make()
        func urgent() async -> Value {
            await stage.server.admin(.get, "/v1/admin/parties?order=urgency").body["needs"]
        }
        #expect(await stage.panda.send(.delete, Self.token).status == 204)
        #expect(await urgent().array.isEmpty)
        try await stage.start()
        #expect(await urgent()[0]["party"].string == stage.party)
        #expect(await urgent()[0]["tokenless"].number == 1)
        #expect(await stage.panda.report(#""pushToken":"ee""#, of: Self.card).status == 204)
        #expect(await !urgent().array.contains { $0["tokenless"].number != 0 })
        await stage.server.server.drain()
    }
}
