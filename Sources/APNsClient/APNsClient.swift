/// Sends pushes to one APNs host.
public final class APNsClient: Sendable {
    /// What APNs, or the way to it, made of one push.
    public enum Outcome: Hashable, Sendable {
        /// Status 200: accepted, which is not yet delivered.
        case accepted(apnsUniqueID: String?)
        /// Any other status, with what to do.
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
}

/// What to do about a refusal (apns.md section 5).
public enum APNsAction: Hashable, Sendable {
    /// The token is dead: never push to it again.
    case dropToken
    /// Our bug: keep it for a look, sound the alarm, never send it again.
    case deadLetter
    /// The provider token was renewed and the push was tried again, in vain.
    case renewProviderToken
    /// The connection is bound to another key: a fresh one may do.
    case newConnection
    /// This device gets too much: pause for it.
    case backOffDevice
    /// No new provider token for 20 minutes.
    case stopMinting
    /// Apple's trouble: the same content again after 15 minutes, newer content at once.
    case retryLater
}
