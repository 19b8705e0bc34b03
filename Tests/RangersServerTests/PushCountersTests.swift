import APNsClient
import GameLogic
import PushPolicy
import Testing

@testable import RangersServer

@Suite("What an accepted push adds to the metrics")
struct PushCountersTests {
    private static let noon = WallTime(milliseconds: 1_800_000_000_000)

    /// The metrics after a push with these times (seconds after noon) and this result, at noon and
    /// ten and a quarter seconds.
    private func metrics(
        _ priority: PushPriority = .high, due: Int64 = 0, ready: Int64 = 10,
        knockedDown: Int64? = nil,
        _ result: ReportedOutcome.Result = .reported(.accepted(apnsUniqueID: nil))
    ) -> String {
        let noon = Self.noon
        let push = PlannedPush(
            event: .update, recipient: .activity(ActivityID("a")),
            target: .device(PushToken(hex: "00")), environment: .sandbox, tokenConfirmedAt: noon,
            content: LocalizableContent(
                health: Health(thousandths: 500), text: LocalizableText("A storm is raging!")),
            language: .english, alert: nil, priority: priority, timestamp: noon.seconds,
            staleDate: nil, relevanceScore: 50, expiration: noon, contentVersion: 1,
            times: PlannedPush.Times(
                dueSince: noon.adding(seconds: due), readyAt: noon.adding(seconds: ready),
                knockedDownAt: knockedDown.map { noon.adding(seconds: $0) }))
        let metrics = Metrics()
        PushCounters(metrics).reported(
            result, of: push, at: noon.adding(milliseconds: 10_250))
        return metrics.exposition()
    }

    @Test("latency counts from when it could leave, and the wait until then apart, by priority")
    func latency() {
        let high = metrics()
        #expect(high.contains("rangers_push_latency_seconds_sum{priority=\"10\"} 0.25\n"))
        #expect(high.contains("rangers_push_wait_seconds_sum{priority=\"10\"} 10.0\n"))
        #expect(high.contains("rangers_push_latency_seconds_count{priority=\"5\"} 0\n"))
        let low = metrics(.low)
        #expect(low.contains("rangers_push_latency_seconds_sum{priority=\"5\"} 0.25\n"))
        #expect(low.contains("rangers_push_latency_seconds_count{priority=\"10\"} 0\n"))
    }

    @Test("the first push of a knock-down has a series of its own, from the knock-down")
    func knockdown() {
        #expect(metrics(knockedDown: 9).contains("rangers_knockdown_latency_seconds_sum 1.25\n"))
        #expect(metrics().contains("rangers_knockdown_latency_seconds_count 0\n"))
    }

    @Test("a push that APNs has not accepted has no latency")
    func notAccepted() {
        for result in [ReportedOutcome.Result.reported(.unknown("gone")), .paused, .linted] {
            let text = metrics(knockedDown: 9, result)
            #expect(text.contains("rangers_push_latency_seconds_count{priority=\"10\"} 0\n"))
            #expect(text.contains("rangers_push_wait_seconds_count{priority=\"10\"} 0\n"))
            #expect(text.contains("rangers_knockdown_latency_seconds_count 0\n"))
        }
    }
}
