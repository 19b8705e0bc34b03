import Testing

@testable import APNsSimulator

@Suite struct TokenRegistryTests {
    @Test("a strict simulator refuses tokens that nobody registered")
    func strict() throws {
        var scene = try Scene(policy: .registeredOnly)
        #expect(scene.refusal(of: scene.request())?.reason == .badDeviceToken)
        scene.change { $0.registry.register(Scene.token.uppercased()) }
        #expect(scene.refusal(of: scene.request()) == nil)
    }

    @Test("an unregistered token gets 410 with the moment in milliseconds")
    func unregistered() throws {
        var scene = try Scene()
        scene.change { $0.registry.unregister(Scene.token, at: Scene.start - 5) }
        #expect(
            scene.refusal(of: scene.request())
                == Refusal(.unregistered, timestamp: Scene.start - 5))
    }

    @Test("an expired token says so")
    func expired() throws {
        var scene = try Scene()
        scene.change { $0.registry.unregister(Scene.token, at: 1, as: .expiredToken) }
        #expect(scene.refusal(of: scene.request())?.reason == .expiredToken)
    }

    @Test("a token of another app or another environment is refused")
    func foreign() throws {
        var scene = try Scene()
        scene.change { $0.registry.register(Scene.token, bundleID: "org.other") }
        #expect(scene.refusal(of: scene.request())?.reason == .deviceTokenNotForTopic)
        scene.change { $0.registry.register(Scene.token, environment: .production) }
        #expect(scene.refusal(of: scene.request())?.reason == .badDeviceToken)
    }

    @Test("T5: a token that is registered again is good again")
    func registeredAgain() throws {
        var scene = try Scene()
        scene.change { $0.registry.unregister(Scene.token, at: 1) }
        scene.change { $0.registry.register(Scene.token) }
        #expect(scene.refusal(of: scene.request()) == nil)
    }
}
