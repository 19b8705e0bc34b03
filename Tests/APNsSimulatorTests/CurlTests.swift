import Testing

@testable import APNsSimulator

@Suite(.enabled(if: Tool.curl.isInstalled, "curl is not installed"))
struct CurlTests {
    @Test("R7: the talk's curl command is accepted")
    func accepted() async throws {
        let scene = try WireScene()
        #expect(try await scene.curl() == WireScene.Answer(status: "2 200", reason: nil))
        #expect(scene.accepted.map(\.aps.words) == ["Power Panda found a sword!"])
        await scene.stop()
    }

    @Test(
        "R8: a broken curl command gets Apple's status and reason",
        arguments: [
            (["apns-topic": Scene.bundleID], "2 400", "BadTopic"),
            (["apns-topic": "org.other.push-type.liveactivity"], "2 400", "TopicDisallowed"),
            (["apns-priority": "1"], "2 400", "BadPriority"),
            (["apns-push-type": "live"], "2 400", "InvalidPushType"),
            (["authorization": "bearer x.y.z"], "2 403", "InvalidProviderToken"),
        ])
    func refused(headers: [String: String], status: String, reason: String) async throws {
        let scene = try WireScene()
        #expect(
            try await scene.curl(headers) == WireScene.Answer(status: status, reason: reason))
        #expect(scene.accepted.isEmpty)
        await scene.stop()
    }

    @Test("R8: an expired provider token gets 403 ExpiredProviderToken")
    func expired() async throws {
        let scene = try WireScene()
        let bearer = try scene.bearer(issuedAt: Scene.start / 1_000 - 3_601)
        #expect(
            try await scene.curl(["authorization": bearer])
                == WireScene.Answer(status: "2 403", reason: "ExpiredProviderToken"))
        await scene.stop()
    }
}
