import HTTPServer
import Testing

@testable import RangersServer

@Suite("Garbage gets a problem, never a 500, never a change", .timeLimit(.minutes(2)), .simulated)
struct GarbageTests {
    static let bodies = [
        "", "null", "[]", "{", "{}", "\"text\"", "12", #"{"hero":null}"#, #"{"hero":12}"#,
        #"{"hero":{"a":[1]}}"#, #"{"name":12,"avatar":true,"heroType":[]}"#,
        #"{"name":"","avatar":"🐼","heroType":"x"}"#,
        #"{"name":"x","avatar":"🐼🐼","heroType":"x"}"#,
        #"{"name":"x","avatar":"a","heroType":"x"}"#,
        "{\"name\":\"x\\u0000y\",\"avatar\":\"🐼\",\"heroType\":\"x\"}",
        #"{"name":"x","avatar":"🐼","heroType":"x","healthRecoveryRatePerHour":1e99}"#,
        #"{"hero":"hero-x","inviteCode":"ABCDEFGH"}"#, #"{"inviteCode":12,"hero":"x"}"#,
        #"{"hero":"hero-x","action":"dance"}"#, #"{"hero":"hero-x","action":"usePotion"}"#,
        #"{"language":"en"}"#, #"{"language":["en"]}"#, #"{"state":"happy"}"#,
        #"{"state":"ended"}"#,
        #"{"hero":"x","environment":"moon","frequentPushesEnabled":1,"language":2}"#,
        #"{"pushToStartToken":"xyz","attributesType":"AdventureAttributes"}"#,
        #"{"pushToStartToken":"aa","attributesType":"Other","environment":"sandbox","#
            + #""frequentPushesEnabled":true,"language":"en","osVersion":"18.0"}"#,
        String(repeating: "[", count: 3000), String(repeating: "9", count: 5000),
        #"{"name":"\#(String(repeating: "x", count: 5000))","avatar":"🐼","heroType":"x"}"#,
    ]

    /// Every route with a body each, once with all bodies and once with all paths: a route reads one
    /// after the other, so nothing is found by trying each path with each body.
    static var requests: [(Method, path: String, body: String)] {
        // Not the deletion of the account, which the player may repeat, nor the large description.
        Routes.all.filter { $0.template != DeleteMe.route.template || $0.method != .delete }
            .filter { $0.template != OpenAPI.route.template }
            .flatMap { route in
                bodies.map { (route.method, fill(route.template, with: "nobody"), $0) }
                    + names.map { (route.method, fill(route.template, with: $0), "{}") }
            }
    }

    /// Values for the `{…}` of a route; nothing of that name exists.
    private static let names = [
        "nobody", "%00", "..", "%F0%9F%90%BC", String(repeating: "x", count: 300),
    ]

