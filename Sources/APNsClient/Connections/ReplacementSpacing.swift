package import HTTP2

/// Keeps the connects of a pool apart that replace lost connections: those that fell together do
/// not come back as one burst, and something is always on its way back. Pure.
///
/// Each slot has a pause of its own (`ReconnectBackoff`); this is the one that all share, by which
/// all slots together are back within one slot's shortest pause.
package struct ReplacementSpacing: Sendable {
    private let gapMilliseconds: Int64
    private var last: Int64?

    package init(_ limits: ReconnectBackoff.Limits, slots: Int) {
        gapMilliseconds = limits.minMilliseconds / Int64(max(1, slots))
    }

    /// Notes that a connection is replaced now.
    package mutating func replaces(at now: Int64) { last = now }

    /// When a slot may replace its connection that might do so at `time`.
    package func earliest(from time: Int64) -> Int64 {
        last.map { max(time, $0 + gapMilliseconds) } ?? time
    }
}
