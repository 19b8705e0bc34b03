import APNsClient
import Foundation
import Testing

@testable import APNsSimulator

@Suite struct WireTests {
    @Test("APNsClient's push is accepted, with an apns-unique-id in the sandbox")
    func client() async throws {
        let scene = try WireScene()
        let client = try scene.client()
        let request = scene.push()
        let outcome = await client.send(request)
        guard case .accepted(.some) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(scene.accepted.map(\.apnsID) == [request.id.description])
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test("many pushes at once over a connection that begins with one stream all arrive")
    func manyStreams() async throws {
        let scene = try WireScene()
        let client = try scene.client()
        let outcomes = await withTaskGroup(of: APNsClient.Outcome.self) { group in
            for _ in 0..<50 { group.addTask { await client.send(scene.push()) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 50)
        #expect(scene.simulator.counters.accepted == 50)
        #expect(scene.simulator.counters.doubledIDs == 0)
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test("a token that was unregistered is answered with 410 and its moment")
    func unregistered() async throws {
        let scene = try WireScene()
        let client = try scene.client()
        scene.simulator.unregister(Scene.token, at: 1_685_951_000_123)
        #expect(
            await client.send(scene.push())
                == .refused(
                    APNsClient.Refusal(
                        status: 410, reason: "Unregistered", timestamp: 1_685_951_000_123,
                        action: .dropToken)))
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test("after GOAWAY with the answer the client goes on over a new connection")
    func goAway() async throws {
        let scene = try WireScene()
        let client = try scene.client()
        scene.simulator.add(Fault(.goAway(reason: "Shutdown"), every: 2))
        for _ in 0..<6 { _ = await client.send(scene.push()) }
        #expect(scene.simulator.counters.accepted == 6)
        #expect(scene.simulator.counters.doubledIDs == 0)
        #expect(scene.simulator.counters.faults == 3)
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test("what was refused by RST_STREAM or GOAWAY arrives exactly once in the end")
    func safeToRepeat() async throws {
        let scene = try WireScene()
        let client = try scene.client()
        scene.simulator.add(Fault(.resetStream(errorCode: 7), times: 1))
        scene.simulator.add(Fault(.goAwayUnprocessed(reason: "Shutdown"), skipping: 1, times: 1))
        for _ in 0..<4 { _ = await client.send(scene.push()) }
        #expect(scene.simulator.counters.accepted == 4)
        #expect(scene.simulator.counters.doubledIDs == 0)
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test("PR4: when the connection drops after acceptance the client calls it unknown")
    func dropped() async throws {
        let scene = try WireScene()
        let client = try scene.client()
        scene.simulator.add(Fault(.dropConnection(.accepted), times: 1))
        let outcome = await client.send(scene.push())
        guard case .unknown = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(scene.accepted.count == 1)
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test(
        "h2load, which nobody here wrote, is accepted with many streams",
        .enabled(if: Tool.h2load.isInstalled, "h2load is not installed"),
        arguments: [APNsSimulator.Mode.checking, .trusting])
    func h2load(mode: APNsSimulator.Mode) async throws {
        let scene = try WireScene(firstStreams: 100) { $0.mode = mode }
        let body = "\(scene.folder.path)/body.json"
        try Data(Scene.body.utf8).write(to: URL(fileURLWithPath: body))
        let said = try await Tool.h2load.run([
            "--requests=2000", "--clients=2", "--max-concurrent-streams=50", "--data=\(body)",
            "--header=apns-topic: \(Scene.topic)", "--header=apns-push-type: liveactivity",
            "--header=apns-priority: 5", "--header=authorization: \(try scene.bearer())",
            "https://127.0.0.1:\(scene.simulator.port)/3/device/\(Scene.token)",
        ])
        #expect(said.contains("2000 succeeded, 0 failed"), "\(said)")
        #expect(scene.simulator.counters.accepted == 2_000)
        await scene.stop()
    }
}
