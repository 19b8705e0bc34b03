/// One row of a bench's table.
package struct Figure: Hashable, Sendable {
    /// The figure's target.
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
    /// The description.
    package let title: String
    package let spread: Spread
    package let target: Target?

    package init(_ key: String, _ title: String, _ spread: Spread, target: Target? = nil) {
        self.key = key
        self.title = title
        self.spread = spread
        self.target = target
    }

    /// Creates the figure of these samples; `nil` if there are none. `nil` samples do not count.
    init?(_ key: String, _ title: String, of samples: [Double?], target: Target? = nil) {
        guard let spread = Spread(samples.compactMap(\.self)) else { return nil }
        self.init(key, title, spread, target: target)
    }

    /// Whether the median meets the target; true without a target.
    package var isMet: Bool { target?.isMet(by: spread.median) ?? true }
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
