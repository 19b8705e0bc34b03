import APNsClient
import HTTPServer
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// What one node's transactions leave for the parties of another.
@Suite("Letters between nodes", .timeLimit(.minutes(3)), .serialized)
struct NodeInboxTests {
    @Test("D2: a device's list reaches the parties of all nodes within two seconds")
    func reconcile() async throws {
        let scene = try await TwoParties.make()
        let answer = await scene.reconcile(key: "launch")
        #expect(answer.status == 200)
        #expect(answer.body["retired"].strings.sorted() == ["one", "two"])
        let again = await scene.reconcile(key: "launch")
        #expect(again.body["retired"].strings.sorted() == ["one", "two"])
        #expect(await scene.states().sorted() == ["active", "dismissed"])
        try await scene.untilDelivered(to: scene.nodes.two)
        #expect(await scene.states() == ["dismissed", "dismissed"])
        try await scene.nodes.end()
    }

    @Test("PR1: a letter to a node that is killed is carried out by the one that takes over, once")
    func killed() async throws {
        let scene = try await TwoParties.make()
        #expect(await scene.reconcile().status == 200)
        #expect(try await scene.letters() == 1)
        try await scene.nodes.remove("two", seenBy: scene.nodes.one)
        try await scene.untilDelivered(to: scene.nodes.one)
        #expect(await scene.states() == ["dismissed", "dismissed"])
        let versions = "SELECT version FROM parties ORDER BY id"
        let before = try await scene.nodes.query(versions)
        // The old owner still has it in memory, and changes nothing.
        let two = scene.nodes.two
        two.clock.advance(to: two.clock.now.adding(seconds: 3))
        await two.server.untilReplaced()
        await scene.nodes.one.step(forSeconds: 3)
        #expect(try await scene.nodes.query(versions) == before)
        try await scene.nodes.end()
    }

    @Test("a letter whose commit has no answer is carried out once")
    func withoutAnswer() async throws {
        let scene = try await TwoParties.make()
        try await scene.nodes.query(
            """
            CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql
            AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER at_commit AFTER DELETE ON shard_inbox
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_session()
            """)
        #expect(await scene.reconcile().status == 200)
        await scene.nodes.two.step(forSeconds: 5)
        #expect(await scene.states().sorted() == ["active", "dismissed"])
        #expect(try await scene.letters() == 1)
        try await scene.nodes.query("DROP TRIGGER at_commit ON shard_inbox")
        #expect(await scene.nodes.step { (try? await scene.letters()) == 0 })
        #expect(await scene.states() == ["dismissed", "dismissed"])
        try await scene.nodes.end()
    }

    @Test("T5: a token moves from an activity in a party of another node")
    func token() async throws {
        let scene = try await TwoParties.make()
        #expect(await scene.there.watch("two", token: "aa01", device: "phone").status == 204)
        #expect(await scene.here.watch("one", token: "aa01", device: "phone").status == 204)
        try await scene.untilDelivered(to: scene.nodes.two)
        #expect(await scene.holders() == ["one"])
        try await scene.nodes.end()
    }

