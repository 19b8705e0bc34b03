/// A rule that a payload must meet, and how to find violations.
///
/// The linter runs exactly the rules in `allCases`.
public struct PayloadRule: Sendable, Identifiable {
    /// The severity of a violation.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// APNs refuses the push, or the device shows nothing of it.
        case dropped
        /// The device shows something other than intended.
        case mistreated
        /// Nothing breaks, but something has no effect.
        case notice
    }

    /// A name for scripts, such as `date-in-milliseconds`.
    public let id: String
    /// The severity of a violation.
    public let severity: Severity
    /// What APNs or the device does, and what to do: the end of each finding's sentence.
    public let consequence: String
    let find: @Sendable (LintedPayload) -> [Spot]

    /// The place of a violation, and what is wrong there.
    struct Spot: Hashable, Sendable {
        /// The key with its enclosing keys: `aps.alert.title`.
        let path: String
        /// What is wrong with it, as a verb: "is missing".
        let observation: String

        init(_ path: String, _ observation: String) {
            self.path = path
            self.observation = observation
        }
    }

    /// Creates a rule that needs only the bytes.
    init(
        _ id: String, _ severity: Severity, _ consequence: String,
        anywhere find: @escaping @Sendable (LintedPayload) -> [Spot]
    ) {
        self.id = id
        self.severity = severity
        self.consequence = consequence
        self.find = find
    }

    /// Creates a rule for the `aps` dictionary of a Live Activity.
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
    /// Every rule, in the order of the findings.
    public static let allCases: [PayloadRule] =
        document + delivery + events + dates + content + starts + alerts + keys

    /// Compares rules by id.
    public static func == (left: PayloadRule, right: PayloadRule) -> Bool { left.id == right.id }

    /// Hashes the id.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
