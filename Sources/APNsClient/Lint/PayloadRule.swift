/// One thing that APNs or a device would not forgive, and how to find it.
///
/// The linter runs the rules of `allCases` and knows no others, so what is not listed there does
/// not exist.
public struct PayloadRule: Sendable, Identifiable {
    /// How bad it is.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// APNs refuses the push, or accepts it and the device then shows nothing of it.
        case dropped
        /// The device shows something else than was meant.
        case mistreated
        /// Nothing goes wrong, but something has no effect.
        case notice
    }

    /// A name for scripts, such as `date-in-milliseconds`.
    public let id: String
    /// How bad it is.
    public let severity: Severity
    /// What APNs or the device does, and what to do about it: ends the sentence of each finding.
    public let consequence: String
    let find: @Sendable (LintedPayload) -> [Spot]

    /// Where a rule is broken, and what stands there.
    struct Spot: Hashable, Sendable {
        /// The key with the keys around it: `aps.alert.title`.
        let path: String
        /// What is wrong with it, as a verb: "is missing".
        let observation: String

        init(_ path: String, _ observation: String) {
            self.path = path
            self.observation = observation
        }
    }

    /// A rule that needs no more than the bytes.
    init(
        _ id: String, _ severity: Severity, _ consequence: String,
        anywhere find: @escaping @Sendable (LintedPayload) -> [Spot]
    ) {
        self.id = id
        self.severity = severity
        self.consequence = consequence
        self.find = find
    }

    /// A rule about the `aps` dictionary of a Live Activity.
    init(
        _ id: String, _ severity: Severity, _ consequence: String,
        activity find: @escaping @Sendable (LintedAps) -> [Spot]
    ) {
        self.init(
            id, severity, consequence,
            anywhere: { payload in
                guard payload.context.pushType == .liveactivity else { return [] }
                return payload.aps.map(find) ?? []
            })
    }
}

extension PayloadRule: Hashable, CaseIterable {
    /// Every rule, in the order in which findings are told.
    public static let allCases: [PayloadRule] =
        document + delivery + events + dates + content + starts + alerts + keys

    /// Rules are the same if their ids are.
    public static func == (left: PayloadRule, right: PayloadRule) -> Bool { left.id == right.id }

    /// By the id alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
