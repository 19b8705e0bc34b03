import APNsClient
import GameLogic
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("A push that a device would not understand is not sent")
struct PushLintTests {
    private static let now = PayloadCheck.now

    private static func push(
        _ event: PlannedPush.Event = .update, health: Int = 500, alert: Alert? = nil,
        priority: PushPriority = .high, staleDate: WallTime? = nil, activity: String = "a"
    ) -> PlannedPush {
        PlannedPush(
            event: event, recipient: .activity(ActivityID(activity)),
            target: .device(PushToken(hex: "00")), environment: .sandbox, tokenConfirmedAt: now,
            content: LocalizableContent(
                health: Health(thousandths: health), text: LocalizableText("A storm is raging!")),
            language: .english, alert: alert, priority: priority, timestamp: now.seconds,
            staleDate: staleDate, relevanceScore: 50, expiration: now.adding(seconds: 60),
            contentVersion: 1, times: PlannedPush.Times(at: now))
    }

    private static func alert(title: String = "t", body: String = "b") -> Alert {
        Alert(
            titleKey: title, titleArguments: [], bodyKey: body, bodyArguments: [], sound: "s")
    }

    private static func fault(
        in push: PlannedPush, showing text: String = "A storm", health: Double = 0.5,
        payload: Int = 300
    ) -> String? {
        PushLint().fault(
            in: push, showing: ContentState(currentHealthLevel: health, eventDescription: text),
            payload: [UInt8](repeating: 0x20, count: payload), to: .device)
    }

    @Test("each check has the name of the linter's rule")
    func table() {
        #expect(Self.fault(in: Self.push()) == nil)
        #expect(Self.fault(in: Self.push(), health: 1.001) == "field-out-of-range")
        #expect(Self.fault(in: Self.push(), health: .nan) == "field-out-of-range")
        #expect(Self.fault(in: Self.push(), showing: "") == "content-empty")
        #expect(Self.fault(in: Self.push(staleDate: Self.now)) == "stale-date-in-past")
        let (hours, second) = (Self.now.adding(seconds: 4 * 3600), Int64(1))
        #expect(Self.fault(in: Self.push(.end(dismissalDate: hours))) == nil)
        #expect(
            Self.fault(in: Self.push(.end(dismissalDate: hours.adding(seconds: second))))
                == "dismissal-too-late")
        #expect(
            Self.fault(in: Self.push(alert: Self.alert(), priority: .low))
                == "alert-at-low-priority")
        #expect(Self.fault(in: Self.push(alert: Self.alert(title: ""))) == "alert-without-title")
        #expect(Self.fault(in: Self.push(alert: Self.alert(body: ""))) == "alert-without-body")
        // What is near the limit is linted whole: here it is no JSON.
        #expect(Self.fault(in: Self.push(), payload: PushLint.lintedBytes + 1) == "not-json")
    }

    @Test("the names are rules of the linter")
    func names() {
        let rules = Set(PayloadRule.allCases.map(\.id))
        for name in [
            "field-out-of-range", "stale-date-in-past", "dismissal-too-late",
            "alert-at-low-priority", "alert-without-title", "alert-without-body",
        ] {
            #expect(rules.contains(name), "\(name)")
        }
    }

    @Test("it is refused for good, counted, logged once for its rule, and the others are sent")
    func service() throws {
        let (apns, metrics) = (FakeAPNs(), Metrics())
        let clock = VirtualClock()
        let logged = Lines()
        let log = Log(level: .debug, now: { Self.now }) { logged.add($0) }
        let service = PushService(
            encoding: PushEncoding(bundleID: TestServer.bundleID, words: try .embedded()),
            senders: PushSenders(main: apns, sandbox: nil), channels: nil,
            pages: PageStreams(limit: 0, clock.serverClock, metrics), names: HiddenNames(),
            newTokens: NewTokens(
                clock: clock.serverClock,
                limits: RequestLimits(RateSettings(), clock.serverClock, metrics),
                metrics: metrics, log: log),
            watch: PushWatch(), clock: clock.serverClock, metrics: metrics, log: log)
        let mailbox = Mailbox(waking: Sleeper(clock.serverClock))
        let stored = StoredParty(
            key: PartyKey(number: 1), version: 1, party: Party(id: PartyID("party")),
            clock: PartyClock(beganAt: Self.now, millisecondsPerSecond: 1000), inviteCode: "code",
            createdAt: Self.now)
        let pushes = [
            Self.push(staleDate: Self.now, activity: "bad"), Self.push(activity: "good"),
            Self.push(staleDate: Self.now, activity: "worse"),
        ]
        service.send(
            [
                PartyChange.Finished(
                    commit: PartyCommit(stored: stored, isAwake: false, at: Self.now),
                    pushes: pushes, starts: StartPlanner.Plan(), startsReported: 0)
            ], to: mailbox)
        #expect(apns.pushes.count == 1)
        let outcomes = mailbox.take().outcomes
        try #require(outcomes.count == 3)
        var responses: [String: PushResponse] = [:]
        for reported in outcomes {
            let sent = reported.sent.pushes[reported.index]
            let effects = service.outcomes.effects(of: reported.result, sent, at: Self.now)
            let name = sent.push.ledgerName.rawValue
            responses[name] = PushResponse(of: reported.result, at: Self.now)
            let expected: PushOutcome = name == "good" ? .accepted : .rejected
            #expect(effects.outcome == expected)
        }
        #expect(responses["good"]?.status == 200)
        #expect(responses["bad"] == PushResponse(.linted, at: Self.now))
        #expect(responses["worse"] == responses["bad"])
        let labels = #"priority="10",status="",reason="linted""#
        #expect(metrics.value(.pushes, labels: labels) == 2)
        #expect(logged.count(of: "a device could not decode a push") == 1)
        #expect(logged.count(of: "stale-date-in-past") == 1)
    }
}

/// The lines of a log.
private final class Lines: Sendable {
    private let text = Locked("")

    func add(_ line: [UInt8]) { text.withLock { $0 += String(decoding: line, as: UTF8.self) } }

    func count(of words: String) -> Int {
        text.withLock { $0.ranges(of: words).count }
    }
}
