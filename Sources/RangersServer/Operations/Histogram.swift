/// Times in buckets, from a millisecond to an hour.
struct Histogram {
    /// Upper bounds in seconds.
    static let bounds = [
        0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.25, 0.5,
        1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600,
    ]

    private var counts = [Int](repeating: 0, count: bounds.count)
    private var count = 0
    private var sum = 0.0

    mutating func observe(_ seconds: Double) {
        count += 1
        sum += seconds
        guard let bucket = Self.bounds.firstIndex(where: { seconds <= $0 }) else { return }
        counts[bucket] += 1
    }

    func lines(name: String, labels: String) -> [String] {
        let prefix = labels.isEmpty ? "" : labels + ","
        var total = 0
        var lines: [String] = []
        for (bound, count) in zip(Self.bounds, counts) {
            total += count
            lines.append("\(name)_bucket{\(prefix)le=\"\(Metrics.text(bound))\"} \(total)")
        }
        lines.append("\(name)_bucket{\(prefix)le=\"+Inf\"} \(count)")
        lines.append("\(name)_sum\(Metrics.braced(labels)) \(sum)")
        lines.append("\(name)_count\(Metrics.braced(labels)) \(count)")
        return lines
    }
}
