internal import APNsClient
internal import PushPolicy

/// Checks each push just before it is sent, for what a device would drop or mistreat although APNs
/// accepts it. The names are those of the linter's rules.
///
/// The linter itself parses the payload, which costs more than writing it. These checks look at what
/// the payload was written from, so they cost a few comparisons. `PayloadCheck` has linted every
/// kind of push at the server's start; what is left is what depends on a party's data and times.
/// Only a payload near its limit is linted whole.
struct PushLint {
    /// Larger payloads are linted whole: their content may be above ActivityKit's 4 KB.
    static let lintedBytes = 3500

    private let linter = PayloadLinter(schema: .adventure)

    /// Returns the name of a rule that the push violates.
    func fault(
        in push: PlannedPush, showing state: ContentState, payload: [UInt8],
        to destination: PayloadLimit
    ) -> String? {
        if let fault = Self.fault(in: push, showing: state) { return fault }
        guard payload.count > Self.lintedBytes else { return nil }
        var context = PayloadLinter.Context()
        context.destination = destination
        context.priority = push.priority.rawValue
        context.dismissal = .atOnce
        return linter.findings(in: payload, context: context)
            .first { $0.rule.severity == .dropped }?.rule.id
    }

    private static func fault(in push: PlannedPush, showing state: ContentState) -> String? {
        if !(0...1).contains(state.currentHealthLevel) { return "field-out-of-range" }
        if state.eventDescription.isEmpty { return "content-empty" }
        if let date = push.staleDate, date.seconds <= push.timestamp { return "stale-date-in-past" }
        if case .end(let date) = push.event, date.seconds > push.timestamp + dismissalMax {
            return "dismissal-too-late"
        }
        guard let alert = push.alert else { return nil }
        if push.priority != .high { return "alert-at-low-priority" }
        if alert.titleKey.isEmpty { return "alert-without-title" }
        if alert.bodyKey.isEmpty { return "alert-without-body" }
        return nil
    }

    /// An ended activity stays for four hours at most (N2), in seconds.
    private static let dismissalMax: Int64 = 4 * 60 * 60
}

/// A push that a device would not understand.
struct PushLintFault: Error {
    /// The linter's name of the rule.
    let rule: String
}
