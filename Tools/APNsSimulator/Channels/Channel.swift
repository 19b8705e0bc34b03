/// A broadcast channel of one app in one environment.
package struct Channel: Sendable {
    /// What APNs stores for unreachable devices.
    package enum StoragePolicy: Int, CaseIterable, Hashable, Sendable {
        /// Stores nothing: requires `apns-expiration: 0`, and allows a higher publishing budget.
        case none = 0
        /// Stores the newest message, at most for `Channel.storageSeconds`.
        case newest = 1
    }

    /// Base64 of random bytes; Apple specifies no size.
    package let id: String
    package let policy: StoragePolicy
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// Accepted broadcasts.
    package internal(set) var published = 0
    /// The newest message, if the policy stores one. It may have expired: see `message(at:)`.
    var stored: Stored?
    /// Whether an `end` was received, and the newest timestamp.
    var activity = ActivityHistory()

    /// How long Apple stores a message: 8 hours.
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

    /// Returns what a device gets that subscribes at this moment, in milliseconds since 1970.
    package func message(at now: Int64) -> AcceptedBroadcast? {
        stored.flatMap { $0.until > now / 1_000 ? $0.broadcast : nil }
    }

    /// Stores the broadcast, if the policy and its expiration allow it.
    mutating func take(_ broadcast: AcceptedBroadcast) {
        published += 1
        let now = broadcast.receivedAt / 1_000
        let latest = now + Self.storageSeconds
        let until = min(broadcast.expiration ?? latest, latest)
        guard policy == .newest, until > now else { return }
        stored = Stored(broadcast: broadcast, until: until)
    }
}

/// A broadcast accepted with 200.
package struct AcceptedBroadcast: Hashable, Sendable {
    package let channelID: String
    /// The `apns-request-id`, received or generated.
    package let requestID: String
    package let priority: Int
    /// Seconds since 1970; 0: one attempt; `nil`: as long as Apple stores it.
    package let expiration: Int64?
    /// Milliseconds since 1970.
    package let receivedAt: Int64
    package let payload: [UInt8]
    package let aps: PushedAps
    /// Sentences about what a device would ignore or mistreat.
    package let warnings: [String]
}
