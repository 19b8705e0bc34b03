/// A hero's health in whole thousandths, always within 0…1000.
///
/// State contains no `Double` (determinism); `ContentState` makes the fraction 0…1 that the
/// activity shows (rule L7).
package struct Health: Hashable, Comparable, Sendable {
    @Compact<Int16> package private(set) var thousandths: Int

    /// Clamps to 0…1000.
    package init(thousandths: Int) {
        _thousandths = Compact(wrappedValue: min(max(thousandths, 0), 1000))
    }

    package static let none = Health(thousandths: 0)
    package static let full = Health(thousandths: 1000)

    package static func < (left: Health, right: Health) -> Bool {
        left.thousandths < right.thousandths
    }
}