    static func fill(_ template: String, with value: String) -> String {
        template.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("{") ? value : String($0) }.joined(separator: "/")
    }

    @Test("every endpoint, as a player and as a game master")
    func everything() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        let before = await panda.send(.get, "/v1/parties/\(party.id)").text
        for (method, path, body) in Self.requests {
            for token in [panda.token, TestServer.adminKey, "wrong", nil] {
                let answer = await server.send(method, path, body, as: token)
                let shown = "\(method) \(path) \(body.prefix(60)): \(answer.text.prefix(200))"
                #expect(answer.status < 500, "\(shown)")
                guard answer.status >= 400 else { continue }
                #expect(answer.headers["content-type"] == "application/problem+json")
                #expect(answer.body["detail"].string?.isEmpty == false, "\(shown)")
            }
        }
        let after = await panda.send(.get, "/v1/parties/\(party.id)").text
        #expect(after == before)
        await server.server.drain()
    }

    @Test("PR15: a resource of another player gets the response of an unknown one")
    func foreignObjects() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let thief = try await TestPlayer.make("Thief", at: server)
        let party = try await panda.found()
        #expect(await panda.watch("activity-1").status == 204)
        #expect(await panda.offer("phone", token: "aa").status == 204)
        let attempts: [(Method, String, String?)] = [
            (.get, "/v1/parties/\(party.id)", nil),
            (.post, "/v1/parties/\(party.id)/adventure", nil),
            (.post, "/v1/parties", #"{"hero":"\#(panda.hero)"}"#),
            (
                .post, "/v1/parties/\(party.id)/actions",
                #"{"hero":"\#(panda.hero)","action":"leave"}"#
            ),
            (.put, "/v1/parties/\(party.id)/channel", #"{"language":"en"}"#),
            (.get, "/v1/parties/\(party.id)/channel", nil),
            (.delete, "/v1/parties/\(party.id)/channel", nil),
            (.get, "/v1/activities/activity-1", nil),
            (.delete, "/v1/activities/activity-1", nil),
            (.delete, "/v1/players/me/push-to-start-tokens/phone", nil),
            (.delete, "/v1/activities/activity-1/push-token", nil),
            (.post, "/v1/activities/activity-1/state", #"{"state":"dismissed"}"#),
        ]
        for (method, path, body) in attempts {
            let answer = await thief.send(method, path, body)
            #expect(answer.status == 404, "\(method) \(path): \(answer.text)")
        }
        await server.server.drain()
    }

    @Test("PR15: an id of a Live Activity that another player has is taken, and says no more")
    func takenID() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let thief = try await TestPlayer.make("Thief", at: server)
        let party = try await panda.found()
        _ = try await thief.found()
        #expect(await panda.watch("activity-1").status == 204)
        let before = await panda.send(.get, "/v1/activities/activity-1").text
        for answer in [
            await thief.watch("activity-1", token: "aa"),
            await thief.report(#""language":"de""#, of: "activity-1"),
        ] {
            #expect(answer.status == 409)
            let detail = answer.body["detail"].string ?? ""
            #expect(detail.hasPrefix("Live Activity activity-1 is taken: "))
            for secret in [panda.id, panda.hero, party.id] { #expect(!detail.contains(secret)) }
        }
        #expect(await panda.send(.get, "/v1/activities/activity-1").text == before)
        #expect(await thief.send(.get, "/v1/activities/activity-1").status == 404)
        #expect(await thief.send(.delete, "/v1/activities/activity-1").status == 404)
        await server.server.drain()
    }

    @Test("a player cannot act with another member's hero")
    func anotherMembersHero() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let egghead = try await TestPlayer.make("Egghead", at: server)
        let party = try await panda.found()
        _ = await egghead.join(party.code)
        let answer = await egghead.send(
            .post, "/v1/parties/\(party.id)/actions",
            #"{"hero":"\#(panda.hero)","action":"leave"}"#)
        #expect(answer.status == 403)
        await server.server.drain()
    }

    @Test("every endpoint that changes something refuses a body that is not a JSON object")
    func brokenBodies() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        #expect(await panda.watch("activity-1").status == 204)
        for body in ["{", "[]", "nonsense", "{\"a\":}"] {
            for route in Routes.all where route.method != .get && route.method != .delete {
                let path = route.template.replacing("{party}", with: party.id)
                    .replacing("{activity}", with: "activity-1")
                    .replacing("{device}", with: "phone")
                let token = route.access.isAdmin ? TestServer.adminKey : panda.token
                let answer = await server.send(route.method, path, body, as: token)
                #expect(answer.status == 400, "\(route.template) took \(body): \(answer.text)")
            }
        }
        let after = await panda.send(.get, "/v1/parties/\(party.id)")
        #expect(after.body["adventure"].isNull)
        await server.server.drain()
    }

    @Test("an unknown query does not fail a change")
    func queriesOfChanges() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let founded = await panda.send(
            .post, "/v1/parties?after=abc", #"{"hero":"\#(panda.hero)"}"#)
        #expect(founded.status == 201)
        let party = try #require(founded.body["id"].string)
        let asked = await panda.send(.get, "/v1/parties/\(party)?after=abc")
        #expect(asked.status == 400)
        await server.server.drain()
    }

    @Test("names cannot turn the direction of text")
    func directionMarks() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        for name in ["a\u{202E}b", "\u{2066}x", "x\u{200F}"] {
            let answer = await panda.send(
                .post, "/v1/heroes", #"{"name":"\#(name)","avatar":"🐼","heroType":"x"}"#)
            #expect(answer.status == 400)
        }
        let family = await panda.send(
            .post, "/v1/heroes", #"{"name":"Team 👩‍🚀","avatar":"👩‍🚀","heroType":"x"}"#)
        #expect(family.status == 201)
        await server.server.drain()
    }
}
