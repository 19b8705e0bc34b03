internal import HTTP2

extension APNsClient {
    /// The outcome of one push.
    public enum Outcome: Hashable, Sendable {
        /// Status 200: APNs accepted the push, which does not mean that it was delivered.
        case accepted(apnsUniqueID: String?)
        /// Any other status, with the action to take. A push that APNs would certainly refuse is
        /// not sent and gets the same refusal.
        case refused(Refusal)
        /// It was not sent, or the peer did nothing: safe to repeat.
        case notSent(String)
        /// It was not sent, because APNs is failing, our error rate is too high, or too many pushes
        /// are waiting. Send the newest content after that time.
        case heldBack(String, retryAfterMilliseconds: Int64)
        /// The connection was lost between request and response.
        case unknown(String)
    }

    /// APNs' response to a push that it did not accept.
    public struct Refusal: Hashable, Sendable {
        /// The HTTP status.
        public let status: Int
        /// Apple's `reason`, unchanged.
        public let reason: String
        /// With 410: since when the token is invalid, in milliseconds since 1970.
        public let timestamp: Int64?
        /// What the sender should do.
        public let action: APNsAction

        /// Creates a refusal from its fields.
        public init(status: Int, reason: String, timestamp: Int64?, action: APNsAction) {
            self.status = status
            self.reason = reason
            self.timestamp = timestamp
            self.action = action
        }

        /// Whether the refusal is a 403 with an unknown reason, which may blame the provider key.
        var mayBlameKey: Bool {
            status == 403 && !APNsReason.isKnown(status: status, reason: reason)
        }

        /// Returns the refusal that a request would certainly get, so that it is not sent.
        static func certain(_ status: Int, _ reason: String) -> Refusal {
            Refusal(
                status: status, reason: reason, timestamp: nil,
                action: APNsReason.action(status: status, reason: reason))
        }
    }

    /// A host's state, as far as its responses show.
    public enum HostState: String, Hashable, Sendable, CaseIterable {
        /// The host responds normally.
        case working
        /// The host reports too many of our pushes as errors; sending is slowed.
        case slowed
        /// The host fails all requests; pushes are held back except for occasional probes.
        case inTrouble
    }

    /// A client's counts since its start, and its current state.
    public struct Counts: Hashable, Sendable {
        /// Pushes that the library sent again.
        public internal(set) var repeated = 0
        /// Responses whose `apns-id` was not the push's own, a sign of a fault between us and
        /// Apple.
        public internal(set) var strangeIDs = 0
        /// Provider tokens signed.
        public internal(set) var tokensSigned = 0
        /// The position of the provider key in use, from 1.
        public internal(set) var keyPlace = 1
        /// The host's state.
        public internal(set) var hostState = HostState.working
        /// Pauses of the host.
        public internal(set) var pauses = 0
        /// Connections that APNs ended with GOAWAY, by its reason ("other" if undocumented).
        public internal(set) var goAways: [String: Int] = [:]
        /// Pushes held back for the host's state, except for those that found the queue full.
        public internal(set) var heldBack = 0
        /// Device tokens that APNs refused as bad and that were not registered again.
        public internal(set) var tokensQuarantined = 0
        /// Pushes not sent because their token was quarantined.
        public internal(set) var quarantineRefusals = 0

        /// Creates empty counts.
        public init() {}
    }
}

extension APNsClient.Outcome {
    /// Returns a push's outcome from its request's result. APNs accepts pushes with 200; it
    /// documents no other success.
    init(_ result: RequestResult) {
        switch result {
        case .success(let response) where response.status == 200:
            self = .accepted(apnsUniqueID: response.value(of: .apnsUniqueID))
        case .success(let response):
            self = .refused(RefusalBody(body: response.body).refusal(status: response.status))
        case .failure(.refused(let refusal)): self = .refused(refusal)
        case .failure(.notSent(let why)), .failure(.notTaken(let why)): self = .notSent(why)
        case .failure(.heldBack(let why, let wait)):
            self = .heldBack(why, retryAfterMilliseconds: wait)
        case .failure(.unknown(let why)): self = .unknown(why)
        }
    }
}
