import HTTP2Server
import HTTP2
import Testing

@testable import APNsClient

@Suite("Orders about channels have Apple's form")
struct ChannelOrderTests {
    private let token = ProviderToken(jwt: "jwt", issuedAt: 1)

    @Test(
        "every order equals its golden file",
        arguments: [
            ("channel-create", ChannelOrder.Operation.create(.mostRecent)),
            ("channel-read", .read(Sample.channel)), ("channel-delete", .delete(Sample.channel)),
            ("channel-list", .list),
        ])
    func golden(name: String, operation: ChannelOrder.Operation) throws {
        let order = ChannelOrder(operation, bundleID: Sample.appID, id: Sample.id)
        try order.validate()
        let request = order.http2Request(providerToken: token)
        #expect(WireText.of(request) == (try WireText.golden(name)))
        let authorization = order.writtenHeaders(providerToken: token)
            .filter { $0.name == "authorization" }
        #expect(authorization.map(\.indexing) == [.never])
    }

    @Test("a channel without storage is created with policy 0")
    func noStorage() {
        let order = ChannelOrder(.create(.noStorage), bundleID: Sample.appID)
        #expect(
            String(decoding: order.http2Request(providerToken: token).body, as: UTF8.self)
                == #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#)
    }

    @Test(
        "what APNs would refuse is found before it leaves, with Apple's own reason",
        arguments: [
            (ChannelOrder(.list, bundleID: ""), 400, "TopicDisallowed"),
            (ChannelOrder(.list, bundleID: "a/../b"), 400, "TopicDisallowed"),
            (ChannelOrder(.list, bundleID: "a.push-type.liveactivity"), 400, "TopicDisallowed"),
            (
                ChannelOrder(.read(ChannelID(base64: "")), bundleID: "a"), 400, "BadChannelId"
            ),
            (
                ChannelOrder(.delete(ChannelID(base64: "a\r\nb")), bundleID: "a"), 400,
                "BadChannelId"
            ),
        ])
    func invalid(order: ChannelOrder, status: Int, reason: String) {
        let error = #expect(throws: BroadcastError.self) { try order.validate() }
        #expect(error?.refusal.status == status)
        #expect(error?.refusal.reason == reason)
        #expect(error?.refusal.action.isAlarming == true)
    }

    @Test(
        "a channel id is base64 with its padding",
        arguments: [
            ("AAAA", true), ("AAA=", true), ("AA==", true), ("a+/9", true), ("A===", false),
            ("AAA", false), ("AA=A", false), ("AA-_", false), ("", false),
            (String(repeating: "A", count: 512), true), (String(repeating: "A", count: 516), false),
        ])
    func channelIDs(text: String, isWellFormed: Bool) {
        #expect(ChannelID(base64: text).isWellFormed == isWellFormed)
    }
}

@Suite("What the management host answers")
struct ChannelAnswerTests {
    private func answer(_ json: String) -> HTTP2Response {
        HTTP2Response(status: 200, body: Array(json.utf8))
    }

    @Test("a new channel's id is a header, and anything else is no id")
    func created() {
        func id(_ headers: [HTTP2Header]) -> ChannelID? {
            ChannelResponse.created(HTTP2Response(status: 201, headers: headers))
        }
        #expect(id([HTTP2Header("apns-channel-id", "dHN0LXNyY2gtY2hubA==")]) == Sample.channel)
        #expect(id([HTTP2Header("apns-channel-id", "no id")]) == nil)
        #expect(id([]) == nil)
    }

    @Test(
        "a policy is read, and what is none is not guessed",
        arguments: [
            (
                #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#,
                ChannelPolicy?.some(.noStorage)
            ),
            (#"{"message-storage-policy":1}"#, .mostRecent),
            (#"{"message-storage-policy":2}"#, nil),
            (#"{"message-storage-policy":"1"}"#, nil), ("{}", nil), ("", nil), ("[", nil),
        ])
    func policy(json: String, policy: ChannelPolicy?) {
        #expect(ChannelResponse.policy(answer(json)) == policy)
    }

    @Test(
        "a list is read whole or not at all",
        arguments: [
            (#"{"channels":["AAAA","BBBB"]}"#, ["AAAA", "BBBB"]), (#"{"channels":[]}"#, []),
            (#"{"channels":["AAAA",7]}"#, nil), (#"{"channels":["AAAA","?"]}"#, nil),
            (#"{"channels":{}}"#, nil), ("{}", nil), ("", nil),
        ] as [(String, [String]?)])
    func list(json: String, ids: [String]?) {
        #expect(ChannelResponse.list(answer(json))?.map(\.base64) == ids)
    }
}

@Suite("A list of channels")
struct ChannelListTests {
    private func ids(_ texts: String...) -> Set<ChannelID> {
        Set(texts.map(ChannelID.init(base64:)))
    }

    @Test("channels that nobody knows are orphans, known ones that are gone are missing")
    func compared() {
        let list = ChannelList(listed: ids("AAAA", "CCCC", "BBBB"))
        #expect(list.orphans(known: ids("BBBB", "DDDD")).map(\.base64) == ["AAAA", "CCCC"])
        #expect(list.missing(known: ids("BBBB", "DDDD")).map(\.base64) == ["DDDD"])
    }

    @Test("there is room for 10,000 channels, and never for less than none")
    func room() {
        func list(_ count: Int) -> ChannelList {
            ChannelList(listed: (0..<count).map { ChannelID(base64: "\($0)") })
        }
        #expect(list(0).room == 10_000)
        #expect(list(9_999).room == 1)
        #expect(list(10_001).room == 0)
    }
}
