/// Says what APNs would refuse and what a device would drop or mistreat without telling anybody.
///
/// APNs answers 200 to a Live Activity's push that no device can decode; then nothing happens, and
/// nothing says why. The linter does, before the push is sent.
///
/// ```swift
/// let linter = PayloadLinter(schema: LiveActivitySchema(contentState: schema))
/// for finding in linter.findings(in: payload) { log(finding.description) }
/// ```
///
/// It reads the whole payload and every rule: some microseconds, for tests and for a server's
/// start, not for each push.
public struct PayloadLinter: Sendable {
    /// The app's types; `nil`: what they are is not judged.
    public let schema: LiveActivitySchema?

    /// A linter for the pushes of one kind of activity.
    public init(schema: LiveActivitySchema? = nil) { self.schema = schema }

    /// What a payload alone does not say.
    public struct Context: Hashable, Sendable {
        /// `apns-push-type`.
        public var pushType = PushRequest.PushType.liveactivity
        /// `apns-priority`; APNs takes 10 when the header is left out.
        public var priority = 10
        /// To one device, or to a broadcast channel.
        public var destination = PayloadLimit.device
        /// When the push is sent, in seconds since 1970; `nil`: when the payload says.
        public var now: Int64?
        /// When the activity ended, in seconds since 1970; `nil`: when the payload says.
        public var endedAt: Int64?
        /// Whether a dismissal in the past is meant.
        public var dismissal = Dismissal.shown

        /// What an end should do to the card.
        public enum Dismissal: Hashable, Sendable {
            /// The final state should be seen for a while.
            case shown
            /// The card should vanish with the end.
            case atOnce
        }

        /// A high-priority push to one device.
        public init() {}
    }

    /// Everything that is wrong with a payload, in the order of `PayloadRule.allCases`.
    public func findings(in payload: [UInt8], context: Context = Context()) -> [PayloadFinding] {
        let linted = LintedPayload(payload, schema: schema, context: context)
        return PayloadRule.allCases.flatMap { rule in
            rule.find(linted).map { PayloadFinding(rule, $0) }
        }
    }

    /// Everything that is wrong with a request's payload; push type and priority are the request's.
    public func findings(
        in request: PushRequest, context: Context = Context()
    ) -> [PayloadFinding] {
        var context = context
        context.pushType = request.pushType
        context.priority = request.priority.rawValue
        return findings(in: request.payload, context: context)
    }
}
