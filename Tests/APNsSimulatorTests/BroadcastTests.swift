import HTTP2
import APNsClient
import Testing

@testable import APNsSimulator

@Suite("Broadcasts that are accepted") struct BroadcastTests {
    private let hour: Int64 = 3_600

    /// What the channel keeps, so many seconds after a broadcast with this expiration came.
    private func kept(
        expiration: Int64?, after seconds: Int64, storing: Bool = true
    ) throws -> AcceptedBroadcast? {
        var scene = try ChannelScene()
        let id = storing ? scene.storingID : scene.plainID
        let published = scene.publish([
            "apns-channel-id": id, "apns-expiration": expiration.map(String.init),
        ])
        let now = scene.scene.now
        #expect(scene.response(to: published)?.status == 200)
        return scene.scene.apns.channels[id]?.message(at: now + seconds * 1_000)
    }

    @Test(
        "Apple's pages spell the push type in three ways",
        arguments: ["liveactivity", "Liveactivity", "LiveActivity"])
    func spelling(type: String) throws {
        var scene = try ChannelScene()
        #expect(scene.response(to: scene.publish(["apns-push-type": type]))?.status == 200)
    }

    @Test("priorities 1, 5 and 10 are good, and 10 is meant without one")
    func priorities() throws {
        var scene = try ChannelScene()
        for priority in ["1", "5", "10", nil] {
            #expect(scene.response(to: scene.publish(["apns-priority": priority]))?.status == 200)
        }
        #expect(scene.scene.apns.counters.broadcasts == 4)
    }

    @Test("5,120 bytes are not too many")
    func largest() throws {
        var scene = try ChannelScene()
        let frame = #"{"aps":{"event":"update","a":""}}"#
        let padding = String(repeating: "x", count: 5_120 - frame.utf8.count)
        let body = #"{"aps":{"event":"update","a":"\#(padding)"}}"#
        #expect(body.utf8.count == 5_120)
        #expect(scene.response(to: scene.publish(body: body))?.status == 200)
    }

    @Test("policy 1 keeps a message until its expiration")
    func expiration() throws {
        let until = Scene.start / 1_000 + hour
        #expect(try kept(expiration: until, after: hour - 1) != nil)
        #expect(try kept(expiration: until, after: hour) == nil)
    }

    @Test("policy 1 keeps a message at most 8 hours", arguments: [nil, Scene.start])
    func storageLimit(expiration: Int64?) throws {
        let expiration = expiration.map { $0 / 1_000 + 24 * 3_600 }
        #expect(try kept(expiration: expiration, after: 8 * hour - 1) != nil)
        #expect(try kept(expiration: expiration, after: 8 * hour) == nil)
    }

    @Test("policy 1 keeps nothing that asks not to be kept; policy 0 never does")
    func notKept() throws {
        #expect(try kept(expiration: 0, after: 0) == nil)
        #expect(try kept(expiration: 0, after: 0, storing: false) == nil)
    }

    @Test("policy 1 keeps the newest message only")
    func newest() throws {
        var scene = try ChannelScene()
        for health in ["0.5", "0.25"] {
            let body = """
                {"aps":{"timestamp":1685952000,"event":"update","content-state":\
                {"currentHealthLevel":\(health),"eventDescription":"Dragon"}}}
                """
            let headers = ["apns-channel-id": scene.storingID, "apns-expiration": nil]
            _ = scene.response(to: scene.publish(headers, body: body))
        }
        let message = scene.scene.apns.channels[scene.storingID]?.message(at: scene.scene.now)
        #expect(message?.aps.health == 0.25)
        #expect(scene.scene.apns.channels[scene.storingID]?.published == 2)
    }

    @Test("a device's complaints about a broadcast are said")
    func warnings() throws {
        var scene = try ChannelScene()
        let body = #"{"aps":{"timestamp":1685952000000,"event":"update","content-state":{}}}"#
        #expect(scene.response(to: scene.publish(body: body))?.status == 200)
        #expect(scene.scene.apns.counters.warned == 1)
    }

    @Test("a fault may be for one channel")
    func fault() throws {
        var scene = try ChannelScene()
        let (plain, storing) = (scene.plainID, scene.storingID)
        scene.scene.change {
            $0.script.add(Fault(.refuse(.tooManyRequests), for: .channel(plain)))
        }
        #expect(scene.reason(of: scene.publish()) == .tooManyRequests)
        #expect(scene.response(to: scene.publish(["apns-channel-id": storing]))?.status == 200)
        #expect(scene.scene.refusal(of: scene.scene.request()) == nil)
    }
}
