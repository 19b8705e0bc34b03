/// A broadcast channel, as Apple keeps it for one app in one environment.
package struct Channel: Sendable {
    /// What happens to messages for devices that are not there.
    package enum StoragePolicy: Int, CaseIterable, Hashable, Sendable {
        /// Nothing: only `apns-expiration: 0` is legal, and the publishing budget is higher.
        case none = 0
        /// The newest message is kept, at most `Channel.storageSeconds`.
        case newest = 1
    }

    /// Base64 of random bytes; Apple promises no size.
    package let id: String
    package let policy: StoragePolicy
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// Accepted broadcasts.
    package internal(set) var published = 0
    /// The newest message, where the policy keeps one. It may be over: see `message(at:)`.
    var stored: Stored?
    /// Whether an `end` has come, and the newest timestamp.
    var activity = ActivityMemory()

    /// How long Apple keeps a message: 8 hours.
    static let storageSeconds: Int64 = 8 * 3_600

    struct Stored: Hashable, Sendable {
        let broadcast: AcceptedBroadcast
        /// Seconds since 1970.
        let until: Int64
    }

    init(id: String, policy: StoragePolicy, createdAt: Int64) {
        self.id = id
        self.policy = policy
        self.createdAt = createdAt
    }

    /// What a device gets that comes to the channel at this moment, in milliseconds since 1970.
    package func message(at now: Int64) -> AcceptedBroadcast? {
        stored.flatMap { $0.until > now / 1_000 ? $0.broadcast : nil }
    }

    /// Keeps the broadcast, if the policy and its expiration say so.
    mutating func take(_ broadcast: AcceptedBroadcast) {
        published += 1
        let now = broadcast.receivedAt / 1_000
        let latest = now + Self.storageSeconds
        let until = min(broadcast.expiration ?? latest, latest)
        guard policy == .newest, until > now else { return }
        stored = Stored(broadcast: broadcast, until: until)
    }
}

/// A broadcast that was answered with 200.
package struct AcceptedBroadcast: Hashable, Sendable {
    package let channelID: String
    /// `apns-request-id`, as it came or as APNs made it.
    package let requestID: String
    package let priority: Int
    /// Seconds since 1970; 0: one attempt; `nil`: as long as Apple keeps it.
    package let expiration: Int64?
    /// Milliseconds since 1970.
    package let receivedAt: Int64
    package let payload: [UInt8]
    package let aps: PushedAps
    /// What a device would ignore or mistreat, in sentences.
    package let warnings: [String]
}
