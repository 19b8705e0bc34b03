/// A broken rule at one place of a payload.
public struct PayloadFinding: Hashable, Sendable, CustomStringConvertible {
    /// The rule, with its id and severity.
    public let rule: PayloadRule
    /// The key with the keys around it, such as `aps.alert.title`.
    public let path: String
    /// What is wrong, what APNs or the device does then, and what to do. It holds no texts of the
    /// payload, only keys, numbers and sizes: it may be logged.
    public let sentence: String

    init(_ rule: PayloadRule, _ spot: PayloadRule.Spot) {
        self.rule = rule
        path = spot.path
        sentence = "\(spot.path) \(spot.observation): \(rule.consequence)."
    }

    /// Severity, sentence and the rule's id, as a line.
    public var description: String { "\(rule.severity.rawValue): \(sentence) [\(rule.id)]" }
}
