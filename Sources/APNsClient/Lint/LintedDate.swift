/// What a date of the `aps` dictionary seems to be.
enum LintedDate: Hashable, Sendable {
    case absent
    /// Not a number.
    case unreadable(typeName: String)
    /// Too large for seconds.
    case milliseconds(Double)
    /// Too small for seconds since 1970, but not for Swift's own.
    case since2001(Double)
    /// Seconds since 1970.
    case seconds(Double)

    /// From 1970 to 2001, in seconds: what Swift's `Date` counts from.
    static let referenceSeconds = 978_307_200.0
    /// Three years after 2001: what is lower is no date that anybody sends by mistake.
    private static let plausibleSince2001 = 100_000_000.0

    /// The date of `aps`'s key.
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

    /// The date, where it can be compared.
    var seconds: Double? {
        switch self {
        case .seconds(let seconds): seconds
        case .absent, .unreadable, .milliseconds, .since2001: nil
        }
    }

    /// The keys that hold a date.
    enum Key: String, CaseIterable, Sendable {
        case timestamp
        case staleDate = "stale-date"
        case dismissalDate = "dismissal-date"

        /// Which numbers are no seconds since 1970. A dismissal may lie as far back as one likes,
        /// a timestamp may not.
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

    /// When the push is sent, as far as is known.
    var sentAt: Double? { context.now.map(Double.init) ?? date(.timestamp).seconds }

    /// When the activity ends, as far as is known.
    var endedAt: Double? {
        context.endedAt.map(Double.init) ?? date(.timestamp).seconds ?? sentAt
    }

    /// One spot for each date that looks like that.
    func dates(_ observation: (LintedDate) -> String?) -> [PayloadRule.Spot] {
        LintedDate.Key.allCases.compactMap { key in
            observation(date(key)).map { PayloadRule.Spot("aps.\(key.rawValue)", $0) }
        }
    }
}

extension Double {
    /// A date or a number in a sentence: 1685952000 instead of 1685952000.0.
    var inWords: String { Int64(exactly: self).map(String.init) ?? description }
}
