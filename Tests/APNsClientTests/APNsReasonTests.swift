internal import HTTP2
internal import Testing

@testable internal import APNsClient

@Suite("Every answer of APNs has an action")
struct APNsReasonTests {
    /// Apple's two pages, spelled out once more, and what its hosts spell otherwise.
    static let documented: [(Int, String, APNsAction)] = [
        (400, "BadChannelId", .deadLetter), (400, "BadCollapseId", .deadLetter),
        (400, "BadDeviceToken", .dropToken), (400, "BadExpirationDate", .deadLetter),
        (400, "BadMessageId", .deadLetter), (400, "BadPriority", .deadLetter),
        (400, "BadRequestParams", .deadLetter), (400, "BadRequestPayload", .deadLetter),
        (400, "BadTopic", .fixSettings), (400, "CannotCreateChannelConfig", .deadLetter),
        (400, "ChannelNotRegistered", .deadLetter),
        (400, "DeviceTokenNotForTopic", .dropToken), (400, "DuplicateHeaders", .deadLetter),
        (400, "FeatureNotEnabled", .fixSettings), (400, "IdleTimeout", .newConnection),
        (400, "InvalidPushType", .deadLetter), (400, "MissingChannelId", .deadLetter),
        (400, "MissingDeviceToken", .deadLetter), (400, "MissingPushType", .deadLetter),
        (400, "MissingTopic", .fixSettings), (400, "PayloadEmpty", .deadLetter),
        (400, "TopicDisallowed", .fixSettings),
        (403, "BadCertificate", .fixSettings), (403, "BadCertificateEnvironment", .fixSettings),
        (403, "BadEnvironmentKeyIdInToken", .changeProviderKey),
        (403, "BadEnvironmentKeyInToken", .changeProviderKey),
        (403, "ExpiredProviderToken", .renewProviderToken), (403, "Forbidden", .fixSettings),
        (403, "InvalidProviderToken", .renewProviderToken),
        (403, "MissingProviderToken", .fixSettings), (403, "TopicMismatch", .fixSettings),
        (403, "UnrelatedKeyIdInToken", .newConnection),
        (404, "BadPath", .deadLetter), (405, "MethodNotAllowed", .deadLetter),
        (410, "ExpiredToken", .dropToken), (410, "Unregistered", .dropToken),
        (413, "PayloadTooLarge", .deadLetter),
        (429, "TooManyProviderTokenUpdates", .stopMinting),
        (429, "TooManyRequests", .backOffDevice),
        (500, "InternalServerError", .retryLater), (503, "Service Unavailable", .backOffHost),
        (503, "ServiceUnavailable", .backOffHost), (503, "Shutdown", .backOffHost),
    ]

    @Test("A5: each documented status and reason has its action", arguments: documented)
    func documentedPairs(status: Int, reason: String, action: APNsAction) {
        #expect(APNsReason.action(status: status, reason: reason) == action)
    }

    @Test("A5: the table has these rows and no others")
    func complete() {
        let rows = Set(APNsReason.table.map { "\($0.status) \($0.reason)" })
        #expect(rows == Set(Self.documented.map { "\($0.0) \($0.1)" }))
        #expect(APNsReason.table.count == Self.documented.count)
    }

    @Test(
        "A5: an unknown reason is judged by its status",
        arguments: [
            (204, APNsAction.deadLetter), (301, .deadLetter), (400, .deadLetter),
            (403, .fixSettings), (404, .deadLetter), (408, .retryLater), (410, .dropToken),
            (418, .deadLetter), (421, .newConnection), (429, .backOffDevice),
            (500, .retryLater), (502, .backOffHost), (503, .backOffHost),
            (504, .backOffHost), (599, .retryLater), (0, .deadLetter),
            (-1, .deadLetter), (999, .deadLetter),
        ])
    func unknown(status: Int, action: APNsAction) {
        #expect(APNsReason.action(status: status, reason: "SomethingNew") == action)
    }

