internal import JSONReader

/// The apparent unit of a date in the `aps` dictionary.
enum LintedDate: Hashable, Sendable {
    case absent
    /// Not a number.
    case unreadable(typeName: String)
    /// Too large for seconds.
    case milliseconds(Double)
    /// Too small for seconds since 1970, but plausible as seconds since 2001.
    case since2001(Double)
    /// Seconds since 1970.
    case seconds(Double)

    /// The seconds from 1970 to 2001, the reference of Swift's `Date`.
    static let referenceSeconds = 978_307_200.0
    /// Three years after 2001. Lower values are no likely mistake.
    private static let plausibleSince2001 = 100_000_000.0

    /// Reads the date for a key of `aps`.
    init(_ key: Key, in aps: LintedAps) {
        guard let value = aps[key.rawValue] else {
            self = .absent
            return
        }
        guard let number = value.number else {
            self = .unreadable(typeName: value.typeName)
            return
        }
        switch number {
        case Double(EpochSeconds.limit)...: self = .milliseconds(number)
        case key.since2001: self = .since2001(number)
        default: self = .seconds(number)
        }
    }

    /// The date if it can be compared.
    var seconds: Double? {
        switch self {
        case .seconds(let seconds): seconds
        case .absent, .unreadable, .milliseconds, .since2001: nil
        }
    }

    /// The keys of dates.
    enum Key: String, CaseIterable, Sendable {
        case timestamp
        case staleDate = "stale-date"
        case dismissalDate = "dismissal-date"

        /// The values that suggest seconds since 2001. A dismissal may lie in the distant past, a
        /// timestamp may not.
        fileprivate var since2001: Range<Double> {
            switch self {
            case .timestamp: -.infinity..<referenceSeconds
            case .staleDate, .dismissalDate: plausibleSince2001..<referenceSeconds
            }
        }
    }
}

extension LintedAps {
    func date(_ key: LintedDate.Key) -> LintedDate { LintedDate(key, in: self) }

    /// When the push is sent, if known.
    var sentAt: Double? { context.now.map(Double.init) ?? date(.timestamp).seconds }

    /// When the activity ends, if known.
    var endedAt: Double? {
        context.endedAt.map(Double.init) ?? date(.timestamp).seconds ?? sentAt
    }

    /// Returns one spot for each date with an observation.
    func dates(_ observation: (LintedDate) -> String?) -> [PayloadRule.Spot] {
        LintedDate.Key.allCases.compactMap { key in
            observation(date(key)).map { PayloadRule.Spot("aps.\(key.rawValue)", $0) }
        }
    }
}

extension Double {
    /// A number for a sentence: 1685952000 instead of 1685952000.0.
    var inWords: String { Int64(exactly: self).map(String.init) ?? description }
}
