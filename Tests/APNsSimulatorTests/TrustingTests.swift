import APNsClient
import JSONReader
import Testing

@testable import APNsSimulator

@Suite("A trusting simulator") struct TrustingTests {
    private func scene() throws -> Scene { try Scene { $0.mode = .trusting } }

    @Test(
        "accepts every push without checking it",
        arguments: [
            (["authorization": nil], "/3/device/\(Scene.token)", Scene.body),
            (["apns-topic": "org.other"], "/3/device/\(Scene.token)", Scene.body),
            ([:], "/3/device/no-hex", Scene.body), ([:], "/3/device/\(Scene.token)", "no JSON"),
            (["apns-priority": "7"], "/3/device/\(Scene.token)", ""),
        ] as [([String: String?], String, String)])
    func accepts(headers: [String: String?], path: String, body: String) throws {
        var scene = try scene()
        #expect(scene.refusal(of: scene.request(headers, path: path, body: body)) == nil)
        #expect(scene.apns.counters.accepted == 1)
        #expect(scene.apns.counters.warned == 0)
        var checking = try Scene()
        #expect(checking.refusal(of: checking.request(headers, path: path, body: body)) != nil)
    }

    @Test("gives a connection its streams with the first push")
    func streams() throws {
        var scene = try scene()
        let request = scene.request(["authorization": nil])
        #expect(scene.send(request).streams == .opened)
        #expect(scene.send(request).streams == .asBefore)
    }

    @Test("PR7: still plays its faults")
    func faults() throws {
        var scene = try scene()
        scene.change { $0.script.add(Fault(.refuse(.serviceUnavailable), times: 1)) }
        #expect(scene.refusal(of: scene.request())?.reason == .serviceUnavailable)
        #expect(scene.refusal(of: scene.request()) == nil)
    }

    @Test("PR4: returns the ids of its pushes, and counts repeated ones")
    func client() async throws {
        let scene = try WireScene { $0.mode = .trusting }
        let client = try scene.client()
        let (first, second) = (scene.push(), scene.push())
        for request in [first, second, second] {
            guard case .accepted = await client.send(request) else {
                Issue.record("a trusting simulator refused a push")
                break
            }
        }
        #expect(client.counts.strangeIDs == 0)
        #expect(scene.simulator.counters.accepted == 3)
        #expect(scene.simulator.counters.doubledIDs == 1)
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test("checks requests about channels")
    func channels() throws {
        var scene = try scene()
        let request = scene.request(
            ["authorization": nil], path: "/1/apps/\(Scene.bundleID)/channels")
        #expect(scene.refusal(of: request)?.reason == .missingProviderToken)
    }

    @Test("says that it is trusting, and a checking one says nothing")
    func counters() {
        let trusting = JSONValue(ControlJSON.counters(Counters(), devicesOffline: 0, .trusting))
        #expect(trusting?["trusting"] == .truth(true))
        let checking = JSONValue(ControlJSON.counters(Counters(), devicesOffline: 0, .checking))
        #expect(checking?["trusting"] == nil)
    }
}
