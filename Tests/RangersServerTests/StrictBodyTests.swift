import HTTPServer
import Testing

@testable import RangersServer

@Suite("Request bodies are strict", .timeLimit(.minutes(1)), .simulated)
struct StrictBodyTests {
    @Test("every endpoint refuses an unknown field by its name")
    func unknownFields() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        #expect(await panda.watch("activity-1").status == 204)
        var tried = 0
        for route in Routes.all where route.method != .get && route.method != .delete {
            let path = route.template.replacing("{party}", with: party.id)
                .replacing("{activity}", with: "activity-1").replacing("{device}", with: "phone")
            let token = route.access.isAdmin ? TestServer.adminKey : panda.token
            let answer = await server.send(route.method, path, #"{"surprise":1}"#, as: token)
            tried += 1
            let detail = answer.body["detail"].string ?? ""
            // A pack is a document with many faults at once.
            if route.template == "/v1/admin/packs/{pack}" {
                #expect(answer.status == 422 && detail.contains("surprise: no such field"))
                continue
            }
            #expect(answer.status == 400, "\(route.template): \(answer.text)")
            #expect(
                detail.hasPrefix(#"The field "surprise" is not known here; "#),
                "\(route.template): \(detail)")
        }
        #expect(tried == 42)
        await server.server.drain()
    }

    @Test("a game master's misspelt hero rewards nobody")
    func misspeltHero() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        let started = await panda.send(.post, "/v1/parties/\(party.id)/adventure")
        let answer = await server.admin(
            .post, "/v1/admin/parties/\(party.id)/loot", #"{"hreo":"\#(panda.hero)"}"#)
        #expect(answer.status == 400)
        #expect(
            answer.body["detail"].string
                == #"The field "hreo" is not known here; known are "hero"."#)
        let after = await panda.send(.get, "/v1/parties/\(party.id)")
        #expect(after.body["version"].number == started.body["version"].number)
        await server.server.drain()
    }

    @Test(
        "a refusal repeats only what looks like a field's name",
        arguments: [String(repeating: "x", count: 31), "", "a1b2c3", "a b", "日本"])
    func oddName(name: String) async throws {
        let server = try await TestServer()
        let answer = await server.send(.post, "/v1/players", "{\"\(name)\":1}")
        #expect(answer.status == 400)
        #expect(
            answer.body["detail"].string
                == #"A field of the body is not known here; known are "device"."#)
        await server.server.drain()
    }

    @Test(
        "what JSONDecoder lets pass is refused",
        arguments: [
            #"{"hero":"a","hero":"b"}"#, #"{"hero":"HERO",}"#, #"{,"hero":"HERO"}"#,
            #"{"hero":"HERO"} {}"#, #"{"hero":"HERO"},"#, #"{hero:"HERO"}"#, #"{'hero':'HERO'}"#,
            #"{"hero":"HERO"/* */}"#, #"{"h\u0065ro":"HERO","hero":"HERO"}"#, #"["HERO"]"#,
            "\u{FEFF}{\"hero\":\"HERO\"}", #"{"hero":"HERO\u0000"} "#, #"{"Hero":"HERO"}"#,
        ])
    func strictJSON(body: String) async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let answer = await panda.send(
            .post, "/v1/parties", body.replacing("HERO", with: panda.hero))
        #expect([400, 404].contains(answer.status), "\(answer.text)")
        #expect(answer.status == 400 || body.contains("u0000"))
        #expect(await panda.send(.get, "/v1/parties").body["parties"].array.isEmpty)
        await server.server.drain()
    }

    @Test(
        "a number that no integer holds is refused as such",
        arguments: [
            #""at":-2350631309249632653059031040"#, #""at":1e300"#, #""ifVersion":0"#,
            #""ifVersion":9007199254740993"#, #""cohort":{"level":[1,9007199254740993]}"#,
        ])
    func largeNumber(field: String) async throws {
        let server = try await TestServer()
        let party = field.contains("cohort") ? "" : #","party":"party-1""#
        let answer = await server.admin(
            .post, "/v1/admin/commands", #"{"command":{"name":"storm"}\#(party),\#(field)}"#)
        #expect(answer.status == 400)
        let detail = try #require(answer.body["detail"].string)
        #expect(["a number in it", "must be"].contains { detail.contains($0) }, "\(detail)")
        await server.server.drain()
    }

    @Test("a repeated field is named, and so is one inside an array")
    func places() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let twice = await panda.send(.post, "/v1/parties", #"{"hero":"a","hero":"b"}"#)
        #expect(twice.body["detail"].string == #"The field "hero" occurs twice."#)
        let inner = await panda.send(
            .post, "/v1/me/reconcile",
            #"{"device":"phone","activities":[{"id":"a","hero":"b","state":"active"},"#
                + #"{"id":"c","hero":"b","state":"active","pushtoken":"aa"}]}"#)
        #expect(
            inner.body["detail"].string
                == #"The field "activities.1.pushtoken" is not known here; known are "id", "#
                + #""hero", "state", "pushToken"."#)
        await server.server.drain()
    }

    @Test("an empty push token is refused, and so is one that is not hex")
    func emptyTokens() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        for token in ["", " ", "a", "AB", "0x12"] {
            #expect(await panda.watch("activity-1", token: token).status == 400)
            #expect(await panda.offer("phone", token: token).status == 400)
        }
        let me = await panda.send(.get, "/v1/me")
        #expect(me.body["activities"].array.isEmpty && me.body["devices"].array.isEmpty)
        let nobody = await server.send(.get, "/v1/me", as: "")
        #expect(nobody.status == 401)
        await server.server.drain()
    }

    @Test("a malformed language tag is refused; a language without translation is English")
    func languages() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        for tag in ["", "e", "en_US", "-en", "en-", "en--US", "12", "en US", "deutschland", "日本"] {
            #expect(await panda.watch("activity-1", language: tag).status == 400, "\(tag)")
            #expect(await panda.offer("phone", token: "aa", language: tag).status == 400)
        }
        let long = "en" + String(repeating: "-abcdefgh", count: 4)
        #expect(await panda.watch("activity-1", language: long).status == 400)
        for (tag, language) in [
            ("tlh", "en"), ("en-GB", "en"), ("pt-BR", "en"), ("zh-Hans-CN", "zh-Hans"),
            ("DE-at", "de"), ("de-DE-1996", "de"),
        ] {
            #expect(await panda.watch("activity-1", language: tag).status == 204, "\(tag)")
            let shown = await panda.send(.get, "/v1/activities/activity-1")
            #expect(shown.body["language"].string == language)
        }
        await server.server.drain()
    }

    @Test("a malformed system version is refused")
    func versions() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        for version in ["", "18.", ".1", "eighteen", "18.1-beta", "18 1", "1.2.3.4.5", "12345"] {
            let answer = await panda.offer("phone", token: "aa", osVersion: version)
            #expect(answer.status == 400, "\(version)")
        }
        for version in ["18", "17.2", "18.1.1", "26.0"] {
            let answer = await panda.offer("phone", token: "aa", osVersion: version)
            #expect(answer.status == 204, "\(version)")
        }
        await server.server.drain()
    }
}
