import APNsClient
import HTTP2
import Testing

@testable import APNsSimulator

@Suite struct PushRulesTests {
    /// A push that differs from a good one, and what Apple says to it.
    struct Row: Sendable, CustomTestStringConvertible {
        let reason: RefusalReason
        var method = "POST"
        var path = "/3/device/\(Scene.token)"
        var headers: [String: String?] = [:]
        var body = Scene.body
        var extra: [HTTP2Header] = []

        var testDescription: String {
            "\(reason.rawValue) \(method) \(path.prefix(12)) \(headers) \(body.prefix(8)) \(extra)"
        }
    }

    private static let paths = [
        Row(reason: .methodNotAllowed, method: "GET"),
        Row(reason: .badPath, path: "/3/devices/00"),
        Row(reason: .badPath, path: "/3/device/00/00"),
        Row(reason: .missingDeviceToken, path: "/3/device/"),
        Row(reason: .missingDeviceToken, path: "/3/device"),
        Row(reason: .badDeviceToken, path: "/3/device/xyz"),
        Row(reason: .badDeviceToken, path: "/3/device/abc"),
    ]

    private static let headers = [
        Row(reason: .missingTopic, headers: ["apns-topic": nil]),
        Row(reason: .badTopic, headers: ["apns-topic": Scene.bundleID]),
        Row(reason: .badTopic, headers: ["apns-topic": ".push-type.liveactivity"]),
        Row(reason: .badTopic, headers: ["apns-topic": "a/b.push-type.liveactivity"]),
        Row(reason: .badTopic, headers: ["apns-push-type": "alert"]),
        Row(reason: .topicDisallowed, headers: ["apns-topic": "org.other.push-type.liveactivity"]),
        Row(reason: .invalidPushType, headers: ["apns-push-type": "liveActivity"]),
        Row(reason: .invalidPushType, headers: ["apns-push-type": nil]),
        Row(reason: .badPriority, headers: ["apns-priority": "1"]),
        Row(reason: .badPriority, headers: ["apns-priority": "7"]),
        Row(reason: .badPriority, headers: ["apns-priority": "high"]),
        Row(
            reason: .badPriority,
            headers: ["apns-push-type": "background", "apns-topic": Scene.bundleID]),
        Row(reason: .badExpirationDate, headers: ["apns-expiration": "soon"]),
        Row(reason: .badExpirationDate, headers: ["apns-expiration": "-1"]),
        Row(reason: .badExpirationDate, headers: ["apns-expiration": "1685952000000"]),
        Row(reason: .badMessageID, headers: ["apns-id": "42"]),
        Row(reason: .badMessageID, headers: ["apns-id": "0123456789-123456789-123456789-12345"]),
        Row(
            reason: .badCollapseID,
            headers: ["apns-collapse-id": String(repeating: "a", count: 65)]),
        Row(reason: .duplicateHeaders, extra: [HTTP2Header("apns-topic", Scene.topic)]),
    ]

    private static let senders = [
        Row(reason: .missingProviderToken, headers: ["authorization": nil]),
        Row(reason: .invalidProviderToken, headers: ["authorization": "bearer a.b.c"]),
        Row(reason: .invalidProviderToken, headers: ["authorization": "basic abc"]),
    ]

    private static let bodies = [
        Row(reason: .payloadEmpty, body: ""),
        Row(reason: .payloadEmpty, body: "{}"),
        Row(reason: .payloadEmpty, body: #"{"aps":{}}"#),
        Row(reason: .payloadEmpty, body: #"{"aps":"update"}"#),
        Row(reason: .payloadEmpty, body: #"{"aps":{"a":1}"#),
        Row(
            reason: .payloadTooLarge,
            body: #"{"aps":{"a":""# + String(repeating: "x", count: 4_084) + #""}}"#),
    ]

    @Test(
        "R8: each broken push gets Apple's reason", arguments: paths + headers + senders + bodies)
    func refused(row: Row) throws {
        var scene = try Scene()
        let request = scene.request(
            row.headers, method: row.method, path: row.path, body: row.body, extra: row.extra)
        #expect(scene.refusal(of: request)?.reason == row.reason)
    }

    @Test("R1: a good push is accepted, and what it says can be read")
    func accepted() throws {
        var scene = try Scene()
        let id = "01234567-89ab-4cde-8f01-23456789abcd"
        let request = scene.request(["apns-id": id, "apns-expiration": "0"])
        let push = try #require(scene.send(request).record.accepted)
        #expect(push.apnsID == id)
        #expect(push.token == Scene.token)
        #expect(push.priority == 10)
        #expect(push.expiration == 0)
        #expect(push.aps.event == "update")
        #expect(push.aps.health == 0.941)
        #expect(push.aps.words == "Power Panda found a sword!")
        #expect(push.warnings == [])
    }

    @Test("4,096 bytes are not too many")
    func largest() throws {
        var scene = try Scene()
        let padding = String(repeating: "x", count: 4_096 - #"{"aps":{"a":""}}"#.utf8.count)
        let request = scene.request(body: #"{"aps":{"a":"\#(padding)"}}"#)
        #expect(scene.send(request).record.accepted != nil)
    }

    @Test("priority 10 is taken when the header is missing")
    func priorityDefault() throws {
        var scene = try Scene()
        let request = scene.request(["apns-priority": nil])
        #expect(scene.send(request).record.accepted?.priority == 10)
    }

    @Test("an apns-id is made when none came")
    func madeID() throws {
        var scene = try Scene()
        let push = try #require(scene.send(scene.request()).record.accepted)
        #expect(PushID(push.apnsID) != nil)
    }

    @Test("another push type of the same app is accepted with its own topic")
    func widgets() throws {
        var scene = try Scene()
        let request = scene.request([
            "apns-push-type": "widgets", "apns-topic": Scene.bundleID + ".push-type.widgets",
        ])
        #expect(scene.send(request).record.accepted?.pushType == "widgets")
    }

    @Test("reasons are Apple's, with Apple's statuses", arguments: RefusalReason.allCases)
    func knownToTheClient(reason: RefusalReason) {
        #expect(
            APNsReason.table.contains {
                $0.status == reason.status && $0.reason == reason.rawValue
            })
    }
}
