/// One line of a bench's table: a figure, its samples, and its target.
package struct Finding: Hashable, Sendable {
    /// The bound of a figure's median.
    package enum Target: Hashable, Sendable {
        case atLeast(Double)
        case atMost(Double)
        case below(Double)

        func isMet(by value: Double) -> Bool {
            switch self {
            case .atLeast(let bound): value >= bound
            case .atMost(let bound): value <= bound
            case .below(let bound): value < bound
            }
        }

        var words: String {
            switch self {
            case .atLeast(let bound): "≥ \(FigureText.number(bound))"
            case .atMost(let bound): "≤ \(FigureText.number(bound))"
            case .below(let bound): "< \(FigureText.number(bound))"
            }
        }
    }

    /// The name in the JSON line.
    package let key: String
    /// The figure in words.
    package let what: String
    package let target: Target?
    /// One a round, or more.
    package internal(set) var samples: [Double]

    /// The middle sample, or the mean of the middle two.
    package var median: Double {
        let sorted = samples.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// From the smallest sample to the largest.
    package var range: ClosedRange<Double> { (samples.min() ?? 0)...(samples.max() ?? 0) }

    /// Whether the median meets the target; true without a target.
    package var isMet: Bool { target?.isMet(by: median) ?? true }

    /// The unit of the values, which the key's last word but numbers says: `tick_cpu_us_4`.
    var unit: String {
        let words = key.split(separator: "_")
        for (index, word) in words.enumerated().reversed() {
            switch word {
            case "ratio", "growth", "linear", "to": return "÷"
            case "s": return index > 0 && words[index - 1] == "per" ? "/s" : "s"
            case "us": return "µs"
            case "ms": return "ms"
            case "bytes": return "B"
            case "mb": return "MB"
            case "busy": return "cores"
            default: continue
            }
        }
        return ""
    }

    /// The cells of its row.
    var cells: [String] {
        let (number, range) = (FigureText.number, self.range)
        return [
            "`\(key)`", what, unit, number(median),
            "\(number(range.lowerBound)) to \(number(range.upperBound))", target?.words ?? "",
            target == nil ? "" : isMet ? "met" : "**missed**",
        ]
    }
}

/// Numbers for display.
enum FigureText {
    /// Rounds to four significant digits; to integers from a thousand on.
    static func rounded(_ value: Double) -> Double {
        var step = 1.0
        while step > 1e-6, abs(value) < 1_000 * step { step /= 10 }
        // Division by 10, 100 … keeps the decimal representation short.
        return (value / step).rounded() / (1 / step).rounded()
    }

    /// `0.1234`, `12.34`, `123,456`.
    static func number(_ value: Double) -> String {
        let value = rounded(value)
        guard abs(value) >= 1_000 else {
            return value == value.rounded() ? String(Int(value)) : "\(value)"
        }
        var digits = String(Int(abs(value)))
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        groups.insert(digits, at: 0)
        return (value < 0 ? "-" : "") + groups.joined(separator: ",")
    }
}
