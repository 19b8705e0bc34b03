/// One violation of a rule in a payload.
public struct PayloadFinding: Hashable, Sendable, CustomStringConvertible {
    /// The rule, with its id and severity.
    public let rule: PayloadRule
    /// The key with its enclosing keys, such as `aps.alert.title`.
    public let path: String
    /// What is wrong, what APNs or the device does, and what to do. It contains keys, numbers and
    /// sizes, but no text of the payload, so it is safe to log.
    public let sentence: String

    init(_ rule: PayloadRule, _ spot: PayloadRule.Spot) {
        self.rule = rule
        path = spot.path
        sentence = "\(spot.path) \(spot.observation): \(rule.consequence)."
    }

    /// The severity, the sentence and the rule's id on one line.
    public var description: String { "\(rule.severity.rawValue): \(sentence) [\(rule.id)]" }
}
