/// The spread of repeated measurements: the figure to quote, and its noise.
package struct Spread: Hashable, Sendable {
    package let median: Double
    package let smallest: Double
    package let largest: Double

    /// Computes the spread; `nil` without samples. With an even number the median is the mean of
    /// the middle two.
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
