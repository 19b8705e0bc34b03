/// How weak a world boss is: the server tells every shift when the pool of health that all parties
/// share has fallen to such a part.
package enum WorldStage: Int, CaseIterable, Hashable, Sendable {
    /// Nothing is left.
    case fallen = 0
    /// At most a quarter.
    case quarter = 1
    case half = 2
    case threeQuarters = 3

    /// Returns the stage of a pool of which so much remains; `nil`: more than three quarters.
    package init?(remaining: Int64, of pool: Int64) {
        let quarters = pool > 0 ? (max(remaining, 0) * 4 + pool - 1) / pool : 0
        self.init(rawValue: Int(quarters))
    }
}
