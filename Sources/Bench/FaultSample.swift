internal import APNsSimulator

/// What one client made of one fault, once.
struct FaultSample: Sendable {
    /// While the fault was not there, was, or was over.
    struct Phase: Hashable, Sendable {
        /// Answers a second.
        var rate = 0.0
        /// The time that 99 of 100 accepted pushes did not exceed, in milliseconds.
        var slowestPercent: Double?
    }

    let fault: BenchFault
    var before = Phase()
    var during = Phase()
    var after = Phase()
    /// From the end of the fault to the first push that was accepted.
    var healSeconds = 0.0
    /// The longest time without an accepted push, from the fault on.
    var gapSeconds = 0.0
    /// Provider tokens that were signed since the fault began.
    var tokensSigned = 0
    private(set) var count = FaultTally.Count()
    /// Pushes whose outcome is none, or is not what Apple's side knows.
    private(set) var lost = 0
    /// Pushes that Apple's side has accepted again.
    private(set) var doubled = 0

    init(_ fault: BenchFault) { self.fault = fault }

    var duringRatio: Double { during.rate / before.rate }
    var afterRatio: Double { after.rate / before.rate }

    /// How much longer the slowest hundredth waited; `nil` where nothing was accepted.
    var slowestPercentRatio: Double? {
        guard let before = before.slowestPercent, let during = during.slowestPercent else {
            return nil
        }
        return during / before
    }

    /// Compares what the sender was told with what Apple's side has counted.
    mutating func count(_ told: FaultTally.Count, _ apple: Counters) {
        count = told
        doubled = apple.doubledIDs
        lost = Self.lost(told, known: apple.accepted - apple.doubledIDs)
    }

    /// Pushes that are said to be accepted but are not there, that are there but are said not to
    /// have left, and that nobody was told of. `known` is what Apple's side has accepted.
    static func lost(_ told: FaultTally.Count, known: Int) -> Int {
        max(0, told.accepted - known) + max(0, known - told.accepted - told.unknown)
            + (told.handedIn - told.ended)
    }
}

extension FaultSample: CustomStringConvertible {
    /// A line for the person who waits for the table.
    var description: String {
        "\(Int(before.rate)), \(Int(during.rate)), \(Int(after.rate)) answers/s before, during, "
            + "after; \(Int(healSeconds * 1_000)) ms to the first push after it"
    }
}
