/// Tokens that APNs refused as bad, until they are registered again. Pure, on the steady clock in
/// milliseconds.
///
/// APNs disconnects senders with many errors, sooner for `BadDeviceToken`, so a refused token is
/// not used a second time. Tokens are kept as hashes with a seed of the process, which cannot be
/// reversed. The size is bounded: the oldest are dropped first.
struct TokenQuarantine: Sendable {
    /// The most tokens kept. Beyond it the oldest is dropped, which costs one more refusal by APNs.
    static let tokensMax = 50_000
    /// How long a token is kept.
    static let stayMilliseconds: Int64 = 24 * 60 * 60_000

    /// A quarantined token's refusal.
    private struct Entry {
        let refusal: APNsClient.Refusal
        let topic: Int
        let at: Int64
        /// Its position in the order; an older position with the same token is void.
        let number: UInt64
    }

    private var entries: [Int: Entry] = [:]
    private var order: [(token: Int, number: UInt64)] = []
    private var head = 0
    private var nextNumber: UInt64 = 0
    private var registrations = RecentRegistrations()
    /// Pushes refused here.
    private(set) var refusals = 0

    /// The number of quarantined tokens.
    var count: Int { entries.count }

    /// Positions in the order, with the void ones.
    var places: Int { order.count - head }

    /// Whether no push needs a check.
    var isEmpty: Bool { entries.isEmpty }

    /// Returns the refusal that a push would get again if its token is quarantined.
    mutating func refusal(
        of token: DeviceToken, topic: String, at now: Int64
    ) -> APNsClient.Refusal? {
        let key = token.hashValue
        guard let entry = entries[key] else { return nil }
        guard now - entry.at < Self.stayMilliseconds else {
            entries[key] = nil
            return nil
        }
        guard entry.refusal.reason != Self.topicReason || entry.topic == topic.hashValue else {
            return nil
        }
        refusals += 1
        return entry.refusal
    }

    /// Records that APNs refused a token.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - refusal: APNs' refusal, with the action `.dropToken`.
    ///   - topic: The push's topic, because one reason concerns both.
    ///   - submittedAt: When the push was submitted.
    ///   - now: Now.
    mutating func record(
        _ token: DeviceToken, _ refusal: APNsClient.Refusal, topic: String,
        submittedAt: Int64, at now: Int64
    ) {
        let key = token.hashValue
        guard !registrations.mayOutdate(key, pushOf: submittedAt, at: now) else { return }
        let (known, topic) = (entries[key], topic.hashValue)
        // A refusal given here must not prolong the quarantine.
        guard known?.refusal != refusal || known?.topic != topic else { return }
        nextNumber += 1
        entries[key] = Entry(refusal: refusal, topic: topic, at: now, number: nextNumber)
        order.append((key, nextNumber))
        while entries.count > Self.tokensMax { forgetOldest() }
        compact()
    }

    /// Lifts the quarantine of a registered token, so that APNs is asked again. This takes a place
    /// among the registrations, never one among the bad tokens.
    mutating func liftQuarantine(of token: DeviceToken, at now: Int64) {
        entries[token.hashValue] = nil
        registrations.note(token.hashValue, at: now)
    }

    private static let topicReason = "DeviceTokenNotForTopic"

    private mutating func forgetOldest() {
        guard head < order.count else { return }
        let oldest = order[head]
        head += 1
        if entries[oldest.token]?.number == oldest.number { entries[oldest.token] = nil }
    }

    /// Removes void positions when they are most of the list.
    private mutating func compact() {
        guard order.count > 2 * Self.tokensMax else { return }
        order = order[head...].filter { entries[$0.token]?.number == $0.number }
        head = 0
    }
}
