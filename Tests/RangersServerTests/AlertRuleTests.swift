import APNsClient
import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// Our alert rules, played by Prometheus over what the server writes.
@Suite("H1: alerts fire for what is wrong, and for nothing else", .timeLimit(.minutes(20)))
struct AlertRuleTests {
    /// Computed once: each test of the suite that needs it waits for it.
    private static let healthyHour = Task { try await MonitoredServer.healthyHour() }

    @Test("nothing fires in a healthy hour, in which heroes fall and cards wait")
    func healthy() async throws {
        let scrapes = try await Self.healthyHour.value
        #expect(scrapes.count == 241)
        #expect(try await scrapes.firingAlerts() == [])
        #expect(scrapes.last("rangers_alerts_total") > 0)
        #expect(scrapes.last("rangers_knockdown_latency_seconds_count") > 0)
        // What the policy holds back is far longer than what is late.
        let waited = scrapes.last("rangers_push_wait_seconds_sum")
        #expect(waited > 100 * scrapes.last("rangers_push_latency_seconds_sum"))
    }

    // MARK: Faults as they show in the metrics

    /// A fault that a test server cannot have, or not in this time, and the alert of it.
    struct Shown: CustomTestStringConvertible, Sendable {
        let alert: String
        let fault: Scrapes.Fault

        var testDescription: String { alert }

        init(_ alert: String, _ fault: Scrapes.Fault) {
            self.alert = alert
            self.fault = fault
        }
    }

    private static func push(_ status: String, _ reason: String) -> String {
        PushCounters.labels(.high, status: status, reason: reason)
    }

    private static func request(_ status: String) -> String {
        #"route="GET /v1/me",status="\#(status)""#
    }

