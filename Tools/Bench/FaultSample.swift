internal import APNsSimulator

/// One client's results for one fault.
struct FaultSample: Sendable {
    /// The results before, during or after the fault.
    struct Phase: Hashable, Sendable {
        /// Responses per second.
        var rate = 0.0
        /// The 99th percentile of the accepted pushes' latency, in milliseconds.
        var slowestPercent: Double?
    }

    let fault: BenchFault
    var before = Phase()
    var during = Phase()
    var after = Phase()
    /// The time from the fault's end to the first accepted push.
    var healSeconds = 0.0
    /// The longest time without an accepted push since the fault began.
    var gapSeconds = 0.0
    /// Provider tokens signed since the fault began.
    var tokensSigned = 0
    private(set) var count = FaultTally.Count()
    /// Pushes without an outcome, or with one that contradicts APNs' count.
    private(set) var lost = 0
    /// Pushes that APNs has accepted twice.
    private(set) var doubled = 0

    init(_ fault: BenchFault) { self.fault = fault }

    var duringRatio: Double { during.rate / before.rate }
    var afterRatio: Double { after.rate / before.rate }

    /// The ratio of the 99th percentiles; `nil` if nothing was accepted.
    var slowestPercentRatio: Double? {
        guard let before = before.slowestPercent, let during = during.slowestPercent else {
            return nil
        }
        return during / before
    }

    /// Compares the sender's outcomes with APNs' counts.
    mutating func count(_ reported: FaultTally.Count, _ apple: Counters) {
        count = reported
        doubled = apple.doubledIDs
        lost = Self.lost(reported, known: apple.accepted - apple.doubledIDs)
    }

    /// Returns the number of pushes reported as accepted but missing, accepted but reported as not
    /// sent, or never reported. `known` is the number that APNs accepted.
    static func lost(_ reported: FaultTally.Count, known: Int) -> Int {
        max(0, reported.accepted - known) + max(0, known - reported.accepted - reported.unknown)
            + (reported.submitted - reported.ended)
    }
}

extension FaultSample: CustomStringConvertible {
    /// A progress line.
    var description: String {
        "\(Int(before.rate)), \(Int(during.rate)), \(Int(after.rate)) responses/s before, during, "
            + "after; \(Int(healSeconds * 1_000)) ms to the first push after it"
    }
}
