/// What several runs of one measurement gave: the figure to quote, and how noisy it is.
package struct Spread: Hashable, Sendable {
    package let median: Double
    package let smallest: Double
    package let largest: Double

    /// `nil` without samples. Of an even number the median lies between the two in the middle.
    package init?(_ samples: [Double]) {
        let sorted = samples.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        let middle = sorted.count / 2
        median =
            sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        smallest = first
        largest = last
    }
}
