internal import APNsClient

/// Sentences about pushes that APNs accepts and a device ignores or mistreats: what `PayloadLinter`
/// finds, and what only earlier pushes reveal.
struct DeviceWarnings: Sendable {
    private let linter: PayloadLinter

    init(schema: LiveActivitySchema) { linter = PayloadLinter(schema: schema) }

    /// Returns the sentences about a Live Activity push, and records it as the activity's latest.
    /// `now` is in milliseconds since 1970.
    func about(
        _ payload: [UInt8], _ aps: PushedAps, priority: Int, to destination: PayloadLimit,
        activity: inout ActivityHistory, now: Int64
    ) -> [String] {
        var context = PayloadLinter.Context()
        context.priority = priority
        context.destination = destination
        context.now = now / 1_000
        // Only the sender knows whether it was intended.
        context.dismissal = .atOnce
        let findings = linter.findings(in: payload, context: context)
            .filter { $0.rule.severity != .notice }
        return findings.map(\.sentence) + activity.warnings(about: aps)
    }
}

/// A device's state for the activity of a token or channel.
struct ActivityHistory: Hashable, Sendable {
    /// The newest `timestamp` so far.
    private var timestamp: Int64?
    private var hasEnded = false

    /// The year 5138: later timestamps are in milliseconds, and no device keeps them.
    private static let secondsMax: Int64 = 100_000_000_000

    /// Returns what a device minds because of earlier pushes, and records this one.
    fileprivate mutating func warnings(about aps: PushedAps) -> [String] {
        var warnings: [String] = []
        if let sent = aps.timestamp, sent < Self.secondsMax {
            if let timestamp, sent <= timestamp {
                warnings.append(
                    "aps.timestamp \(sent) is not above \(timestamp), the last one for this token: "
                        + "the device may keep the older content.")
            }
            timestamp = max(timestamp ?? sent, sent)
        }
        if hasEnded, aps.event != "start" {
            warnings.append("The activity of this token has ended: the device ignores the push.")
        }
        if aps.event == "end" { hasEnded = true }
        return warnings
    }
}
