import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import PartyStore
@testable import RangersServer

/// D1: a lost response is harmless when the request has an `Idempotency-Key`.
@Suite("D1: requests with an Idempotency-Key", .timeLimit(.minutes(2)), .simulated)
struct IdempotencyTests {
    private static func hero(_ name: String) -> String {
        #"{"name":"\#(name)","avatar":"🐼","heroType":"Forest Dweller"}"#
    }

    /// A player on an adventure, whose hero is hurt.
    private static func hurtPanda(
        at server: TestServer
    ) async throws -> (panda: TestPlayer, actions: String, potion: String) {
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found().id
        try #require(await panda.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        try #require(await server.admin(.post, "/v1/admin/parties/\(party)/storm").status == 200)
        return (
            panda, "/v1/parties/\(party)/actions",
            #"{"hero":"\#(panda.hero)","action":"usePotion"}"#
        )
    }

    private static func potions(_ answer: TestServer.Answer) -> Double? {
        answer.body["heroes"][0]["potions"].number
    }

    enum Stop: CaseIterable {
        case none, drained, crashed
    }

    @Test("D1: a repeated POST /v1/parties returns the party it created", arguments: Stop.allCases)
    func partyOnce(stop: Stop) async throws {
        let first = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: first)
        let body = #"{"hero":"\#(panda.hero)"}"#
        let made = await panda.send(.post, "/v1/parties", body, key: "founding")
        #expect(made.status == 201)
        if stop == .drained { await first.server.drain() }
        let second = stop == .none ? first : try await TestServer(file: first.file)
        let player = panda.moved(to: second)
        let again = await player.send(.post, "/v1/parties", body, key: "founding")
        #expect(again.status == 201)
        #expect(again.body["id"].string == made.body["id"].string)
        #expect(again.body["version"].number == made.body["version"].number)
        #expect(await player.send(.post, "/v1/parties", body).status == 409)
        await second.server.drain()
        if stop == .crashed { await first.server.drain() }
    }

    @Test("D1: a repeated usePotion drinks one potion, also when none is left")
    func potionOnce() async throws {
        let server = try await TestServer()
        let (panda, actions, potion) = try await Self.hurtPanda(at: server)
        let before = try #require(Self.potions(await panda.send(.get, "/v1/parties").first))
        for _ in 0..<3 {
            let drunk = await panda.send(.post, actions, potion, key: "one")
            #expect(drunk.status == 200)
            #expect(Self.potions(drunk) == before - 1)
        }
        while await panda.send(.post, actions, potion).status == 200 {}
        #expect(await panda.send(.post, actions, potion).status == 409)
        #expect(await panda.send(.post, actions, potion, key: "one").status == 200)
        await server.server.drain()
    }

    @Test("D1: a key of another request is refused with 422, whatever differs")
    func otherRequest() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let made = await panda.send(.post, "/v1/heroes", Self.hero("One"), key: "k")
        #expect(made.status == 201)
        let body = await panda.send(.post, "/v1/heroes", Self.hero("Two"), key: "k")
        let route = await panda.send(.post, "/v1/parties", Self.hero("One"), key: "k")
        for answer in [body, route] {
            #expect(answer.status == 422)
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(answer.body["title"].string == "Idempotency-Key is already used")
        }
        let others = try await TestPlayer.make("Other", at: server)
        #expect(await others.send(.post, "/v1/heroes", Self.hero("Two"), key: "k").status == 201)
        #expect(await panda.send(.get, "/v1/heroes").body["heroes"].array.count == 2)
        await server.server.drain()
    }

    @Test("D1: 200 equal requests at once make one change and get 200 equal results")
    func manyAtOnce() async throws {
        let server = try await TestServer()
        let (panda, actions, potion) = try await Self.hurtPanda(at: server)
        let idle = try await panda.anotherHero("Idle")
        let requests = [
            ("/v1/heroes", Self.hero("Many")), ("/v1/parties", #"{"hero":"\#(idle.hero)"}"#),
            (actions, potion),
        ]
        for (path, body) in requests {
            let answers = await withTaskGroup(of: TestServer.Answer.self) { group in
                for _ in 0..<FairLimitTests.atOnce {
                    group.addTask {
                        await panda.send(.post, path, body, key: "key-\(path.count)")
                    }
                }
                return await group.reduce(into: [TestServer.Answer]()) { $0.append($1) }
            }
            #expect(answers.count == FairLimitTests.atOnce)
            let results = Set(answers.map { "\($0.status) \($0.body["id"].string ?? "")" })
            #expect(results.count == 1, "\(path): \(results)")
            #expect(answers.allSatisfy { $0.status < 300 } && !answers.isEmpty)
            #expect(Set(answers.map(Self.potions)).count == 1)
        }
        #expect(await panda.send(.get, "/v1/heroes").body["heroes"].array.count == 3)
        #expect(await panda.send(.get, "/v1/parties").body["parties"].array.count == 2)
        await server.server.drain()
    }

    /// One request for each POST of players, in an order in which each succeeds.
    private static func requests(
        _ panda: TestPlayer, _ guest: TestPlayer, _ party: (id: String, code: String)
    ) -> [(template: String, player: TestPlayer, path: String, body: String)] {
        let path = "/v1/parties/\(party.id)"
        let join = #"{"inviteCode":"\#(party.code)","hero":"\#(guest.hero)"}"#
        let lead = #"{"hero":"\#(panda.hero)","action":"claimLead"}"#
        return [
            ("/v1/heroes", panda, "/v1/heroes", hero("Another")),
            ("/v1/parties", guest, "/v1/parties", #"{"hero":"\#(guest.hero)"}"#),
            ("/v1/parties/join", guest, "/v1/parties/join", join),
            ("/v1/parties/{party}/code", panda, "\(path)/code", #"{"rotate":true}"#),
            (
                "/v1/parties/{party}/ready", panda, "\(path)/ready",
                #"{"pack":"stolen-pie"}"#
            ),
            ("/v1/parties/{party}/adventure", panda, "\(path)/adventure", "{}"),
            ("/v1/parties/{party}/actions", panda, "\(path)/actions", lead),
            (
                "/v1/heroes/{hero}/reports", panda, "/v1/heroes/\(guest.hero)/reports",
                #"{"party":"\#(party.id)"}"#
            ),
            (
                "/v1/parties/{party}/members/{hero}/kick", panda,
                "\(path)/members/\(guest.hero)/kick", "{}"
            ),
            (
                "/v1/activities/{activity}/state", panda, "/v1/activities/activity-1/state",
                #"{"state":"ended"}"#
            ),
            (
                "/v1/me/reconcile", panda, "/v1/me/reconcile",
                #"{"device":"phone","activities":[]}"#
            ),
            ("/v1/me/devices", panda, "/v1/me/devices", #"{"device":"tablet"}"#),
            ("/v1/me/token", panda, "/v1/me/token", "{}"),
            ("/v1/me/recovery-code", panda, "/v1/me/recovery-code", "{}"),
        ]
    }

    /// The requests whose responses have secrets: repeated, they are refused.
    private static let secretRoutes = ["/v1/me/devices", "/v1/me/token", "/v1/me/recovery-code"]

    /// Tested where they can succeed: HeroHomeTests and AnswerTests.
    private static let elsewhere = ["/v1/heroes/{hero}/shop", "/v1/parties/{party}/answers"]

    @Test("D1: every POST of a player keeps its key, and repeats its result")
    func everyRoute() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let guest = try await TestPlayer.make("Guest", at: server)
        let party = try await panda.found()
        try #require(await panda.watch("activity-1").status == 204)
        let requests = Self.requests(panda, guest, party)
        let posts = Routes.all.filter { $0.method == .post && $0.access == .player }
        // A new route must be added here; its change must keep `call.result`.
        let tested = requests.map(\.template) + Self.elsewhere
        #expect(tested.sorted() == posts.map(\.template).sorted())
        for (number, request) in requests.enumerated() {
            func send() async -> TestServer.Answer {
                await request.player.send(
                    .post, request.path, request.body, key: "key-\(number)")
            }
            let first = await send()
            #expect(first.status < 300, "\(request.path): \(first.text)")
            #expect(try Self.rowCount(in: server.file) == number + 1, "\(request.path)")
            let again = await send()
            if Self.secretRoutes.contains(request.template) {
                #expect(again.status == 409 && again.text.contains("a secret"), "\(request.path)")
            } else {
                #expect(again.status == first.status, "\(request.path): \(again.text)")
                #expect(again.body["id"].string == first.body["id"].string, "\(request.path)")
            }
            // The guest joins next.
            if request.template == "/v1/parties", let own = first.body["id"].string {
                _ = await guest.send(.delete, "/v1/parties/\(own)")
            }
        }
        await server.server.drain()
    }

    @Test("D1: the same request while the first is in flight waits for its result")
    func inFlight() async throws {
        let stage = try await Stage.make()
        let body = Self.hero("Slow")
        stage.store.hold()
        async let first = stage.panda.send(.post, "/v1/heroes", body, key: "slow")
        await stage.store.untilHolding()
        async let second = stage.panda.send(.post, "/v1/heroes", body, key: "slow")
        for _ in 0..<1000 { await Task.yield() }
        stage.store.release()
        let answers = await [first, second]
        #expect(answers.map(\.status) == [201, 201])
        #expect(answers[0].body["id"].string == answers[1].body["id"].string)
        #expect(await stage.panda.send(.get, "/v1/heroes").body["heroes"].array.count == 2)
        await stage.server.server.drain()
    }

    @Test("D1: a refused request is not kept: the same one again is a new try")
    func refusals() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found().id
        let actions = "/v1/parties/\(party)/actions"
        let potion = #"{"hero":"\#(panda.hero)","action":"usePotion"}"#
        for _ in 0..<2 {
            #expect(await panda.send(.post, actions, potion, key: "k").status == 409)
        }
        #expect(await panda.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        _ = await server.admin(.post, "/v1/admin/parties/\(party)/storm")
        #expect(await panda.send(.post, actions, potion, key: "k").status == 200)
        #expect(await panda.send(.post, actions, #"{"hero":"x"}"#, key: "k").status == 422)
        await server.server.drain()
    }

    @Test("D1: the newest 200 requests of a player are kept")
    func newest() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let made = await panda.send(.post, "/v1/heroes", Self.hero("First"), key: "first")
        let body = #"{"device":"phone","activities":[]}"#
        func reconcile(_ numbers: Range<Int>) async {
            for number in numbers {
                let path = "/v1/me/reconcile"
                #expect(await panda.send(.post, path, body, key: "k\(number)").status == 200)
            }
        }
        await reconcile(0..<KeptRequest.countMax - 1)
        let kept = await panda.send(.post, "/v1/heroes", Self.hero("First"), key: "first")
        #expect(kept.body["id"].string == made.body["id"].string)
        await reconcile(KeptRequest.countMax..<KeptRequest.countMax + 1)
        let gone = await panda.send(.post, "/v1/heroes", Self.hero("First"), key: "first")
        #expect(gone.status == 201 && gone.body["id"].string != made.body["id"].string)
        await server.server.drain()
    }

    @Test(
        "D1: a request is kept for a day; a clock that was set back ends no day early",
        arguments: [(-30 * 24, true), (-1, true), (23, true), (25, false)])
    func clock(hours: Int, isKept: Bool) async throws {
        let first = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: first)
        let made = await panda.send(.post, "/v1/heroes", Self.hero("Day"), key: "day")
        await first.server.drain()
        let clock = VirtualClock(now: first.clock.now.adding(seconds: Int64(hours) * 3600))
        let second = try await TestServer(file: first.file, clock: clock)
        let again = await panda.moved(to: second)
            .send(.post, "/v1/heroes", Self.hero("Day"), key: "day")
        #expect(again.status == 201)
        #expect((again.body["id"].string == made.body["id"].string) == isKept)
        await second.server.drain()
    }

    @Test("D1: after a day the server deletes what it kept of requests")
    func deleted() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = await panda.send(.post, "/v1/heroes", Self.hero("Day"), key: "day")
        #expect(try Self.rowCount(in: server.file) == 1)
        await server.untilAsleep()
        server.clock.advance(to: server.clock.now.adding(seconds: 26 * 3600))
        #expect(await server.step(until: { (try? Self.rowCount(in: server.file)) == 0 }))
        await server.server.drain()
    }

    private static func rowCount(in file: String) throws -> Int64 {
        try Database(path: file, access: .readOnly).integer("SELECT count(*) FROM requests")
    }

    @Test("D1: quotes around a key are not part of it; malformed keys are refused")
    func form() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let quoted = await panda.send(.post, "/v1/heroes", Self.hero("One"), key: "\"k-1\"")
        let plain = await panda.send(.post, "/v1/heroes", Self.hero("One"), key: "k-1")
        #expect(quoted.status == 201)
        #expect(quoted.body["id"].string == plain.body["id"].string)
        let long = String(repeating: "k", count: IdempotencyKey.lengthMax + 1)
        for key in ["", "\"\"", "a b", "a\"b", "a,b", "\u{e9}", long] {
            let answer = await panda.send(.post, "/v1/heroes", Self.hero("Two"), key: key)
            #expect(answer.status == 400 && answer.text.contains("Idempotency-Key"), "\(key)")
        }
        await server.server.drain()
    }

    @Test("D1: anonymous requests ignore the key")
    func anonymous() async throws {
        let server = try await TestServer()
        let first = await server.send(.post, "/v1/players", key: "k")
        let second = await server.send(.post, "/v1/players", key: "k")
        #expect(first.status == 201 && second.status == 201)
        #expect(first.body["player"].string != second.body["player"].string)
        await server.server.drain()
    }

    @Test("D1: a repeated reconciliation retires nothing that was registered since")
    func reconcile() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        #expect(await panda.watch("old", token: "a1", device: "phone").status == 204)
        let body = #"{"device":"phone","activities":[]}"#
        let first = await panda.send(.post, "/v1/me/reconcile", body, key: "launch")
        #expect(first.body["retired"].strings == ["old"])
        #expect(await panda.watch("new", token: "a2", device: "phone").status == 204)
        let again = await panda.send(.post, "/v1/me/reconcile", body, key: "launch")
        #expect(again.text == first.text)
        #expect(
            await panda.send(.get, "/v1/activities/new").body["state"].string == "active")
        await server.server.drain()
    }

    @Test("PR22: before the first adventure a player has three heroes, whatever arrives at once")
    func firstHeroes() async throws {
        let server = try await TestServer(firstHeroesMax: 3)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let (statuses, details) = await FairLimitTests.storm { number in
            await FairLimitTests.patiently {
                await panda.send(
                    .post, "/v1/heroes",
                    #"{"name":"Hero \#(number)","avatar":"🐼","heroType":"Forest Dweller"}"#)
            }
        }
        #expect(statuses == [201: 2, 409: 198])
        #expect(details == ["A player can have at most 3 heroes before the first adventure."])
        // A party alone is none.
        let party = try await panda.found().id
        let another = #"{"name":"Fourth","avatar":"🐼","heroType":"Forest Dweller"}"#
        #expect(await panda.send(.post, "/v1/heroes", another).status == 409)
        #expect(await panda.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        #expect(await panda.send(.post, "/v1/heroes", another).status == 201)
        // The hero at home tells it too.
        await server.end(party)
        #expect(await panda.send(.delete, "/v1/parties/\(party)").status == 204)
        #expect(await panda.send(.post, "/v1/heroes", another).status == 201)
        await server.server.drain()
    }

    @Test("C2: a player has at most 100 heroes, whatever arrives at once")
    func heroLimit() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let (statuses, details) = await FairLimitTests.storm { number in
            await panda.send(.post, "/v1/heroes", Self.hero("Hero \(number)"))
        }
        #expect(statuses == [201: CreateHero.heroesMax - 1, 409: 101])
        #expect(details == ["A player can have at most 100 heroes."])
        #expect(await panda.send(.get, "/v1/heroes").body["heroes"].array.count == 100)
        await server.server.drain()
    }
}

extension TestServer.Answer {
    /// The first party of a list, as an answer of its own.
    fileprivate var first: TestServer.Answer {
        TestServer.Answer(
            status: status, body: body["parties"][0], text: text, headers: headers)
    }
}
