/// A checker for payloads. Finds what APNs would refuse and what a device would silently drop or
/// mistreat.
///
/// APNs returns 200 for a Live Activity push that no device can decode; then nothing happens,
/// without an error. The linter finds the fault before the push is sent.
///
/// ```swift
/// let linter = PayloadLinter(schema: LiveActivitySchema(contentState: schema))
/// for finding in linter.findings(in: payload) { log(finding.description) }
/// ```
///
/// It reads the whole payload and checks every rule, which takes some microseconds. Use it in tests
/// and when a server starts, not for each push.
public struct PayloadLinter: Sendable {
    /// The app's types; `nil`: types are not checked.
    public let schema: LiveActivitySchema?

    /// Creates a linter for pushes of one activity type.
    public init(schema: LiveActivitySchema? = nil) { self.schema = schema }

    /// The context that a payload does not contain.
    public struct Context: Hashable, Sendable {
        /// `apns-push-type`.
        public var pushType = PushRequest.PushType.liveactivity
        /// `apns-priority`; APNs assumes 10 without the header.
        public var priority = 10
        /// One device or a broadcast channel.
        public var destination = PayloadLimit.device
        /// When the push is sent, in seconds since 1970; `nil`: the payload's timestamp.
        public var now: Int64?
        /// When the activity ended, in seconds since 1970; `nil`: as in the payload.
        public var endedAt: Int64?
        /// Whether a dismissal date in the past is intended.
        public var dismissal = Dismissal.shown

        /// What an end should do with the activity.
        public enum Dismissal: Hashable, Sendable {
            /// The final state should remain visible for a while.
            case shown
            /// The activity should disappear with the end.
            case atOnce
        }

        /// Creates the context of a high-priority push to one device.
        public init() {}
    }

    /// Returns the findings for a payload, in the order of `PayloadRule.allCases`.
    public func findings(in payload: [UInt8], context: Context = Context()) -> [PayloadFinding] {
        let linted = LintedPayload(payload, schema: schema, context: context)
        return PayloadRule.allCases.flatMap { rule in
            rule.find(linted).map { PayloadFinding(rule, $0) }
        }
    }

    /// Returns the findings for a request's payload, with the request's push type and priority.
    public func findings(
        in request: PushRequest, context: Context = Context()
    ) -> [PayloadFinding] {
        var context = context
        context.pushType = request.pushType
        context.priority = request.priority.rawValue
        return findings(in: request.payload, context: context)
    }
}
