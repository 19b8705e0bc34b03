internal import APNsClient
internal import PushPolicy

/// The metrics of pushes: their series, looked up once.
struct PushCounters: Sendable {
    private let metrics: Metrics
    private let inFlight: NumberSeries
    private let high: Accepted
    private let low: Accepted
    private let alerts: NumberSeries
    private let knockdownLatency: HistogramSeries

    /// The series of accepted pushes of one priority.
    private struct Accepted: Sendable {
        let count: NumberSeries
        let latency: HistogramSeries
        let wait: HistogramSeries

        init(_ priority: PushPriority, _ metrics: Metrics) {
            let label = "priority=\"\(priority.rawValue)\""
            count = PushCounters.accepted(priority, metrics)
            latency = metrics.histogram(.pushLatency, labels: label)
            wait = metrics.histogram(.pushWait, labels: label)
        }

        func note(_ times: PlannedPush.Times, at now: WallTime) {
            count.add()
            latency.observe(milliseconds: now.milliseconds - times.readyAt.milliseconds)
            wait.observe(
                milliseconds: times.readyAt.milliseconds - times.dueSince.milliseconds)
        }
    }

    init(_ metrics: Metrics) {
        self.metrics = metrics
        inFlight = metrics.number(.pushesInFlight)
        high = Accepted(.high, metrics)
        low = Accepted(.low, metrics)
        alerts = metrics.number(.alerts)
        knockdownLatency = metrics.histogram(.knockdownLatency)
    }

    private static func accepted(_ priority: PushPriority, _ metrics: Metrics) -> NumberSeries {
        metrics.number(.pushes, labels: labels(priority, status: "200", reason: ""))
    }

    /// The labels of accepted pushes.
    static let acceptedLabels = (
        high: labels(.high, status: "200", reason: ""), low: labels(.low, status: "200", reason: "")
    )

    /// The series of accepted pushes.
    static func acceptedSeries(_ metrics: Metrics) -> [NumberSeries] {
        [accepted(.high, metrics), accepted(.low, metrics)]
    }

    func sent(_ count: Int) { inFlight.add(Double(count)) }

    func reported(_ result: ReportedOutcome.Result, of push: PlannedPush, at now: WallTime) {
        inFlight.add(-1)
        switch result {
        case .reported(.accepted):
            (push.priority == .high ? high : low).note(push.times, at: now)
            if push.alert != nil { alerts.add() }
            if let time = push.times.knockedDownAt {
                knockdownLatency.observe(milliseconds: now.milliseconds - time.milliseconds)
            }
        case .reported(let outcome): count(outcome, push.priority)
        case .unsendable: count(push.priority, status: "", reason: "cannot be written")
        case .linted: count(push.priority, status: "", reason: "linted")
        case .paused: count(push.priority, status: "", reason: "paused")
        case .held: count(push.priority, status: "", reason: "new token")
        case .noChannels, .noPage: break
        case .expired: count(push.priority, status: "", reason: "expired")
        }
    }

    private func count(_ outcome: APNsClient.Outcome, _ priority: PushPriority) {
        switch outcome {
        case .accepted: count(priority, status: "200", reason: "")
        case .refused(let refusal):
            count(
                priority, status: "\(refusal.status)", reason: APNsReason.label(of: refusal.reason))
        case .notSent: count(priority, status: "", reason: "not sent")
        case .heldBack: count(priority, status: "", reason: "held back")
        case .unknown: count(priority, status: "", reason: "unknown fate")
        }
    }

    private func count(_ priority: PushPriority, status: String, reason: String) {
        metrics.add(.pushes, labels: Self.labels(priority, status: status, reason: reason))
    }

    static func labels(_ priority: PushPriority, status: String, reason: String) -> String {
        "priority=\"\(priority.rawValue)\",status=\"\(status)\",reason=\"\(reason)\""
    }
}
