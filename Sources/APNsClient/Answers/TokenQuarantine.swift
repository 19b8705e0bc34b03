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
    /// How long a registration protects a token from answers to pushes that left before it: an
    /// answer takes at most a request's timeout, and some repetitions.
    static let protectionMilliseconds: Int64 = 5 * 60_000

    /// The reasons for which a token is kept.
    private enum Finding: Hashable {
        case refused(APNsClient.Refusal, topic: Int)
        /// Registered again: what is heard of pushes from before does not count.
        case forgiven
    }

    private struct Entry {
        let finding: Finding
        let at: Int64
        /// Its place in the order: an older place with the same token is void.
        let number: UInt64
    }

    private var entries: [Int: Entry] = [:]
    private var order: [(token: Int, number: UInt64)] = []
    private var head = 0
    private var nextNumber: UInt64 = 0
    /// How many tokens are kept as bad.
    private(set) var count = 0
    /// Pushes that were refused here.
    private(set) var refusals = 0

    /// Places in the order, void ones included.
    var places: Int { order.count - head }

    /// Whether no push needs to be looked at.
    var isEmpty: Bool { count == 0 }

    /// The answer that a push would get again, if its token is known to be bad.
    mutating func refusal(
        of token: DeviceToken, topic: String, at now: Int64
    ) -> APNsClient.Refusal? {
        let key = token.hashValue
        guard let entry = entries[key], case .refused(let refusal, let badTopic) = entry.finding
        else { return nil }
        guard now - entry.at < Self.stayMilliseconds else {
            remove(key)
            return nil
        }
        guard refusal.reason != Self.topicReason || badTopic == topic.hashValue else {
            return nil
        }
        refusals += 1
        return refusal
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
        if let entry = entries[key], entry.finding == .forgiven,
            now - entry.at < Self.protectionMilliseconds, handedInAt <= entry.at
        {
            return
        }
        let finding = Finding.refused(refusal, topic: topic.hashValue)
        // An answer that was given here must not keep the token here for longer.
        guard entries[key]?.finding != finding else { return }
        keep(key, finding, at: now)
    }

    /// Somebody has registered the token again: APNs is asked anew.
    mutating func forgive(_ token: DeviceToken, at now: Int64) {
        keep(token.hashValue, .forgiven, at: now)
    }

    private static let topicReason = "DeviceTokenNotForTopic"

    private mutating func keep(_ key: Int, _ finding: Finding, at now: Int64) {
        remove(key)
        nextNumber += 1
        entries[key] = Entry(finding: finding, at: now, number: nextNumber)
        order.append((key, nextNumber))
        if finding != .forgiven { count += 1 }
        while entries.count > Self.tokensMax { forgetOldest() }
        compact()
    }

    private mutating func remove(_ key: Int) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        if entry.finding != .forgiven { count -= 1 }
    }

    private mutating func forgetOldest() {
        guard head < order.count else { return }
        let oldest = order[head]
        head += 1
        if entries[oldest.token]?.number == oldest.number { remove(oldest.token) }
    }

    /// Places of tokens that were removed or kept anew go when they are most of the list.
    private mutating func compact() {
        guard order.count > 2 * Self.tokensMax else { return }
        order = order[head...].filter { entries[$0.token]?.number == $0.number }
        head = 0
    }
}