    @Test("T5: a token that moves there and back at once is where it was put last")
    func thereAndBack() async throws {
        let scene = try await TwoParties.make()
        for _ in 0..<5 {
            #expect(await scene.there.watch("two", token: "aa01", device: "phone").status == 204)
            #expect(await scene.here.watch("one", token: "aa01", device: "phone").status == 204)
        }
        // What the older activity's app says meanwhile is not refused because of the token.
        let more = await scene.there.report(#""language":"de""#, of: "two")
        #expect(more.status == 204, "\(more.text)")
        try await scene.untilDelivered(to: scene.nodes.one, scene.nodes.two)
        #expect(await scene.holders() == ["one"])
        try await scene.nodes.end()
    }

    @Test("T5: once its owner has heard of the move, an activity gets no push any more")
    func noMorePush() async throws {
        let scene = try await TwoParties.make()
        let two = scene.nodes.two
        #expect(await scene.there.watch("two", token: "aa01", device: "phone").status == 204)
        let party = scene.parties[1]
        #expect(await scene.there.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        func pushes() -> Int { two.apns.pushes.count { $0.request.token.hex == "aa01" } }
        #expect(await two.step { pushes() > 2 })
        #expect(await scene.here.watch("one", token: "aa01", device: "phone").status == 204)
        // A minute of the adventure in each second.
        await two.step(forSeconds: 3)
        let before = pushes()
        await two.step(forSeconds: 30)
        #expect(pushes() == before)
        #expect(await scene.holders() == ["one"])
        try await scene.nodes.end()
    }

    @Test("activities of one phone at two nodes share its budget, living and ended ones")
    func budget() async throws {
        let scene = try await TwoParties.make()
        #expect(await scene.left(of: "one", in: 0) == 20)
        #expect(await scene.left(of: "two", in: 1) == 20)
        for player in [scene.here, scene.there] {
            let id = player.name == "Panda" ? "one" : "two"
            #expect(await player.send(.delete, "/v1/activities/\(id)").status == 204)
        }
        // The next activity has all that both have left, and no more.
        #expect(await scene.here.watch("three", device: "phone").status == 204)
        #expect(await scene.left(of: "three", in: 0) == 40)
        #expect(await scene.there.watch("four", device: "phone").status == 204)
        #expect(await scene.left(of: "four", in: 1) == 20)
        try await scene.untilDelivered(to: scene.nodes.one)
        #expect(await scene.left(of: "three", in: 0) == 20)
        try await scene.nodes.end()
    }

    @Test("an activity that ends before it hears of a new one leaves no more than its part")
    func endsFirst() async throws {
        let scene = try await TwoParties.make()
        #expect(await scene.here.send(.delete, "/v1/activities/one").status == 204)
        // It takes what is left, and a half of what the other node's has, which hears of it later.
        #expect(await scene.here.watch("three", device: "phone").status == 204)
        #expect(await scene.left(of: "three", in: 0) == 30)
        #expect(await scene.there.send(.delete, "/v1/activities/two").status == 204)
        #expect(await scene.there.watch("four", device: "phone").status == 204)
        try await scene.untilDelivered(to: scene.nodes.one)
        let left = await (scene.left(of: "three", in: 0), scene.left(of: "four", in: 1))
        #expect((left.0 ?? 99) + (left.1 ?? 99) <= 40)
        #expect((left.0 ?? 0) + (left.1 ?? 0) >= 39)
        try await scene.nodes.end()
    }

    @Test(
        "what a phone's activity has left is there for the next, after its hero has left the party")
    func leftByLeaving() async throws {
        let scene = try await TwoParties.make()
        #expect(await scene.here.send(.delete, "/v1/activities/one").status == 204)
        let leave = #"{"hero":"\#(scene.there.hero)","action":"leave"}"#
        let answer = await scene.there.send(
            .post, "/v1/parties/\(scene.parties[1])/actions", leave)
        try #require(answer.status == 200, "\(answer.text)")
        // The activity ends with a push, which counts.
        await scene.nodes.two.step(forSeconds: 2)
        #expect(await scene.here.watch("three", device: "phone").status == 204)
        #expect(await scene.left(of: "three", in: 0) == 39)
        // Nothing is left for another one.
        #expect(await scene.here.watch("four", device: "phone").status == 204)
        let left = await (scene.left(of: "three", in: 0), scene.left(of: "four", in: 0))
        #expect(left == (19, 19))
        try await scene.nodes.end()
    }

    @Test("a node that stands still delays no registration and no comparison")
    func silence() async throws {
        let scene = try await TwoParties.make()
        let now = scene.nodes.one.clock.now
        #expect(await scene.here.watch("three", device: "phone").status == 204)
        #expect(await scene.reconcile().status == 200)
        #expect(scene.nodes.one.clock.now == now)
        try await scene.nodes.end()
    }
}
