/// The server's `/metrics` at one moment, or the difference between two.
package struct ServerMetrics: Hashable, Sendable {
    /// The values, by the metric's name with its labels.
    private var values: [Substring: Double] = [:]

    /// - Parameter text: In Prometheus' format.
    package init(text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " "),
                let value = Double(line[line.index(after: space)...])
            else { continue }
            values[line[..<space]] = value
        }
    }

    /// Returns the difference since then.
    package func since(_ earlier: ServerMetrics) -> ServerMetrics {
        var difference = self
        for (name, value) in earlier.values { difference.values[name, default: 0] -= value }
        return difference
    }

    /// Returns the sum over all labels, or over those that contain this text.
    package func count(_ name: String, with label: String = "") -> Double {
        values.reduce(0) { sum, entry in
            let isMeant =
                entry.key.prefix { $0 != "{" } == name
                && (label.isEmpty || entry.key.contains(label))
            return isMeant ? sum + entry.value : sum
        }
    }

    /// Whether somebody follows the server: an app, a browser phone or a console.
    package var hasOpenPage: Bool {
        count("rangers_streams") + count("rangers_console_streams") > 0
    }

    /// Returns a quantile of a histogram over all labels, interpolated within its bucket. `nil`: no
    /// observations.
    package func quantile(_ part: Double, of histogram: String) -> Double? {
        var counts: [Double: Double] = [:]
        for (name, count) in values where name.hasPrefix(histogram + "_bucket{") {
            guard let bound = Self.bound(of: name) else { continue }
            counts[bound, default: 0] += count
        }
        let buckets = counts.map { (bound: $0.key, count: $0.value) }
            .sorted { $0.bound < $1.bound }
        guard let total = buckets.last?.count, total > 0 else { return nil }
        var below = (bound: 0.0, count: 0.0)
        for bucket in buckets {
            guard bucket.count < part * total else {
                guard bucket.bound.isFinite, bucket.count > below.count else { return below.bound }
                let share = (part * total - below.count) / (bucket.count - below.count)
                return below.bound + share * (bucket.bound - below.bound)
            }
            below = bucket
        }
        return below.bound
    }

    /// Returns the upper bound of the bucket with this name and these labels.
    private static func bound(of name: Substring) -> Double? {
        guard let start = name.ranges(of: "le=\"").last?.upperBound else { return nil }
        let text = name[start...].prefix { $0 != "\"" }
        return text == "+Inf" ? .infinity : Double(text)
    }
}
