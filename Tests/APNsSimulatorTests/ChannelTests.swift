import HTTP2
import APNsClient
import Foundation
import HTTP2Server
import JSONReader
import Testing

@testable import APNsSimulator

@Suite("Channels and broadcasts") struct ChannelTests {
    /// A request that differs from a good one, and what Apple says to it. `PLAIN` and `STORING`
    /// stand for the ids of the two channels there are.
    struct Row: Sendable, CustomTestStringConvertible {
        let reason: RefusalReason
        var method = "POST"
        var path = ChannelScene.publishPath
        var headers: [String: String?] = [:]
        var body = Scene.body
        var port = ChannelRequest.Port.everything

        var testDescription: String {
            "\(reason.rawValue) \(method) \(path.prefix(20)) \(headers) \(body.prefix(40))"
        }

        func request(_ scene: ChannelScene) -> HTTP2Request {
            let headers = headers.mapValues { value in
                switch value {
                case "PLAIN": scene.plainID
                case "STORING": scene.storingID
                default: value
                }
            }
            return path.hasPrefix("/4/") && method == "POST"
                ? scene.publish(headers, path: path, body: body)
                : scene.request(method, path, headers, body: body)
        }
    }

    private static let places = [
        Row(reason: .badPath, path: "/4/broadcasts/apps/"),
        Row(reason: .badPath, path: "/1/apps/\(Scene.bundleID)/channel"),
        Row(reason: .badPath, path: "/"),
        Row(reason: .methodNotAllowed, method: "GET"),
        Row(reason: .methodNotAllowed, method: "PUT", path: ChannelScene.channelsPath),
        Row(reason: .methodNotAllowed, path: ChannelScene.listPath),
        Row(reason: .badRequestParams, path: ChannelScene.publishPath + "?a=1"),
        Row(reason: .badPath, port: .management),
        Row(reason: .badPath, path: ChannelScene.channelsPath, port: .sending),
        Row(reason: .badPath, method: "GET", path: ChannelScene.listPath, port: .sending),
        Row(reason: .badPath, path: "/3/device/\(Scene.token)", port: .management),
    ]

    private static let senders = [
        Row(reason: .missingProviderToken, headers: ["authorization": nil]),
        Row(reason: .invalidProviderToken, headers: ["authorization": "bearer a.b.c"]),
        Row(reason: .topicDisallowed, path: "/4/broadcasts/apps/\(Scene.topic)"),
        Row(reason: .topicMismatch, path: "/4/broadcasts/apps/org.other"),
        Row(reason: .topicMismatch, path: "/1/apps/org.other/channels"),
        Row(reason: .topicDisallowed, headers: ["apns-topic": Scene.topic]),
        Row(reason: .badMessageID, headers: ["apns-request-id": "42"]),
    ]

