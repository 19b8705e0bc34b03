/// Tokens that APNs has called bad, for as long as nobody registers them again: pure, on the
/// steady clock in milliseconds.
///
/// APNs disconnects a sender with many errors, and sooner for `BadDeviceToken`: a token that was
/// refused is not sent to a second time. Tokens are kept as hashes with a seed of the process's
/// own, so that nothing here can be turned back into one. Bounded: the oldest leave first.
struct TokenQuarantine: Sendable {
    /// Tokens that are remembered; above it the oldest is forgotten, at the price of one more
    /// refusal by APNs.
    static let tokensMax = 50_000
    /// How long a token is remembered.
    static let stayMilliseconds: Int64 = 24 * 60 * 60_000

    /// Why a token is kept.
    private struct Entry {
        let refusal: APNsClient.Refusal
        let topic: Int
        let at: Int64
        /// Its place in the order: an older place with the same token is void.
        let number: UInt64
    }

    private var entries: [Int: Entry] = [:]
    private var order: [(token: Int, number: UInt64)] = []
    private var head = 0
    private var nextNumber: UInt64 = 0
    private var registrations = RecentRegistrations()
    /// Pushes that were refused here.
    private(set) var refusals = 0

    /// How many tokens are kept as bad.
    var count: Int { entries.count }

    /// Places in the order, void ones included.
    var places: Int { order.count - head }

    /// Whether no push needs to be looked at.
    var isEmpty: Bool { entries.isEmpty }

    /// The answer that a push would get again, if its token is known to be bad.
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

    /// Hears that APNs has refused a token.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - refusal: What APNs said, with the action `.dropToken`.
    ///   - topic: The push's topic: one reason is of both.
    ///   - handedInAt: When the push was handed in.
    ///   - now: Now.
    mutating func heard(
        _ token: DeviceToken, _ refusal: APNsClient.Refusal, topic: String,
        handedInAt: Int64, at now: Int64
    ) {
        let key = token.hashValue
        guard !registrations.mayOutdate(key, pushOf: handedInAt, at: now) else { return }
        let (known, topic) = (entries[key], topic.hashValue)
        // An answer that was given here must not keep the token here for longer.
        guard known?.refusal != refusal || known?.topic != topic else { return }
        nextNumber += 1
        entries[key] = Entry(refusal: refusal, topic: topic, at: now, number: nextNumber)
        order.append((key, nextNumber))
        while entries.count > Self.tokensMax { forgetOldest() }
        compact()
    }

    /// Somebody has registered the token, for the first time or again: APNs is asked anew. That
    /// costs a place among the registrations, never one among the bad tokens.
    mutating func forgive(_ token: DeviceToken, at now: Int64) {
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

    /// Places of tokens that were removed or kept anew go when they are most of the list.
    private mutating func compact() {
        guard order.count > 2 * Self.tokensMax else { return }
        order = order[head...].filter { entries[$0.token]?.number == $0.number }
        head = 0
    }
}
