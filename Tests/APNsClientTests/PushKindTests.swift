import HTTP2
import Testing

@testable import APNsClient

@Suite("What each push type may say")
struct PushKindTests {
    private static let token = Sample.token
    private static let bundleID = Sample.bundleID
    private static let notification = NotificationPayload(title: "Help!", body: "Now!")

    private func fields(_ request: PushRequest) -> [String] {
        request.plainHeaders.map { "\($0.name): \($0.value)" }
    }

    @Test("every type has its topic")
    func topics() {
        let topics = PushRequest.PushType.allCases.map { $0.topic(bundleID: "a.b") }
        #expect(
            topics == [
                "a.b.push-type.liveactivity", "a.b", "a.b", "a.b.push-type.widgets",
                "a.b.push-type.controls",
            ])
    }

    @Test("an alert goes to the bundle id, with a collapse id where it has one")
    func alert() throws {
        let request = try PushRequest.alert(
            Self.notification, to: Self.token, bundleID: Self.bundleID,
            expiration: .until(1_685_955_600), id: Sample.id, collapseID: "hero-7")
        try request.validate()
        #expect(
            fields(request) == [
                "apns-push-type: alert", "apns-topic: \(Self.bundleID)", "apns-priority: 10",
                "apns-id: \(Sample.id)", "apns-expiration: 1685955600", "apns-collapse-id: hero-7",
            ])
    }

    @Test("a background push has priority 5")
    func background() throws {
        let request = PushRequest.background(
            to: Self.token, bundleID: Self.bundleID, expiration: .oneAttempt, id: Sample.id)
        try request.validate()
        #expect(
            fields(request) == [
                "apns-push-type: background", "apns-topic: \(Self.bundleID)", "apns-priority: 5",
                "apns-id: \(Sample.id)", "apns-expiration: 0",
            ])
        #expect(request.payload == SignalPayload.contentAvailable)
    }

    @Test("widgets and controls are told that content changed")
    func reloads() throws {
        let widgets = PushRequest.widgets(
            to: Self.token, bundleID: Self.bundleID, priority: .high, id: Sample.id)
        let controls = PushRequest.controls(
            to: Self.token, bundleID: Self.bundleID, priority: .lowest, id: Sample.id)
        try widgets.validate()
        try controls.validate()
        #expect(
            fields(widgets) == [
                "apns-push-type: widgets", "apns-topic: \(Self.bundleID).push-type.widgets",
                "apns-priority: 10", "apns-id: \(Sample.id)",
            ])
        #expect(
            fields(controls) == [
                "apns-push-type: controls", "apns-topic: \(Self.bundleID).push-type.controls",
                "apns-priority: 1", "apns-id: \(Sample.id)",
            ])
        #expect(
            [widgets.payload, controls.payload]
                == Array(repeating: SignalPayload.contentChanged, count: 2))
    }

    @Test("every push has an id of its own when the caller gives none")
    func ids() {
        let requests = (0..<2).map { _ in
            PushRequest.widgets(to: Self.token, bundleID: Self.bundleID)
        }
        #expect(requests[0].id != requests[1].id)
    }

    @Test(
        "of all types and priorities built raw, exactly three are refused as BadPriority",
        arguments: PushRequest.PushType.allCases, PushRequest.Priority.allCases)
    func priorities(type: PushRequest.PushType, priority: PushRequest.Priority) {
        let refused: [(PushRequest.PushType, PushRequest.Priority)] = [
            (.liveactivity, .lowest), (.background, .lowest), (.background, .high),
        ]
        let request = Sample.request(
            bundleID: Self.bundleID, type: type, priority: priority)
        if refused.contains(where: { $0 == (type, priority) }) {
            let error = #expect(throws: PushRequestError.badPriority(priority, type)) {
                try request.validate()
            }
            #expect(error?.refusal.reason == "BadPriority")
        } else {
            #expect(throws: Never.self) { try request.validate() }
        }
    }

    @Test(
        "a topic in a bundle id's place is refused as BadTopic",
        arguments: PushRequest.PushType.allCases, PushRequest.PushType.allCases)
    func topics(type: PushRequest.PushType, other: PushRequest.PushType) {
        let topic = other.topic(bundleID: Self.bundleID)
        let request = Sample.request(bundleID: topic, type: type, priority: .low)
        if other.topicSuffix.isEmpty {
            #expect(throws: Never.self) { try request.validate() }
        } else {
            #expect(throws: PushRequestError.badTopic(request.topic)) { try request.validate() }
        }
    }
}

@Suite("How long APNs keeps a Live Activity's push")
struct PushExpirationTests {
    private typealias Payload = LiveActivityPayload<[String: Int]>
    private static let alert = LiveActivityAlert(title: "Help!", body: "Now!")

    private static func start(staleDate: Int64?) -> LiveActivityPayload<[String: Int]> {
        .start(
            at: 1_000, attributesType: "A", attributes: ["a": 1], state: [:], alert: alert,
            staleDate: staleDate)
    }

    @Test(
        "it is kept as long as its event is worth it, and no longer than it is fresh",
        arguments: [
            (LiveActivityPayload.update(at: 1_000, state: ["": 1]), .low, 1_000 + 900),
            (.update(at: 1_000, state: ["": 1], staleDate: 1_100), .low, 1_100),
            (.update(at: 1_000, state: ["": 1]), .high, 1_000 + 3_600),
            (.update(at: 1_000, state: ["": 1], staleDate: 9_999), .high, 1_000 + 3_600),
            (.update(at: 1_000, state: ["": 1], alert: alert), .high, 1_000 + 600),
            (.end(at: 1_000, finalState: nil), .high, 1_000 + 14_400),
            (
                .end(at: 1_000, finalState: nil, alert: alert, dismissalDate: 5), .low,
                1_000 + 14_400
            ),
            (start(staleDate: nil), .high, 1_000 + 600),
            (start(staleDate: 1_200), .high, 1_200),
        ] as [(LiveActivityPayload<[String: Int]>, PushRequest.LiveActivityPriority, Int64)])
    func suited(
        payload: LiveActivityPayload<[String: Int]>, priority: PushRequest.LiveActivityPriority,
        expiration: Int64
    ) throws {
        let request = try PushRequest.liveActivity(
            payload, to: Sample.token, bundleID: Sample.bundleID, priority: priority)
        #expect(request.expiration == expiration)
    }

    @Test(
        "the caller can say otherwise",
        arguments: [
            (PushExpiration.oneAttempt, Int64?(0)), (.until(5), 5), (.storagePolicy, nil),
        ])
    func overridden(expiration: PushExpiration, seconds: Int64?) throws {
        let request = try PushRequest.liveActivity(
            Payload.update(at: 1_000, state: [:]), to: Sample.token, bundleID: Sample.bundleID,
            priority: .low, expiration: expiration)
        #expect(request.expiration == seconds)
    }
}