    static let shown = [
        Shown("RangersDown", .down),
        Shown("RangersKnockdownsLate", .slow(.knockdownLatency, seconds: 2.5, aMinute: 2)),
        Shown(
            "RangersActivitiesLate",
            .slow(.pushLatency, labels: #"priority="5""#, seconds: 5, aMinute: 2)),
        Shown("RangersBacklog", .gauge(.backlogSeconds, 5)),
        Shown("RangersTicksLate", .slow(.tickLateness, seconds: 2.5, aMinute: 10)),
        Shown("RangersTicksFail", .grows(.failedTicks, 1)),
        Shown("RangersRowsCorrupt", .gauge(.corruptRows, 1)),
        Shown("RangersCommitsSlow", .slow(.commitTime, seconds: 1, aMinute: 60)),
        Shown("RangersWriterIsTheLimit", .gauge(.batchesOut, 4)),
        Shown("RangersPushesForbidden", .grows(.pushes, labels: push("403", "Forbidden"), 1)),
        Shown("RangersSecondKeyInUse", .gauge(.providerKey, 2)),
        Shown("RangersApnsSlowed", .gauge(.hostState, 1)),
        Shown("RangersPushesMalformed", .grows(.pushes, labels: push("400", "BadPriority"), 1)),
        Shown("RangersTokensInvented", .grows(.pushes, labels: push("400", "BadDeviceToken"), 30)),
        Shown("RangersNewTokensSlowed", .gauge(.newTokensSlowed, 1)),
        Shown("RangersPushesLinted", .grows(.pushes, labels: push("", "linted"), 1)),
        Shown("RangersPushesThrottled", .grows(.pushes, labels: push("429", "TooManyRequests"), 6)),
        Shown("RangersStartsNotFollowed", .grows(.starts, labels: #"result="sent""#, 5)),
        Shown("RangersProviderTokens", .grows(.providerTokens, 1)),
        Shown("RangersStrangeIds", .grows(.strangeIDs, 1)),
        Shown("RangersChannelsNearLimit", .gauge(.channels, labels: #"state="listed""#, 8_500)),
        Shown("RangersChannelsMissing", .gauge(.channels, labels: #"state="missing""#, 1)),
        Shown(
            "RangersChannelHostOutage",
            .gauge(.channelHostState, labels: #"host="management""#, 2)),
        Shown("RangersServerErrors", .grows(.requests, labels: request("500"), 1)),
        Shown("RangersManyLimited", .grows(.requests, labels: request("429"), 900)),
        Shown("RangersShardsWithoutNode", .gauge(.shardsOwned, 2_048)),
        Shown("RangersNodeClockWrong", .gauge(.nodeClockDifference, -5)),
    ]

    @Test("each fault fires its alert and no other", arguments: shown)
    func fault(_ shown: Shown) async throws {
        let scrapes = try await Self.healthyHour.value.first(minutes: 30).with(shown.fault)
        #expect(try await scrapes.firingAlerts() == [shown.alert])
    }

    // MARK: Faults that the server has

    /// What goes wrong after some healthy minutes, and what fires.
    enum Had: CaseIterable, Sendable {
        case slowAPNs, noAPNs, wrongKey, ownersPause, failingStore, damagedRow, clockStep

        var alerts: Set<String> {
            switch self {
            // Whether a knock-down is among what is late is up to the story.
            case .slowAPNs: ["RangersActivitiesLate", "RangersKnockdownsLate"]
            case .noAPNs: ["RangersApnsOutage"]
            case .wrongKey: ["RangersApnsOutage", "RangersPushesForbidden"]
            case .ownersPause: ["RangersPushesPaused"]
            case .failingStore: ["RangersNotReady", "RangersTicksFail"]
            // Of two parties one gets a 503 for each request.
            case .damagedRow: ["RangersPartiesFrozen", "RangersNotReady"]
            case .clockStep: ["RangersWallClockStepped"]
            }
        }

        /// How long it lasts until all of them have fired.
        var minutes: Int64 {
            switch self {
            case .slowAPNs, .failingStore: 15
            case .noAPNs, .wrongKey, .damagedRow: 12
            case .ownersPause: 32
            case .clockStep: 2
            }
        }

        fileprivate func happen(to monitored: MonitoredServer) async throws {
            let (apns, store) = (monitored.server.apns, monitored.store)
            switch self {
            case .slowAPNs: apns.answer(.after(milliseconds: 2_000))
            case .noAPNs: apns.answer(.at(once: .notSent("no connection")))
            case .wrongKey:
                let reason = "InvalidProviderToken"
                let refusal = APNsClient.Refusal(
                    status: 403, reason: reason, timestamp: nil,
                    action: APNsReason.action(status: 403, reason: reason))
                apns.answer(.at(once: .refused(refusal)))
            case .ownersPause:
                let paused = await monitored.server.admin(.put, "/v1/admin/push-pause")
                try #require(paused.status == 200)
            case .failingStore: store.failWrites(.unavailable("the disk is full"))
            case .damagedRow: store.corrupt(monitored.party)
            case .clockStep: monitored.server.clock.stepWall(bySeconds: 30)
            }
        }
    }

    @Test("what goes wrong fires its alerts and no others", arguments: Had.allCases)
    func fault(_ had: Had) async throws {
        let monitored = try await MonitoredServer.make(parties: 2)
        await monitored.run(minutes: 5)
        try await had.happen(to: monitored)
        await monitored.run(minutes: had.minutes)
        let firing = try await monitored.scrapes.firingAlerts()
        switch had {
        case .slowAPNs: #expect(firing.isSubset(of: had.alerts) && !firing.isEmpty, "\(firing)")
        case .noAPNs, .wrongKey, .ownersPause, .failingStore, .damagedRow, .clockStep:
            #expect(firing == had.alerts)
        }
        monitored.store.failWrites(nil)
        await monitored.server.server.drain()
    }

    @Test("nothing fires after an owner's pause, in which all cards have waited")
    func afterPause() async throws {
        let monitored = try await MonitoredServer.make(parties: 2)
        await monitored.run(minutes: 5)
        #expect(await monitored.server.admin(.put, "/v1/admin/push-pause").status == 200)
        await monitored.run(minutes: 15)
        #expect(await monitored.server.admin(.delete, "/v1/admin/push-pause").status == 200)
        await monitored.run(minutes: 12)
        let scrapes = monitored.scrapes
        #expect(try await scrapes.firingAlerts() == [])
        // On average a push was late by far less than a second.
        #expect(
            scrapes.last("rangers_push_latency_seconds_sum")
                < scrapes.last("rangers_push_latency_seconds_count"))
        await monitored.server.server.drain()
    }

    @Test("every alert has a fault here that fires it")
    func coverage() throws {
        let rules = try OperationFilesTests.text("Resources/Operations/alerts.yaml")
        let alerts = Set(rules.matches(of: /alert: (\w+)/).map { String($0.1) })
        let fired = Set(Self.shown.map(\.alert)).union(Had.allCases.flatMap(\.alerts))
        #expect(alerts.count > 20)
        #expect(alerts == fired)
    }
}
