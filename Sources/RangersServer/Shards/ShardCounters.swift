internal import PartyStore
internal import PushPolicy

/// The metrics that a shard updates at every change: its series, looked up once.
struct ShardCounters {
    private let ticks: NumberSeries
    private let events: NumberSeries
    private let decisions: [(disposition: Decision.Disposition, series: NumberSeries)]
    private let starts: [StartResult: NumberSeries]
    private let commitTime: HistogramSeries
    private let tickLateness: HistogramSeries
    private let batches: NumberSeries
    private let batchedChanges: NumberSeries
    private let backlogSeconds: NumberSeries
    private let batchesOut: NumberSeries
    private let partiesInMemory: NumberSeries
    private let requestsUnderWay: NumberSeries

    /// Labels the gauges with the loop's name, so that an overloaded loop is visible.
    init(_ metrics: Metrics, loop: String) {
        let label = "loop=\"\(loop)\""
        ticks = metrics.number(.ticks)
        events = metrics.number(.events)
        decisions = Decision.Disposition.allCases.map {
            ($0, metrics.number(.decisions, labels: "verdict=\"\($0.rawValue)\""))
        }
        // All from the beginning: an alert compares two of them.
        starts = Dictionary(
            uniqueKeysWithValues: StartResult.allCases.map {
                ($0, metrics.number(.starts, labels: "result=\"\($0.rawValue)\""))
            })
        commitTime = metrics.histogram(.commitTime)
        tickLateness = metrics.histogram(.tickLateness)
        batches = metrics.number(.batches)
        batchedChanges = metrics.number(.batchedChanges)
        backlogSeconds = metrics.number(.backlogSeconds, labels: label)
        batchesOut = metrics.number(.batchesOut, labels: label)
        partiesInMemory = metrics.number(.partiesInMemory, labels: label)
        requestsUnderWay = metrics.number(.requestsUnderWay, labels: label)
    }

    func tick() { ticks.add() }

    func due(lateMilliseconds: Int64) { tickLateness.observe(milliseconds: lateMilliseconds) }

    func batch(of changes: Int) {
        batches.add()
        batchedChanges.add(Double(changes))
    }

    func committed(_ change: PartyChange.Finished, tookMilliseconds: Int64) {
        let commit = change.commit
        commitTime.observe(milliseconds: tookMilliseconds)
        if !commit.events.isEmpty { events.add(Double(commit.events.count)) }
        for (disposition, series) in decisions {
            let count = commit.decisions.count { $0.disposition == disposition }
            if count > 0 { series.add(Double(count)) }
        }
        for disposition in change.starts.dispositions { starts[StartResult(disposition)]?.add() }
        if change.startsReported > 0 { starts[.reported]?.add(Double(change.startsReported)) }
    }

    /// Sets the gauges that reveal a loop that cannot keep up.
    func state(lateMilliseconds: Int64, batchesOut: Int, parties: Int, requests: Int) {
        backlogSeconds.set(to: Double(lateMilliseconds) / 1000)
        self.batchesOut.set(to: Double(batchesOut))
        partiesInMemory.set(to: Double(parties))
        requestsUnderWay.set(to: Double(requests))
    }
}

/// What became of an activity to start by push: a decision, or an app's report.
private enum StartResult: String, CaseIterable {
    case sent, pending, unadopted, stopped, held
    /// An app has registered the activity.
    case reported

    init(_ disposition: StartPlanner.Disposition) {
        self =
            switch disposition {
            case .sent: .sent
            case .pending: .pending
            case .unadopted: .unadopted
            case .stopped: .stopped
            case .held: .held
            }
    }
}