    @Test(
        "A5: a reason that Apple spells in two ways has one name in metrics",
        arguments: [
            ("BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken"),
            ("BadEnvironmentKeyInToken", "BadEnvironmentKeyInToken"),
            ("Service Unavailable", "ServiceUnavailable"), ("Unregistered", "Unregistered"),
            ("SomethingNew", "other"), ("", "other"),
        ])
    func oneName(reason: String, label: String) {
        #expect(APNsReason.label(of: reason) == label)
        #expect(APNsReason.canonical(reason) == (label == "other" ? reason : label))
    }

    @Test("A5: a token's death is not believed with another status than Apple's")
    func wrongStatus() {
        #expect(APNsReason.action(status: 503, reason: "Unregistered") == .backOffHost)
        #expect(APNsReason.action(status: 403, reason: "BadDeviceToken") == .fixSettings)
    }

    @Test(
        "PR8: each action says how long the same content rests, and whether to wake somebody",
        arguments: [
            (APNsAction.dropToken, nil as Int64?, false), (.deadLetter, nil, true),
            (.fixSettings, 300_000, true), (.renewProviderToken, 60_000, true),
            (.changeProviderKey, 300_000, true),
            (.newConnection, 60_000, false), (.backOffDevice, 60_000, false),
            (.stopMinting, 60_000, false), (.backOffHost, 900_000, false),
            (.retryLater, 900_000, false),
        ])
    func consequences(action: APNsAction, delay: Int64?, isAlarming: Bool) {
        #expect(action.suggestedDelayMilliseconds == delay)
        #expect(action.isAlarming == isAlarming)
    }
}

@Suite("Bodies of answers are read with tolerance")
struct APNsAnswerTests {
    @Test("T5: a 410 tells since when the token is dead, in milliseconds")
    func gone() {
        let answer = RefusalBody(
            body: Array(#"{"reason":"Unregistered","timestamp":1685952000123}"#.utf8))
        #expect(answer.reason == "Unregistered")
        #expect(answer.timestamp == 1_685_952_000_123)
    }

    @Test(
        "a body that says nothing leaves reason and time empty",
        arguments: [
            "", "{", "null", "[]", "7", #""x""#, "<html>", "{}", #"{"reason":7}"#,
            #"{"reason":"a\u0000b"}"#, #"{"timestamp":"soon"}"#, #"{"timestamp":1e300}"#,
            #"{"reason":"\#(String(repeating: "x", count: 65))"}"#, "\u{0}\u{1}\u{2}",
            String(repeating: "[", count: 4096), String(repeating: "x", count: 5000),
        ])
    func garbage(text: String) {
        let answer = RefusalBody(body: Array(text.utf8))
        #expect(answer.reason.isEmpty)
        #expect(answer.timestamp == nil)
    }

    @Test("a key of the wrong type does not spoil the other one")
    func halfGood() {
        let answer = RefusalBody(body: Array(#"{"reason":"Unregistered","timestamp":"now"}"#.utf8))
        #expect(answer.reason == "Unregistered")
    }

    @Test("PR18: 5,000 mutated bodies are read without a crash, and show nothing unprintable")
    func mutations() {
        var dice = TestDice(state: 7)
        let seed = Array(#"{"reason":"Unregistered","timestamp":1685952000123}"#.utf8)
        for _ in 0..<5_000 {
            var body = seed
            for _ in 0...dice.next(below: 4) {
                let index = dice.next(below: body.count)
                switch dice.next(below: 3) {
                case 0: body[index] = UInt8(dice.next(below: 256))
                case 1: body.remove(at: index)
                default: body.insert(UInt8(dice.next(below: 256)), at: index)
                }
            }
            let answer = RefusalBody(body: body)
            #expect(!answer.reason.utf8.contains { !(0x20...0x7E).contains($0) })
        }
    }
}

/// Dice of a test, from one seed (SplitMix64).
struct TestDice {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
    }
}
