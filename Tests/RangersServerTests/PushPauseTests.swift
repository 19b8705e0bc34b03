import APNsClient
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("E3: an owner pauses all pushes", .timeLimit(.minutes(2)), .simulated)
struct PushPauseTests {
    private static let path = "/v1/admin/push-pause"

    @Test("while pushes are paused nothing is sent; then the newest state goes, once")
    func paused() async throws {
        let stage = try await Stage.make()
        let put = await stage.server.admin(.put, Self.path)
        #expect(put.status == 200 && put.body["paused"].bool == true)
        #expect(put.body["by"].string == "owner")
        try await stage.start()
        await stage.server.step(forSeconds: 5)
        #expect(await stage.events().count > 3)
        #expect(stage.apns.pushes.isEmpty)
        #expect(stage.server.metrics.value(.pushesPaused) == 1)
        let ready = await stage.server.send(.get, "/readyz")
        #expect(ready.status == 200 && ready.text == "ready; all pushes are paused\n")
        let deleted = await stage.server.admin(.delete, Self.path)
        #expect(deleted.status == 200 && deleted.body["paused"].bool == false)
        await stage.apns.untilSent(1)
        let state = await stage.panda.send(.get, "/v1/parties/\(stage.party)")
        let card = state.body["heroes"][0]["card"]["eventDescription"].string
        #expect(stage.apns.pushes[0].aps["content-state"]["eventDescription"].string == card)
        #expect(stage.server.metrics.value(.pushesPaused) == 0)
        #expect(await stage.untilEnded())
        await stage.server.server.drain()
    }

    @Test("a pause survives a restart, and a start by push waits for its end")
    func restart() async throws {
        let scene = try await StartScene.make(speed: 1000)
        #expect(await scene.server.admin(.put, Self.path).status == 200)
        let since = await scene.server.admin(.get, Self.path).body["since"].number
        await scene.server.server.drain()
        let server = try await TestServer(
            file: scene.server.file, clock: scene.server.clock, speed: 1000)
        let next = scene.moved(to: server)
        #expect(await server.admin(.put, Self.path).body["since"].number == since)
        try await next.start()
        await server.step(forSeconds: 40)
        #expect(server.apns.pushes.isEmpty)
        #expect(await server.admin(.delete, Self.path).status == 200)
        #expect(
            await server.step(until: { next.starts.count == 1 && server.apns.pushes.count > 1 }))
        await server.server.drain()
    }

    @Test("APNs' responses do not end a pause, and a push in flight keeps its outcome")
    func inFlight() async throws {
        let stage = try await Stage.make()
        stage.apns.answer(.later)
        try await stage.start()
        await stage.apns.untilSent(1)
        #expect(await stage.server.admin(.put, Self.path).status == 200)
        stage.apns.release(.accepted(apnsUniqueID: nil))
        await stage.server.step(forSeconds: 5)
        #expect(stage.apns.pushes.count == 1)
        #expect(await stage.storeKnowsOfAcceptance())
        stage.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        #expect(await stage.server.admin(.delete, Self.path).status == 200)
        #expect(await stage.untilEnded())
        await stage.server.server.drain()
    }

    @Test("a push that was being committed when the pause began is held, and the ledger says so")
    func committing() async throws {
        let stage = try await Stage.make()
        stage.store.hold()
        let starting = Task {
            await stage.panda.send(.post, "/v1/parties/\(stage.party)/adventure").status
        }
        await stage.store.untilHolding()
        let pausing = Task { await stage.server.admin(.put, Self.path).status }
        stage.store.release()
        #expect(await starting.value == 201)
        #expect(await pausing.value == 200)
        let sent = stage.apns.pushes.count
        await stage.server.step(forSeconds: 5)
        #expect(stage.apns.pushes.count == sent)
        #expect(await stage.server.admin(.delete, Self.path).status == 200)
        #expect(await stage.untilEnded())
        await stage.server.server.drain()
    }

    @Test("of 200 orders at once the last one in the audit log counts")
    func atOnce() async throws {
        let stage = try await Stage.make()
        await withDiscardingTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    let method: Method = number.isMultiple(of: 2) ? .put : .delete
                    #expect(await stage.server.admin(method, Self.path).status == 200)
                }
            }
        }
        let isPaused = await stage.server.admin(.get, Self.path).body["paused"].bool
        let calls = await stage.server.admin(.get, "/v1/admin/audit").body["calls"].array
        let last = calls.first { $0["action"].string != "GET \(Self.path)" }
        #expect(last?["action"].string?.hasPrefix("PUT") == isPaused)
        #expect(stage.server.metrics.value(.pushesPaused) == (isPaused == true ? 1 : 0))
        try await stage.start()
        await stage.server.step(forSeconds: 2)
        #expect(stage.apns.pushes.isEmpty == isPaused)
        await stage.server.server.drain()
    }
}
