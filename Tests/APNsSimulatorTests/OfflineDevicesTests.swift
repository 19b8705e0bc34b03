import Testing

@testable import APNsSimulator

@Suite("Devices that are offline") struct OfflineDevicesTests {
    /// Sends a push and says what became of it.
    private func delivery(
        _ scene: inout Scene, expiration: String? = nil, token: String = Scene.token
    ) -> AcceptedPush.Delivery? {
        let request = scene.request(
            ["apns-expiration": expiration], path: "/3/device/\(token)")
        return scene.send(request).record.accepted?.delivery
    }

    private func offlineScene(_ tokens: [String] = [Scene.token]) throws -> Scene {
        var scene = try Scene()
        scene.change { try? $0.devices.takeOffline(tokens) }
        return scene
    }

    private func back(_ scene: inout Scene) -> AcceptedPush? {
        let now = scene.now
        var push: AcceptedPush?
        scene.change { push = $0.devices.bringOnline(Scene.token, at: now) }
        return push
    }

    @Test("a device is online until it is taken offline, and acceptance is delivery then")
    func online() throws {
        var scene = try Scene()
        #expect(delivery(&scene) == .atOnce)
        #expect(scene.apns.devices.counters == DeliveryCounters())
        #expect(scene.apns.counters.delivered == 1)
    }

    @Test("a push to a device that is offline is stored, and delivered when it comes back")
    func stored() throws {
        var scene = try offlineScene()
        #expect(delivery(&scene) == .stored)
        #expect(back(&scene)?.delivery == .late)
        #expect(back(&scene) == nil)
        #expect(delivery(&scene) == .atOnce)
        #expect(scene.apns.devices.counters.deliveredLate == 1)
    }

    @Test("expiration 0 asks for one attempt: nothing is stored")
    func oneAttempt() throws {
        var scene = try offlineScene()
        #expect(delivery(&scene, expiration: "0") == .discarded)
        #expect(back(&scene) == nil)
        #expect(scene.apns.devices.counters.discarded == 1)
    }

    @Test("a newer push takes the place of the stored one")
    func replaced() throws {
        var scene = try offlineScene()
        let first = scene.send(scene.request()).record.accepted
        let second = scene.send(scene.request()).record.accepted
        #expect(first?.apnsID != second?.apnsID)
        #expect(back(&scene)?.apnsID == second?.apnsID)
        #expect(scene.apns.devices.counters.replaced == 1)
        #expect(scene.apns.devices.counters.stored == 2)
    }

    @Test("a push that asks for one attempt leaves the stored one where it is")
    func keptBesides() throws {
        var scene = try offlineScene()
        let first = scene.send(scene.request()).record.accepted
        _ = delivery(&scene, expiration: "0")
        #expect(back(&scene)?.apnsID == first?.apnsID)
    }

    @Test("a stored push is gone when its expiration has passed")
    func expired() throws {
        var scene = try offlineScene()
        _ = delivery(&scene, expiration: "\(Scene.start / 1_000 + 60)")
        scene.now += 60_000
        #expect(back(&scene) == nil)
        #expect(scene.apns.devices.counters.expired == 1)
    }

    @Test("without an expiration APNs keeps a push for 30 days")
    func storageLimit() throws {
        var scene = try offlineScene()
        _ = delivery(&scene)
        scene.now += 30 * 86_400_000 - 1
        #expect(back(&scene) != nil)
    }

    @Test("one notification is stored for a device, by whichever of its tokens it came")
    func manyTokens() throws {
        let other = String(repeating: "cd", count: 32)
        var scene = try offlineScene([Scene.token, other.uppercased()])
        _ = delivery(&scene)
        let second = scene.send(scene.request(path: "/3/device/\(other)")).record.accepted
        #expect(second?.delivery == .stored)
        #expect(back(&scene)?.apnsID == second?.apnsID)
        #expect(delivery(&scene, token: other) == .atOnce)
    }

    @Test("other devices are not concerned")
    func others() throws {
        var scene = try offlineScene()
        #expect(delivery(&scene, token: String(repeating: "cd", count: 32)) == .atOnce)
    }

    @Test("what is delivered is what was accepted, less what waits, is over or was not kept")
    func counted() throws {
        var scene = try offlineScene()
        _ = delivery(&scene)
        _ = delivery(&scene)
        _ = delivery(&scene, expiration: "0")
        _ = back(&scene)
        _ = delivery(&scene)
        var counters = scene.apns.counters
        counters.offline = scene.apns.devices.counters
        #expect(counters.accepted == 4)
        #expect(counters.delivered == 2)
    }
}
