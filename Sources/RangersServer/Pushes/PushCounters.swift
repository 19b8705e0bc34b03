internal import APNsClient
internal import PushPolicy

/// The metrics of pushes: their series, looked up once.
struct PushCounters: Sendable {
    private let metrics: Metrics
    private let inFlight: NumberSeries
    private let acceptedHigh: NumberSeries
    private let acceptedLow: NumberSeries
    private let alerts: NumberSeries
    private let tickToAcceptance: HistogramSeries

    init(_ metrics: Metrics) {
        self.metrics = metrics
        inFlight = metrics.number(.pushesInFlight)
        acceptedHigh = Self.accepted(.high, metrics)
        acceptedLow = Self.accepted(.low, metrics)
        alerts = metrics.number(.alerts)
        tickToAcceptance = metrics.histogram(.tickToAcceptance)
    }

    private static func accepted(_ priority: PushPriority, _ metrics: Metrics) -> NumberSeries {
        metrics.number(
            .pushes, labels: Metrics.pushLabels(priority, status: "200", reason: ""))
    }

    func sent(_ count: Int) { inFlight.add(Double(count)) }

    func reported(_ result: ReportedOutcome.Result, of push: PlannedPush, at now: WallTime) {
        inFlight.add(-1)
        switch result {
        case .reported(.accepted):
            (push.priority == .high ? acceptedHigh : acceptedLow).add()
            if push.alert != nil { alerts.add() }
            tickToAcceptance.observe(
                milliseconds: now.milliseconds - push.dueSince.milliseconds)
        case .reported(let outcome): metrics.count(outcome, priority: push.priority)
        case .unsendable: metrics.countUnsendable(push.priority)
        case .noChannels: break
        }
    }
}
