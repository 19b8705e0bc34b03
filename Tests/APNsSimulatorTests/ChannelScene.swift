import APNsClient
import HTTP2
import HTTP2Server

@testable import APNsSimulator
import JSONReader

/// Requests about channels, to the simulated APNs alone.
struct ChannelScene {
    static let channelsPath = "/1/apps/\(Scene.bundleID)/channels"
    static let listPath = "/1/apps/\(Scene.bundleID)/all-channels"
    static let publishPath = "/4/broadcasts/apps/\(Scene.bundleID)"
    /// What a channel without storage is made with.
    static let body = #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#
    static let storingBody = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#

    var scene: Scene
    /// Two channels, one of each policy.
    private(set) var plainID = ""
    private(set) var storingID = ""

    init(_ configure: (inout APNsSimulator.Settings) -> Void = { _ in }) throws {
        scene = try Scene(configure: configure)
        plainID = created(Self.body) ?? ""
        storingID = created(Self.storingBody) ?? ""
    }

    /// A good request, but for what is changed; a header that is `nil` is left out.
    func request(
        _ method: String, _ path: String, _ changes: [String: String?] = [:], body: String = "",
        extra: [HTTP2Header] = []
    ) -> HTTP2Request {
        var fields: [String: String?] = [
            "apns-topic": nil, "apns-push-type": nil, "apns-priority": nil,
        ]
        fields.merge(changes) { $1 }
        return scene.request(fields, method: method, path: path, body: body, extra: extra)
    }

    /// A good broadcast to the channel without storage, but for what is changed.
    func publish(
        _ changes: [String: String?] = [:], path: String = publishPath, body: String = Scene.body
    ) -> HTTP2Request {
        var fields: [String: String?] = [
            "apns-channel-id": plainID, "apns-push-type": "liveactivity",
            "apns-expiration": "0", "apns-priority": "10",
        ]
        fields.merge(changes) { $1 }
        return request("POST", path, fields, body: body)
    }

    /// The answer on the wire; `nil` where a fault took its place.
    mutating func response(
        to request: HTTP2Request, at port: ChannelRequest.Port = .everything
    ) -> HTTP2Response? {
        let now = scene.now
        var reaction: SimulatedAPNs.Reaction?
        scene.change {
            reaction = $0.receiveAboutChannels(request, at: port, on: 1, now: now)
        }
        guard case .respond(let response, _) = reaction?.action else { return nil }
        return response
    }

    /// Makes a channel; its id.
    mutating func created(_ body: String) -> String? {
        response(to: request("POST", Self.channelsPath, body: body))?.header("apns-channel-id")
    }

    mutating func reason(
        of request: HTTP2Request, at port: ChannelRequest.Port = .everything
    ) -> RefusalReason? {
        let body = response(to: request, at: port)?.body ?? []
        return JSONValue(body)?["reason"]?.text.flatMap(RefusalReason.init)
    }
}