    private static let creations = [
        Row(reason: .payloadEmpty, path: ChannelScene.channelsPath, body: ""),
        Row(reason: .badRequestPayload, path: ChannelScene.channelsPath, body: "[1]"),
        Row(reason: .badRequestPayload, path: ChannelScene.channelsPath, body: "{"),
        Row(
            reason: .badRequestPayload, path: ChannelScene.channelsPath,
            body: #"{"push-type":"LiveActivity"}"#),
        Row(
            reason: .badRequestPayload, path: ChannelScene.channelsPath,
            body: #"{"push-type":"LiveActivity","message-storage-policy":2}"#),
        Row(
            reason: .missingPushType, path: ChannelScene.channelsPath,
            body: #"{"message-storage-policy":0}"#),
        Row(
            reason: .invalidPushType, path: ChannelScene.channelsPath,
            body: #"{"message-storage-policy":0,"push-type":"Alert"}"#),
    ]

    private static let lookups = ["GET", "DELETE"].flatMap { method in
        [
            Row(
                reason: .missingChannelID, method: method, path: ChannelScene.channelsPath,
                body: ""),
            Row(
                reason: .badChannelID, method: method, path: ChannelScene.channelsPath,
                headers: ["apns-channel-id": "not base64!"], body: ""),
            Row(
                reason: .channelNotRegistered, method: method, path: ChannelScene.channelsPath,
                headers: ["apns-channel-id": "dHN0LXNyY2gtY2hubA=="], body: ""),
        ]
    }

    private static let broadcasts = [
        Row(reason: .missingChannelID, headers: ["apns-channel-id": nil]),
        Row(reason: .badChannelID, headers: ["apns-channel-id": "abc"]),
        Row(reason: .channelNotRegistered, headers: ["apns-channel-id": "dHN0LXNyY2gtY2hubA=="]),
        Row(reason: .missingPushType, headers: ["apns-push-type": nil]),
        Row(reason: .invalidPushType, headers: ["apns-push-type": "alert"]),
        Row(reason: .badPriority, headers: ["apns-priority": "7"]),
        Row(reason: .badPriority, headers: ["apns-priority": "high"]),
        Row(reason: .badExpirationDate, headers: ["apns-expiration": nil]),
        Row(reason: .badExpirationDate, headers: ["apns-expiration": "1685955600"]),
        Row(
            reason: .badExpirationDate,
            headers: ["apns-channel-id": "STORING", "apns-expiration": "1685955600000"]),
        Row(reason: .payloadEmpty, body: ""),
        Row(reason: .payloadEmpty, body: "{}"),
        Row(reason: .payloadEmpty, body: #"{"aps":7}"#),
        Row(reason: .badRequestPayload, body: #"{"aps":{"event":"start"}}"#),
        Row(reason: .badRequestPayload, body: #"{"aps":{"timestamp":1685952000}}"#),
        Row(
            reason: .payloadTooLarge,
            body: #"{"aps":{"a":""# + String(repeating: "x", count: 5_108) + #""}}"#),
    ]

    @Test(
        "each broken request gets Apple's reason",
        arguments: places + senders + creations + lookups + broadcasts)
    func refused(row: Row) throws {
        var scene = try ChannelScene()
        let before = scene.scene.apns.channels.all.map(\.id)
        #expect(scene.reason(of: row.request(scene), at: row.port) == row.reason)
        #expect(scene.scene.apns.channels.all.map(\.id) == before)
        #expect(scene.scene.apns.counters.broadcasts == 0)
    }

    @Test("a channel is created with 201 and a new base64 id, and an empty body")
    func created() throws {
        var scene = try ChannelScene()
        let request = scene.request("POST", ChannelScene.channelsPath, body: ChannelScene.body)
        let found = scene.response(to: request)
        let answer = try #require(found)
        #expect(answer.status == 201)
        #expect(answer.body.isEmpty)
        let id = try #require(answer.header("apns-channel-id"))
        #expect(Data(base64Encoded: id) != nil)
        #expect(![scene.plainID, scene.storingID].contains(id))
    }

    @Test("a channel is read with its policy and its push type")
    func read() throws {
        var scene = try ChannelScene()
        let request = scene.request(
            "GET", ChannelScene.channelsPath, ["apns-channel-id": scene.storingID])
        let found = scene.response(to: request)
        let answer = try #require(found)
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self) == ChannelScene.storingBody)
    }

    @Test("a channel is deleted with 204, and is then not registered")
    func deleted() throws {
        var scene = try ChannelScene()
        let delete = scene.request(
            "DELETE", ChannelScene.channelsPath, ["apns-channel-id": scene.plainID])
        #expect(scene.response(to: delete)?.status == 204)
        #expect(scene.reason(of: delete) == .channelNotRegistered)
        #expect(scene.reason(of: scene.publish()) == .channelNotRegistered)
    }

    @Test("all channels are listed")
    func listed() throws {
        var scene = try ChannelScene()
        let answer = scene.response(to: scene.request("GET", ChannelScene.listPath))
        let ids = JSONValue(answer?.body ?? [])?["channels"]?.elements?.compactMap(\.text)
        #expect(ids == [scene.plainID, scene.storingID].sorted())
    }

    @Test("apns-request-id comes back, also with a refusal, and is made where none came")
    func requestIDs() throws {
        var scene = try ChannelScene()
        let id = "01234567-89ab-4cde-8f01-23456789abcd"
        #expect(
            scene.response(to: scene.publish(["apns-request-id": id]))?.header("apns-request-id")
                == id)
        let refused = scene.publish(["apns-request-id": id, "apns-priority": "7"])
        #expect(scene.response(to: refused)?.header("apns-request-id") == id)
        let made = scene.response(to: scene.publish())?.header("apns-request-id")
        #expect(made.map(PushRules.isUUID) == true)
    }

    @Test("apns-unique-id comes in the sandbox only", arguments: APNsEnvironment.allCases)
    func uniqueID(environment: APNsEnvironment) throws {
        var scene = try ChannelScene { $0.environment = environment }
        let found = scene.response(to: scene.publish())
        let answer = try #require(found)
        #expect((answer.header("apns-unique-id") != nil) == (environment == .sandbox))
    }

    @Test("a channel's id means nothing in the other environment, whatever the seed")
    func environments() throws {
        let sandbox = try ChannelScene { $0.environment = .sandbox }
        var production = try ChannelScene { $0.environment = .production }
        let request = production.publish(["apns-channel-id": sandbox.plainID])
        #expect(production.reason(of: request) == .channelNotRegistered)
    }

    @Test("a channel beyond the limit cannot be created; a deleted one makes room")
    func limit() throws {
        var scene = try ChannelScene { $0.channelsMax = 2 }
        let create = scene.request("POST", ChannelScene.channelsPath, body: ChannelScene.body)
        #expect(scene.reason(of: create) == .cannotCreateChannelConfig)
        _ = scene.response(
            to: scene.request(
                "DELETE", ChannelScene.channelsPath, ["apns-channel-id": scene.plainID]))
        #expect(scene.response(to: create)?.status == 201)
    }

    @Test("without the capability nothing works, and switching it off deletes every channel")
    func feature() throws {
        var scene = try ChannelScene()
        scene.scene.change { $0.channels.set(.off) }
        #expect(scene.reason(of: scene.publish()) == .featureNotEnabled)
        scene.scene.change { $0.channels.set(.on) }
        #expect(scene.reason(of: scene.publish()) == .channelNotRegistered)
    }
}
