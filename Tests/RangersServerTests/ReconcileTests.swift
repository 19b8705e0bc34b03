import APNsClient
import HTTPServer
import PushPolicy
import Testing

@testable import RangersServer

@Suite("D2: an app reconciles its Live Activities at launch", .timeLimit(.minutes(1)), .simulated)
struct ReconcileTests {
    @Test("D2: an unlisted activity of this device is retired, of another device or of none stays")
    func unlisted() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        _ = await panda.watch("gone", token: "a1", device: "phone")
        _ = await panda.watch("tablets", token: "a2", device: "tablet")
        _ = await panda.watch("unnamed", token: "a3")
        let answer = await panda.reconcile("phone", [])
        #expect(answer.status == 200)
        #expect(answer.body["retired"].strings == ["gone"])
        #expect(answer.body["end"].strings == [] && answer.body["register"].strings == [])
        #expect(
            await panda.states() == ["gone": "dismissed", "tablets": "active", "unnamed": "active"])
        await server.server.drain()
    }

    @Test("D2: activities that the server does not know, or not so, are to be registered")
    func register() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        _ = await panda.watch("known", token: "a1", device: "phone")
        _ = await panda.watch("tokenless", token: nil, device: "phone")
        _ = await panda.watch("rotated", token: "a2", device: "phone")
        _ = await panda.watch("unnamed", token: "a3")
        let answer = await panda.reconcile(
            "phone",
            [
                panda.listed("unknown"), panda.listed("known", token: "a1"),
                panda.listed("tokenless"), panda.listed("rotated", token: "b2"),
                panda.listed("unnamed", token: "a3"),
            ])
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.body["register"].strings == ["unknown", "tokenless", "rotated", "unnamed"])
        #expect(answer.body["end"].strings == [] && answer.body["retired"].strings == [])
        await server.server.drain()
    }

    @Test("D2: what PUT would refuse is to be ended on the device")
    func end() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let idle = try await panda.anotherHero("Egghead")
        let thief = try await TestPlayer.make("Thief", at: server)
        _ = try await panda.found()
        _ = try await thief.found()
        _ = await panda.watch("over", token: "a1", device: "phone")
        _ = await panda.send(.post, "/v1/activities/over/state", #"{"state":"ended"}"#)
        _ = await thief.watch("thiefs", token: "a2", device: "phone")
        _ = await panda.watch("pandas", token: "a3", device: "phone")
        let answer = await panda.reconcile(
            "phone",
            [
                panda.listed("over"), idle.listed("idle"), thief.listed("other"),
                panda.listed("thiefs"), idle.listed("pandas"),
            ])
        #expect(answer.body["end"].strings == ["over", "idle", "other", "thiefs", "pandas"])
        #expect(answer.body["register"].strings == [] && answer.body["retired"].strings == [])
        #expect(await thief.states() == ["thiefs": "active"])
        await server.server.drain()
    }

    @Test("L11: a listed end takes effect at once: nothing more is pushed there")
    func reported() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        _ = await panda.watch("ended", token: "a1", device: "phone")
        _ = await panda.watch("stale", token: "a2", device: "phone")
        _ = await panda.watch("dismissed", token: "a3")
        let answer = await panda.reconcile(
            "phone",
            [
                panda.listed("ended", state: "ended"),
                panda.listed("stale", state: "stale", token: "a2"),
                panda.listed("dismissed", state: "dismissed"),
                panda.listed("unknown", state: "ended"),
            ])
        #expect(answer.status == 200)
        for list in ["end", "register", "retired"] { #expect(answer.body[list].strings == []) }
        #expect(
            await panda.states() == ["ended": "ended", "stale": "stale", "dismissed": "dismissed"])
        let before = server.apns.pushes.count
        _ = await panda.send(.post, "/v1/parties/\(party.id)/adventure")
        let tokens = Set(server.apns.pushes.dropFirst(before).map(\.request.token.hex))
        #expect(tokens == ["a2"])
        await server.server.drain()
    }

    @Test("D2: reconciling again changes nothing")
    func idempotent() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        _ = await panda.watch("gone", token: "a1", device: "phone")
        _ = await panda.watch("kept", token: "a2", device: "phone")
        let list = [panda.listed("kept", state: "stale"), panda.listed("new")]
        let first = await panda.reconcile("phone", list)
        #expect(first.body["retired"].strings == ["gone"])
        let version = await panda.send(.get, "/v1/parties/\(party.id)").body["version"].number
        let second = await panda.reconcile("phone", list)
        #expect(second.body["retired"].strings == [])
        #expect(second.body["register"].strings == first.body["register"].strings)
        #expect(await panda.send(.get, "/v1/parties/\(party.id)").body["version"].number == version)
        await server.server.drain()
    }

    @Test("D2: of 200 requests at once, one retires the activity, and no other device's")
    func manyAtOnce() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        _ = await panda.watch("gone", token: "a1", device: "phone")
        _ = await panda.watch("tablets", token: "a2", device: "tablet")
        let answers = await withTaskGroup(of: TestServer.Answer.self) { group in
            for _ in 0..<200 { group.addTask { await panda.reconcile("phone", []) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 200)
        // A party takes 64 waiting requests; the others may repeat theirs.
        #expect(answers.allSatisfy { [200, 503].contains($0.status) })
        #expect(answers.flatMap { $0.body["retired"].strings } == ["gone"])
        #expect(await panda.states() == ["gone": "dismissed", "tablets": "active"])
        await server.server.drain()
    }

    @Test("D2: a list that cannot be true is refused, and changes nothing")
    func refused() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        _ = await panda.watch("one", token: "a1", device: "phone")
        let tooMany = (0...Reconcile.activitiesMax).map { panda.listed("a\($0)") }
        for list in [
            [panda.listed("a"), panda.listed("a")], tooMany, [panda.listed("a", state: "happy")],
            [panda.listed("a b")], [panda.listed("a", token: "xyz")],
        ] {
            #expect(await panda.reconcile("phone", list).status == 400)
        }
        #expect(await panda.reconcile("my phone", []).status == 400)
        #expect(await panda.send(.post, "/v1/me/reconcile", #"{"activities":[]}"#).status == 400)
        #expect(await panda.states() == ["one": "active"])
        await server.server.drain()
    }
}

extension TestPlayer {
    /// One entry of the list that `reconcile` sends.
    fileprivate func listed(
        _ activity: String, state: String = "active", token: String? = nil
    ) -> String {
        let token = token.map { #","pushToken":"\#($0)""# } ?? ""
        return #"{"id":"\#(activity)","hero":"\#(hero)","state":"\#(state)"\#(token)}"#
    }

    fileprivate func reconcile(_ device: String, _ list: [String]) async -> TestServer.Answer {
        await send(
            .post, "/v1/me/reconcile",
            #"{"device":"\#(device)","activities":[\#(list.joined(separator: ","))]}"#)
    }

    /// The state of each Live Activity that the server knows.
    fileprivate func states() async -> [String: String] {
        let activities = await send(.get, "/v1/me").body["activities"].array
        return Dictionary(
            activities.map { ($0["id"].string ?? "", $0["state"].string ?? "") },
            uniquingKeysWith: { $1 })
    }
}

extension Value {
    var strings: [String] { array.compactMap(\.string) }
}
