extension APNsClient {
    /// What APNs, or the way to it, made of one push.
    public enum Outcome: Hashable, Sendable {
        /// Status 200: accepted, which is not yet delivered.
        case accepted(apnsUniqueID: String?)
        /// Any other status, with what to do. A request that APNs would certainly refuse does not
        /// leave: it gets the answer that it would have got.
        case refused(Refusal)
        /// It did not leave, or the peer did nothing: safe to send again.
        case notSent(String)
        /// The connection was lost between sending and answer.
        case unknown(String)
    }

    /// Apple's answer to a push that it did not accept.
    public struct Refusal: Hashable, Sendable {
        /// The HTTP status.
        public let status: Int
        /// Apple's `reason`, as it came.
        public let reason: String
        /// With 410: since when the token is dead, milliseconds since 1970.
        public let timestamp: Int64?
        /// What the sender should do.
        public let action: APNsAction

        /// A refusal as APNs sent it.
        public init(status: Int, reason: String, timestamp: Int64?, action: APNsAction) {
            self.status = status
            self.reason = reason
            self.timestamp = timestamp
            self.action = action
        }
    }

    /// What a client has counted since it began.
    public struct Counts: Hashable, Sendable {
        /// Pushes that were sent again by the library.
        public internal(set) var repeated = 0
        /// Answers whose `apns-id` was not the push's own: something between us and Apple is odd.
        public internal(set) var strangeIDs = 0
        /// Provider tokens that were signed.
        public internal(set) var tokensSigned = 0
    }
}
