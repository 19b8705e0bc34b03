internal import HTTP2
internal import HTTP2Server
internal import Testing

@testable internal import APNsClient

@Suite("Requests have Apple's headers")
struct PushRequestTests {
    private let providerToken = ProviderToken(jwt: "a.b.c", issuedAt: 1)

    @Test("R1: a push is a POST to the device's path")
    func path() {
        let request = Sample.request().http2Request(providerToken: providerToken)
        #expect(request.method == "POST")
        #expect(request.path == "/3/device/\(Sample.token.hex)")
        #expect(request.body == Array(#"{"aps":{}}"#.utf8))
    }

    @Test("R3 to R6: push type, topic, priority, expiration, id, collapse id, bearer token")
    func headers() {
        let request = Sample.request(collapseID: "card").http2Request(providerToken: providerToken)
        let fields = request.headers.map { "\($0.name): \($0.value)" }
        #expect(
            fields == [
                "apns-push-type: liveactivity",
                "apns-topic: com.example.apple-samplecode.Emoji-Rangers.push-type.liveactivity",
                "apns-priority: 10", "apns-id: \(Sample.id)", "apns-expiration: 1685955600",
                "apns-collapse-id: card", "authorization: bearer a.b.c",
            ])
    }

    @Test("what is nil is left out")
    func optionalHeaders() {
        let request = Sample.request(expiration: nil).http2Request(providerToken: providerToken)
        #expect(request.header("apns-expiration") == nil)
        #expect(request.header("apns-collapse-id") == nil)
    }

    @Test("HPACK never puts the token, or what changes with every push, into its table")
    func indexing() {
        let headers = Sample.request(collapseID: "card")
            .writtenHeaders(providerToken: providerToken)
        let indexed = headers.filter { $0.indexing == .allowed }.map(\.name)
        #expect(indexed == ["apns-push-type", "apns-topic", "apns-priority"])
    }

    @Test("R4: a Live Activity's topic is made from the bundle id")
    func topic() {
        let request = PushRequest.liveActivity(
            [1], to: Sample.token, bundleID: Sample.bundleID, priority: .low)
        #expect(request.topic == "\(Sample.bundleID).push-type.liveactivity")
        #expect(request.pushType == .liveactivity)
    }

    @Test("T7: a token is the lower-case hex of its bytes")
    func tokenHex() {
        #expect(DeviceToken(bytes: [0x00, 0x0F, 0xA0, 0xFF]).hex == "000fa0ff")
    }

    @Test("a whole request is valid")
    func valid() throws {
        try Sample.request(collapseID: String(repeating: "c", count: 64)).validate()
        try Sample.request(token: DeviceToken(hex: "ab"), expiration: 0).validate()
        try Sample.request(payload: [UInt8](repeating: 1, count: 4096)).validate()
    }

    @Test(
        "what APNs would refuse is found before it leaves, with Apple's own reason",
        arguments: [
            (Sample.request(token: DeviceToken(hex: "")), 400, "BadDeviceToken"),
            (Sample.request(token: DeviceToken(hex: "abc")), 400, "BadDeviceToken"),
            (Sample.request(token: DeviceToken(hex: "../../etc/pw")), 400, "BadDeviceToken"),
            (Sample.request(bundleID: ""), 400, "BadTopic"),
            (Sample.request(bundleID: "com.example.app.push-type.widgets"), 400, "BadTopic"),
            (Sample.request(bundleID: "com.example.app\r\nx"), 400, "BadTopic"),
            (Sample.request(bundleID: "com.example.äpp"), 400, "BadTopic"),
            (Sample.request(bundleID: "a/b"), 400, "BadTopic"),
            (Sample.request(bundleID: String(repeating: "a", count: 256)), 400, "BadTopic"),
            (Sample.request(expiration: -1), 400, "BadExpirationDate"),
            (Sample.request(expiration: 1_685_952_000_000), 400, "BadExpirationDate"),
            (Sample.request(collapseID: ""), 400, "BadCollapseId"),
            (Sample.request(collapseID: String(repeating: "c", count: 65)), 400, "BadCollapseId"),
            (Sample.request(collapseID: "a\nb"), 400, "BadCollapseId"),
            (Sample.request(payload: []), 400, "PayloadEmpty"),
            (Sample.request(payload: Array(repeating: 1, count: 4097)), 413, "PayloadTooLarge"),
        ])
    func invalid(request: PushRequest, status: Int, reason: String) {
        let error = #expect(throws: PushRequestError.self) { try request.validate() }
        #expect(error?.refusal.status == status)
        #expect(error?.refusal.reason == reason)
    }
}

@Suite("Ids of pushes")
struct PushIDTests {
    @Test("the same name gives the same id, another name another one")
    func derived() {
        #expect(PushID.derived(from: "panda/7") == PushID.derived(from: "panda/7"))
        #expect(PushID.derived(from: "panda/7") != PushID.derived(from: "panda/8"))
    }

    @Test("a derived id is SHA-256 as a UUID of version 8 (RFC 9562)")
    func version() {
        // SHA-256 of nothing begins e3b0c442 98fc 1c14 9afb f4c8996fb924.
        #expect("\(PushID.derived(from: ""))" == "e3b0c442-98fc-8c14-9afb-f4c8996fb924")
    }

    @Test("an id is read from text in either case, and from nothing else")
    func text() {
        let text = "0123cdef-89ab-42d3-a456-9a6614174fff"
        #expect(PushID(text.uppercased())?.description == text)
        #expect(PushID("0123cdef") == nil)
        #expect(PushID.random() != PushID.random())
    }

    @Test("an answer's id is the same in letters of either case, and no other is")
    func sameText() {
        func isText(_ text: String, of id: PushID) -> Bool {
            Array(text.utf8).withUnsafeBufferPointer { UUIDText.isText($0, of: id.bits) }
        }
        let (id, other) = (PushID.derived(from: "a"), PushID.derived(from: "b"))
        #expect(isText("\(id)", of: id))
        #expect(isText("\(id)".uppercased(), of: id))
        #expect(!isText("\(other)", of: id))
        #expect(!isText("\(id)".replacing("-", with: "_"), of: id))
        #expect(!isText("", of: id))
    }
}

@Suite("UUIDs as text")
struct UUIDTextTests {
    @Test("a UUID that was written reads back, in either case")
    func roundTrip() {
        for number in 0..<1_000 {
            let text = "\(PushID.derived(from: "\(number)"))"
            #expect(UUIDText.read(text).map(UUIDText.text) == text)
            #expect(UUIDText.read(text.uppercased()) == UUIDText.read(text))
        }
        let ends: UInt128 = 0xF000_0000_0000_0000_0000_0000_0000_000E
        #expect(UUIDText.text(ends) == "f0000000-0000-0000-0000-00000000000e")
    }

    @Test(
        "what is no UUID is not read",
        arguments: [
            "", "01234567-89ab-4cde-8f01-23456789abc", "01234567-89ab-4cde-8f01-23456789abcg",
            "0123456789ab-4cde-8f01-23456789abcd-", "01234567-89ab-4cde-8f01_23456789abcd",
            "01234567-89ab-4cde-8f01-23456789abcd0", "01234567-89ab-4cde-8f01-23456789ab@d",
        ])
    func noUUID(text: String) { #expect(UUIDText.read(text) == nil) }
}
