/// When an unresponsive host gets its next probe: 1 to 2 seconds after the last one, then twice
/// as late each time, up to 4 to 8 seconds. Pure; time is in milliseconds on any one clock.
///
/// The pauses are short, because everything must be current within a minute after an outage, and
/// half of each is random, so that senders that fail together do not return together (PR6, PR8).
package struct ProbePauses: Hashable, Sendable {
    /// The longest first pause.
    package static let firstMax: Int64 = 2_000
    /// The longest pause of all. A probe without an outcome for so long gets a successor.
    package static let pauseMax: Int64 = 8_000

    /// When the next probe may go.
    package private(set) var nextAt: Int64
    /// When the probe went whose outcome is awaited.
    private var probeAt: Int64?
    /// The longest that the next pause may be.
    private var longest = Self.firstMax

    /// Begins the first pause. `dice` is a random number in 0..<1.
    package init(at now: Int64, dice: Double) {
        nextAt = now + Self.roll(Self.firstMax, dice)
    }

    /// Whether the outcome of a probe is awaited.
    package var isProbing: Bool { probeAt != nil }

    /// Records that a probe goes now.
    package mutating func probe(at now: Int64) {
        probeAt = now
        nextAt = now + Self.pauseMax
    }

    /// Records that the probe has failed. The next one keeps its distance from that one, however
    /// long its failure took.
    package mutating func failed(at now: Int64, dice: Double) {
        guard let began = probeAt else { return }
        probeAt = nil
        longest = min(longest * 2, Self.pauseMax)
        nextAt = max(now, began + Self.roll(longest, dice))
    }

    /// Records that no probe went after all: another one may go at once.
    package mutating func didNotProbe(at now: Int64) {
        guard probeAt != nil else { return }
        probeAt = nil
        nextAt = now
    }

    private static func roll(_ longest: Int64, _ dice: Double) -> Int64 {
        longest / 2 + Int64(Double(longest / 2) * min(max(dice, 0), 1))
    }
}
